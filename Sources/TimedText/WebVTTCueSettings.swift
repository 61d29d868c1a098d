/// The settings behind a cue's times: where its box stands and how its lines run.
///
/// What is not of the grammar is left out one by one, as a player does; regions are not carried. So settings from outside can be
/// written again without harm: what is written holds letters, digits and `:%.,-` only.
///
/// Source: W3C WebVTT, clauses 3.3, 4.4 and 6.3.
package struct WebVTTCueSettings: Sendable, Hashable {
    package enum Vertical: String, Sendable { case growingLeft = "rl", growingRight = "lr" }
    package enum Align: String, Sendable { case start, center, end, left, right }
    package enum LineAlign: String, Sendable { case start, center, end }
    package enum PositionAlign: String, Sendable { case lineLeft = "line-left", center, lineRight = "line-right" }

    /// 0…100 % in thousandths, so that it is written as it was read.
    package struct Percentage: Sendable, Hashable {
        package let thousandths: Int

        package init?(thousandths: Int) {
            guard (0...100_000).contains(thousandths) else { return nil }
            self.thousandths = thousandths
        }

        /// The nearest to a share of one; what lies outside is moved to its edge.
        package init(_ share: Double) { thousandths = share.isNaN ? 0 : Int((min(max(share, 0), 1) * 100_000).rounded()) }

        package var share: Double { Double(thousandths) / 100_000 }

        var text: String {
            let fraction = thousandths % 1000
            guard fraction > 0 else { return "\(thousandths / 1000)%" }
            var digits = String(1000 + fraction).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            return "\(thousandths / 1000).\(digits)%"
        }

        init?(parsing bytes: ArraySlice<UInt8>) {
            guard bytes.last == UInt8(ascii: "%"), bytes.count <= 20 else { return nil }
            let parts = bytes.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let whole = parts[0].decimal() else { return nil }
            var value = whole * 1000
            if parts.count == 2 {
                guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
                for (digit, weight) in zip(parts[1], [100, 10, 1]) { value += Int(digit - 0x30) * weight }
            }
            self.init(thousandths: value)
        }
    }

    package enum Line: Sendable, Hashable {
        /// Counted from the top, or below zero from the bottom.
        case number(Int)
        case percentage(Percentage)
    }

    package var vertical: Vertical?
    package var line: Line?
    package var lineAlign: LineAlign?
    package var position: Percentage?
    package var positionAlign: PositionAlign?
    package var size: Percentage?
    package var align: Align?

    package init() {}

    /// - Parameter text: Behind the times of a cue, or as libavformat hands it on.
    package init(parsing text: ArraySlice<UInt8>) {
        for word in text.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0C || $0 == 0x0D }) {
            guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon + 1 < word.endIndex else { continue }
            let (name, value) = (word[..<colon].string, word[(colon + 1)...])
            let parts = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            switch name {
            case "vertical": vertical = Vertical(rawValue: value.string) ?? vertical
            case "align": align = Align(rawValue: value.string) ?? (value.elementsEqual("middle".utf8) ? .center : align)
            case "size": size = Percentage(parsing: value) ?? size
            case "line":
                guard parts.count <= 2, let read = Self.line(parts[0]) else { break }
                guard parts.count == 1 || LineAlign(rawValue: parts[1].string) != nil else { break }
                line = read
                lineAlign = parts.count == 2 ? LineAlign(rawValue: parts[1].string) : nil
            case "position":
                guard parts.count <= 2, let read = Percentage(parsing: parts[0]) else { break }
                guard parts.count == 1 || Self.positionAlign(parts[1]) != nil else { break }
                position = read
                positionAlign = parts.count == 2 ? Self.positionAlign(parts[1]) : nil
            default: break
            }
        }
    }

    package init(parsing text: String) { self.init(parsing: Array(text.utf8)[...]) }

    private static func line(_ bytes: ArraySlice<UInt8>) -> Line? {
        if let percentage = Percentage(parsing: bytes) { return .percentage(percentage) }
        let isNegative = bytes.first == UInt8(ascii: "-")
        guard let number = (isNegative ? bytes.dropFirst() : bytes).decimal(limit: 9999) else { return nil }
        return .number(isNegative ? -number : number)
    }

    /// Older files have the names of an earlier draft.
    private static func positionAlign(_ bytes: ArraySlice<UInt8>) -> PositionAlign? {
        switch bytes.string {
        case "start", "left": .lineLeft
        case "middle": .center
        case "end", "right": .lineRight
        case let name: PositionAlign(rawValue: name)
        }
    }

    package var isEmpty: Bool { self == WebVTTCueSettings() }

    /// In one fixed order, one space between; empty where nothing is set.
    package var text: String {
        var words: [String] = []
        if let vertical { words.append("vertical:\(vertical.rawValue)") }
        if let line {
            let place = switch line {
            case .number(let number): String(number)
            case .percentage(let percentage): percentage.text
            }
            words.append("line:\(place)" + (lineAlign.map { ",\($0.rawValue)" } ?? ""))
        }
        if let position { words.append("position:\(position.text)" + (positionAlign.map { ",\($0.rawValue)" } ?? "")) }
        if let size { words.append("size:\(size.text)") }
        if let align { words.append("align:\(align.rawValue)") }
        return words.joined(separator: " ")
    }

    // MARK: Placement

    /// The settings that put a box there. Lines below each other are aligned as the placement's column, and the box grows away from its anchor.
    package init(_ placement: TextPlacement) {
        switch placement.alignment.column {
        case .left: align = .left
        case .middle: align = nil
        case .right: align = .right
        }
        if let anchor = placement.anchor {
            line = .percentage(Percentage(anchor.y))
            position = Percentage(anchor.x)
            // A left or right alignment is the position's, too; centred lines stand around it.
        } else {
            switch placement.alignment.row {
            case .bottom: break
            case .middle: line = .percentage(Percentage(0.5))
            case .top: line = .number(0)
            }
        }
        guard case .percentage = line else { return }
        switch placement.alignment.row {
        case .bottom: lineAlign = .end
        case .middle: lineAlign = .center
        case .top: lineAlign = nil
        }
    }

    /// The place these settings ask for, as near as a placement can say it: an anchor where they give both axes (an alignment stands for the
    /// position it implies), the column alone where they give no line, and nothing where they ask for nothing or for vertical lines.
    package var placement: TextPlacement? {
        guard vertical == nil else { return nil }
        let lines = align ?? .center
        let column: TextPlacement.Alignment.Column = switch (positionAlign, lines) {
        case (.lineLeft, _), (nil, .left), (nil, .start): .left
        case (.lineRight, _), (nil, .right), (nil, .end): .right
        default: .middle
        }
        let x = position?.share ?? (column == .left ? 0 : column == .right ? 1 : 0.5)
        switch line {
        case nil:
            return column == .middle ? nil : TextPlacement(.init(.bottom, column))
        case .number(let number):
            return number < 0 ? (column == .middle && number == -1 ? nil : TextPlacement(.init(.bottom, column))) : TextPlacement(.init(.top, column))
        case .percentage(let percentage):
            let row: TextPlacement.Alignment.Row = lineAlign == .end ? .bottom : lineAlign == .center ? .middle : .top
            return TextPlacement(.init(row, column), anchor: TextPlacement.Anchor(x: x, y: percentage.share))
        }
    }
}
