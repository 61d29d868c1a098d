/// Turns ASS events into words, their style and their place.
///
/// Of the override tags those are kept that words keep: `\b \i \u \s \c \1c \fn \fs \r`, and of the line `\an \a \pos \move` (where it begins).
/// Vector drawings are left out, karaoke tags go and their words stay, animations are not followed. As in the renderers, the first `\an` and the
/// first position of a line count, a brace that is never closed is a brace, and what in a block is no tag is a comment.
///
/// Source: the ASS override tags as libass reads them.
package struct ASSWords: Sendable {
    package let head: ASSHead

    /// - Parameter header: The script's, or the one libavcodec makes for other formats.
    package init(header: String) { head = ASSHead(header) }

    /// - Returns: `nil` where nothing is to be read: a drawing, a comment, a line of spaces, or no event at all.
    package func words(of line: String) -> (text: StyledText, placement: TextPlacement?)? {
        guard let event = ASSEvent(line) else { return nil }
        let base = head.style(event.style)
        var state = State(style: base.style, base: base.style)
        var text = StyledText()
        read(Array(event.text.utf8)[...], into: &text, &state)
        text = text.trimmed
        guard !text.isBlank else { return nil }
        return (text, placement(state, base, event))
    }

    private struct State {
        var style: StyledText.Style
        var base: StyledText.Style
        var alignment: TextPlacement.Alignment?
        var position: (x: Double, y: Double)?
        var isDrawing = false
        var breaksAtSoftBreaks: Bool?
    }

    // MARK: Place

    private func placement(_ state: State, _ base: ASSHead.Style, _ event: ASSEvent) -> TextPlacement? {
        let alignment = state.alignment ?? base.alignment
        if let position = state.position {
            return TextPlacement(alignment, anchor: TextPlacement.Anchor(x: position.x / head.width, y: position.y / head.height))
        }
        // A margin larger than half of the picture is how lines at the bottom are moved to the top without a tag.
        let margin = event.verticalMargin > 0 ? event.verticalMargin : base.verticalMargin
        if alignment.row == .bottom, margin > head.height / 2 {
            let x = alignment.column == .left ? 0.0 : alignment.column == .right ? 1 : 0.5
            return TextPlacement(alignment, anchor: TextPlacement.Anchor(x: x, y: 1 - margin / head.height))
        }
        return alignment == .bottom ? nil : TextPlacement(alignment)
    }

    // MARK: Text

    private func read(_ bytes: ArraySlice<UInt8>, into text: inout StyledText, _ state: inout State) {
        var index = bytes.startIndex
        var run: [UInt8] = []
        // Past the last closing brace no block can end: looked for once, so that many opening ones stay cheap.
        let lastClose = bytes.lastIndex(of: UInt8(ascii: "}")) ?? bytes.startIndex
        func flush() {
            if !state.isDrawing { text.append(String(decoding: run, as: UTF8.self), state.style) }
            run.removeAll(keepingCapacity: true)
        }
        while index < bytes.endIndex {
            let byte = bytes[index]
            let next = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
            if byte == UInt8(ascii: "\\") {
                index += 2
                switch next {
                case UInt8(ascii: "N"): run.append(0x0A)
                case UInt8(ascii: "n"): run.append(state.breaksAtSoftBreaks ?? head.breaksAtSoftBreaks ? 0x0A : 0x20)
                case UInt8(ascii: "h"): run += [0xC2, 0xA0]
                case UInt8(ascii: "{"), UInt8(ascii: "}"): run.append(next)
                default:
                    // libavcodec guards a backslash of other formats by a second one, or by a word joiner.
                    run.append(byte)
                    if next != UInt8(ascii: "\\") { index -= 1 }
                    if bytes[min(index, bytes.endIndex)...].starts(with: [0xE2, 0x81, 0xA0]) { index += 3 }
                }
            } else if byte == UInt8(ascii: "{"), index < lastClose, let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) {
                flush()
                apply(bytes[(index + 1)..<close], &state)
                index = close + 1
            } else {
                if byte == 0x0A || byte == 0x09 || byte >= 0x20 { run.append(byte) }
                index += 1
            }
        }
        flush()
    }

    /// The tags of one block: each reaches from its backslash to the next one outside of parentheses.
    private func apply(_ block: ArraySlice<UInt8>, _ state: inout State) {
        var index = block.startIndex
        while let start = block[index...].firstIndex(of: UInt8(ascii: "\\")) {
            var end = start + 1
            var depth = 0
            while end < block.endIndex, depth > 0 || block[end] != UInt8(ascii: "\\") {
                if block[end] == UInt8(ascii: "(") { depth += 1 } else if block[end] == UInt8(ascii: ")") { depth = max(0, depth - 1) }
                end += 1
            }
            apply(tag: block[(start + 1)..<end].trimmed, &state)
            index = end
        }
    }

    private func apply(tag: ArraySlice<UInt8>, _ state: inout State) {
        func rest(_ name: StaticString) -> ArraySlice<UInt8>? {
            let letters = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            return tag.starts(with: letters) ? tag[(tag.startIndex + letters.count)...].trimmed : nil
        }
        /// What follows a switch: a number, or nothing at all for the line's own style.
        func flag(_ name: StaticString) -> Int?? {
            guard let rest = rest(name) else { return nil }
            // As the renderers read numbers: garbage behind one does not count.
            return rest.isEmpty ? .some(nil) : rest.prefix { (0x30...0x39).contains($0) }.decimal().map { .some($0) }
        }
        if let value = flag("b") { state.style.isBold = value.map { $0 == 1 || $0 >= 600 } ?? state.base.isBold } else if let value = flag("i") {
            state.style.isItalic = value.map { $0 != 0 } ?? state.base.isItalic
        } else if let value = flag("u") {
            state.style.isUnderlined = value.map { $0 != 0 } ?? state.base.isUnderlined
        } else if let value = flag("s") {
            state.style.isStruckThrough = value.map { $0 != 0 } ?? state.base.isStruckThrough
        } else if let value = flag("an") {
            if state.alignment == nil, let number = value { state.alignment = TextPlacement.Alignment(rawValue: number) }
        } else if let value = flag("a") {
            if state.alignment == nil, let number = value { state.alignment = TextPlacement.Alignment(legacy: number) }
        } else if let value = flag("p") {
            state.isDrawing = (value ?? 0) > 0
        } else if let value = flag("q") {
            state.breaksAtSoftBreaks = value.map { $0 == 2 }
        } else if let value = rest("1c") ?? rest("c"), value.isEmpty || value.first == UInt8(ascii: "&") || value.first == UInt8(ascii: "H") {
            state.style.colour = Self.colour(value) ?? (value.isEmpty ? state.base.colour : state.style.colour)
        } else if let value = rest("pos") ?? rest("move") {
            if state.position == nil { state.position = Self.point(value) }
        } else if let value = rest("fn") {
            state.style.fontName = value.isEmpty || value.elementsEqual("0".utf8) ? nil : value.string
        } else if let value = rest("fs"), value.isEmpty || value.number != nil {
            // With a sign it is a change of a size that is not kept.
            let isAbsolute = value.first.map { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") } ?? false
            state.style.fontSize = isAbsolute ? value.number.flatMap { $0 > 0 && $0 < 10_000 ? $0 : nil } : nil
        } else if let name = rest("r") {
            state.style = name.isEmpty || !head.hasStyle(name.string) ? state.base : head.style(name.string).style
        }
    }

    /// "&HBBGGRR&", with or without its marks.
    private static func colour(_ value: ArraySlice<UInt8>) -> StyledText.Colour? {
        let digits = value.drop { $0 == UInt8(ascii: "&") }.drop { $0 | 0x20 == UInt8(ascii: "h") }.prefix { $0 != UInt8(ascii: "&") }
        guard !digits.isEmpty, digits.count <= 16, let number = UInt64(digits.string, radix: 16) else { return nil }
        return StyledText.Colour(red: UInt8(truncatingIfNeeded: number), green: UInt8(truncatingIfNeeded: number >> 8), blue: UInt8(truncatingIfNeeded: number >> 16))
    }

    /// The first two numbers in parentheses.
    private static func point(_ value: ArraySlice<UInt8>) -> (x: Double, y: Double)? {
        guard value.first == UInt8(ascii: "(") else { return nil }
        let inside = value.dropFirst().prefix { $0 != UInt8(ascii: ")") }
        let numbers = inside.split(separator: UInt8(ascii: ","), maxSplits: 7).map { $0.trimmed.number }
        guard numbers.count >= 2, let x = numbers[0], let y = numbers[1] else { return nil }
        return (x, y)
    }
}
