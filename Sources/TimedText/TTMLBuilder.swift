internal import BitsAndTime

/// Collects cues while a TTML document is read.
struct TTMLBuilder {
    /// An element that is open.
    private struct Frame {
        let name: String
        var style: TTMLStyle
        var region: TTMLStyle?
        /// Seconds; an infinite end is none.
        let begin: Double
        let end: Double
        let isSequence: Bool
        /// Where the next child of a sequence begins.
        var following: Double
        let isRuby: Bool
    }

    private struct Piece {
        let text: String
        let style: TTMLStyle
        let begin: Double
        let end: Double
        let isBreak: Bool
    }

    private let times: TTMLTimes
    private let root: XMLEvents.Attributes
    private var styles: [String: TTMLStyle] = [:]
    private var references: [String: [String]] = [:]
    private var regions: [String: TTMLStyle] = [:]
    private var openRegion: String?
    private var frames: [Frame] = []
    private var pieces: [Piece] = []
    private var paragraph: Int?
    private var cues: [(cue: TextCue, order: Int)] = []
    /// Changes within one paragraph at most: each is a cue of its own.
    private static let changeLimit = 500
    /// Runs of text and breaks in it.
    private static let pieceLimit = 10_000

    init(root: XMLEvents.Attributes) {
        self.root = root
        times = TTMLTimes(root)
        var style = TTMLStyle()
        style.preservesSpace = root.items.contains { $0.name == "xml:space" && $0.value == "preserve" }
        frames.append(Frame(name: "tt", style: style, region: nil, begin: 0, end: .infinity, isSequence: false, following: 0, isRuby: false))
    }

    // MARK: Elements

    mutating func begin(_ name: String, _ attributes: XMLEvents.Attributes) {
        let parent = frames[frames.count - 1]
        if name == "style" { declareStyle(attributes) }
        if name == "region", parent.name == "layout" {
            openRegion = attributes["id"]
            if let id = openRegion { regions[id] = own(attributes) }
        }
        var region = parent.region
        var style = parent.style.inherited
        if let id = attributes["region"], let named = regions[id] {
            region = named
            // The region is the outermost of what is inherited.
            var base = named.inherited
            base.take(style)
            style = base
        } else if name == "body", region == nil, regions.count == 1, let only = regions.values.first {
            region = only
        }
        style.take(own(attributes))
        let origin = parent.isSequence ? parent.following : parent.begin
        let begin = origin + (times.seconds(attributes["begin"]) ?? 0)
        var end = times.seconds(attributes["end"]).map { origin + $0 } ?? (parent.isSequence ? begin : .infinity)
        if let length = times.seconds(attributes["dur"]) { end = min(attributes["end"] == nil ? .infinity : end, begin + length) }
        if parent.isSequence, attributes["end"] == nil, attributes["dur"] == nil { end = .infinity }
        end = min(end, parent.end)
        let ruby = attributes.items.first { $0.name.hasSuffix(":ruby") }?.value
        if ruby == "delimiter" { style.isRemoved = true }
        frames.append(
            Frame(
                name: name, style: style, region: region, begin: begin, end: end, isSequence: attributes["timeContainer"] == "seq", following: begin, isRuby: ruby == "text"))
        if parent.isSequence, end.isFinite { frames[frames.count - 2].following = end }
        if name == "p", paragraph == nil {
            paragraph = frames.count
            pieces = []
        }
        if paragraph != nil {
            if name == "br" { add("\n", isBreak: true) }
            if ruby == "text" { add("(") }
        }
    }

    mutating func text(_ text: String) {
        guard paragraph != nil, let frame = frames.last, frame.name == "p" || frame.name == "span" else { return }
        add(text)
    }

    mutating func end() {
        guard frames.count > 1, let frame = frames.last else { return }
        if frame.isRuby, paragraph != nil { add(")") }
        if frame.name == "region" { openRegion = nil }
        if paragraph == frames.count {
            finishParagraph(frame)
            paragraph = nil
        }
        frames.removeLast()
    }

    func finished() -> [TextCue] {
        cues.sorted { ($0.cue.start, $0.order) < ($1.cue.start, $1.order) }.map(\.cue)
    }

    // MARK: Styles

    private mutating func declareStyle(_ attributes: XMLEvents.Attributes) {
        if let region = openRegion, attributes["id"] == nil {
            var style = regions[region] ?? TTMLStyle()
            style.take(own(attributes))
            regions[region] = style
        } else if let id = attributes["id"] {
            styles[id] = TTMLStyle(attributes)
            references[id] = attributes["style"]?.split(separator: " ").map(String.init)
        }
    }

    /// What an element itself says: its references first, what stands in it over them.
    private func own(_ attributes: XMLEvents.Attributes) -> TTMLStyle {
        var style = TTMLStyle()
        for id in (attributes.items.first { $0.name == "style" }?.value ?? "").split(separator: " ") { style.take(resolved(String(id), depth: 0)) }
        style.take(TTMLStyle(attributes))
        return style
    }

    /// Chains are followed some steps: a circle ends there.
    private func resolved(_ id: String, depth: Int) -> TTMLStyle {
        var style = TTMLStyle()
        guard depth < 8, let own = styles[id] else { return style }
        for other in (references[id] ?? []).prefix(8) { style.take(resolved(other, depth: depth + 1)) }
        style.take(own)
        return style
    }

    // MARK: Paragraphs

    private mutating func add(_ text: String, isBreak: Bool = false) {
        guard let frame = frames.last, frame.style.isRemoved != true, frame.style.isHidden != true, frame.end > frame.begin, pieces.count < Self.pieceLimit else { return }
        pieces.append(Piece(text: text, style: frame.style, begin: frame.begin, end: frame.end, isBreak: isBreak))
    }

    private mutating func finishParagraph(_ frame: Frame) {
        defer { pieces = [] }
        guard !pieces.isEmpty else { return }
        let place = placement(frame)
        let bounds = Array(Set(pieces.flatMap { [$0.begin, $0.end] })).sorted().prefix(Self.changeLimit)
        var previous: Int?
        for (begin, end) in zip(bounds, bounds.dropFirst()) where begin < end {
            let text = Self.words(pieces.filter { $0.begin <= begin && $0.end >= end })
            guard !text.isBlank else { continue }
            let (start, stop) = (TTMLTimes.time(begin), end.isFinite ? TTMLTimes.time(end) : nil)
            guard stop.map({ $0 > start }) ?? true else { continue }
            if let last = previous, cues[last].cue.text == text, cues[last].cue.end == start { cues[last].cue.end = stop } else {
                previous = cues.count
                cues.append((TextCue(start: start, end: stop, text: text, placement: place), cues.count))
            }
        }
    }

    /// White space by `xml:space`: default runs of it are one space, and none stands at the ends of lines (TTML2, clause 8.2.10).
    private static func words(_ pieces: [Piece]) -> StyledText {
        var text = StyledText()
        var pendingSpace: StyledText.Style?
        var atLineStart = true
        for piece in pieces {
            let style = piece.style.words
            if piece.isBreak {
                text.append("\n", style)
                (pendingSpace, atLineStart) = (nil, true)
                continue
            }
            if piece.style.preservesSpace == true {
                if let space = pendingSpace { text.append(" ", space) }
                pendingSpace = nil
                text.append(String(String.UnicodeScalarView(piece.text.unicodeScalars.filter { $0 == "\n" || $0.value >= 0x20 })), style)
                atLineStart = piece.text.unicodeScalars.last == "\n"
                continue
            }
            var run = ""
            for scalar in piece.text.unicodeScalars {
                if scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" {
                    if !run.isEmpty {
                        text.append(run, style)
                        run = ""
                    }
                    if !atLineStart, pendingSpace == nil { pendingSpace = style }
                } else if scalar.value >= 0x20 {
                    if let space = pendingSpace {
                        text.append(" ", space)
                        pendingSpace = nil
                    }
                    run.unicodeScalars.append(scalar)
                    atLineStart = false
                }
            }
            text.append(run, style)
        }
        return text.trimmed
    }

    // MARK: Place

    private func placement(_ frame: Frame) -> TextPlacement? {
        var region = frame.region ?? TTMLStyle()
        // A paragraph may give its own place, as later editions allow.
        region.take(frame.style)
        let column: TextPlacement.Alignment.Column = switch region.textAlign {
        case .left: .left
        case .right: .right
        case .centre, nil: .middle
        }
        guard let origin = region.origin.flatMap(pair) else {
            let row: TextPlacement.Alignment.Row? = switch region.displayAlign {
            case .before: frame.region == nil ? nil : .top
            case .centre: .middle
            case .after, nil: nil
            }
            let alignment = TextPlacement.Alignment(row ?? .bottom, column)
            return alignment == .bottom ? nil : TextPlacement(alignment)
        }
        let extent = region.extent.flatMap(pair) ?? (1 - origin.0, 1 - origin.1)
        let (x, row, y): (Double, TextPlacement.Alignment.Row, Double) = (
            origin.0 + extent.0 * (column == .left ? 0 : column == .right ? 1 : 0.5),
            region.displayAlign == .after ? .bottom : region.displayAlign == .centre ? .middle : .top,
            origin.1 + extent.1 * (region.displayAlign == .after ? 1 : region.displayAlign == .centre ? 0.5 : 0)
        )
        // Where captions stand anyhow is no wish of its own.
        if row == .bottom, column == .middle, y >= 0.8, abs(x - 0.5) < 0.02 { return nil }
        return TextPlacement(.init(row, column), anchor: TextPlacement.Anchor(x: x, y: y))
    }

    /// Two lengths as shares of the picture.
    private func pair(_ text: String) -> (Double, Double)? {
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        let whole = root["extent"].map { $0.split(separator: " ").map { Double($0.replacingSuffix("px")) } }
        let cells = root["cellResolution"]?.split(separator: " ").map { Double($0) } ?? [32, 15]
        func share(_ part: Substring, _ axis: Int) -> Double? {
            func number(_ suffix: String) -> Double? { part.hasSuffix(suffix) ? Double(part.dropLast(suffix.count)) : nil }
            if let percent = number("%") ?? number("rw") ?? number("rh") { return percent / 100 }
            if let pixels = number("px"), let size = whole.flatMap({ $0.count == 2 ? $0[axis] : nil }), size > 0 { return pixels / size }
            if cells.count == 2, let cell = number("c"), let size = cells[axis], size > 0 { return cell / size }
            return nil
        }
        guard let x = share(parts[0], 0), let y = share(parts[1], 1), x.isFinite, y.isFinite else { return nil }
        return (x, y)
    }
}

extension Substring {
    fileprivate func replacingSuffix(_ suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}
