/// The words of a WebVTT cue and back.
///
/// Written are `<b> <i> <u>` and, for six of the eight standard colours, the class of that name: white is every player's own, and black cannot be
/// read on it. `&`, `<` and `>` are written as entities and a line that would be empty holds an empty span, so no text whatever can end its cue,
/// open a tag or look like a timing line. Control characters go; marks of direction stay. What is struck through, faces and sizes have no word here.
///
/// Source: W3C WebVTT, clauses 4.2.2, 5 and 6.4.
package enum WebVTTCueText {
    /// Left of every line that would be empty: it shows as an empty line, and does not end the cue.
    private static let emptyLine = "<c></c>"

    /// - Returns: Lines without an end; empty where nothing is to be read.
    package static func written(_ text: StyledText) -> String {
        var writer = Writer()
        for run in text.withoutControls.trimmed.runs {
            writer.open(tags(run.style))
            for scalar in run.text.unicodeScalars { writer.write(scalar) }
        }
        writer.open([])
        return writer.output
    }

    /// From the outside in.
    private static func tags(_ style: StyledText.Style) -> [Tag] {
        var tags: [Tag] = []
        if let name = style.colour.flatMap(className) { tags.append(.init(name: "c", opening: "<c.\(name)>")) }
        if style.isBold { tags.append(.init(name: "b", opening: "<b>")) }
        if style.isItalic { tags.append(.init(name: "i", opening: "<i>")) }
        if style.isUnderlined { tags.append(.init(name: "u", opening: "<u>")) }
        return tags
    }

    private struct Tag: Equatable {
        let name: String
        let opening: String
    }

    private struct Writer {
        var output = ""
        private var stack: [Tag] = []
        private var lineIsEmpty = true
        /// Tags are written when the first character they hold is.
        private var pending: [Tag] = []

        mutating func open(_ tags: [Tag]) {
            pending = tags
            if tags.isEmpty { settle() }
        }

        private mutating func settle() {
            guard stack != pending else { return }
            let common = zip(stack, pending).prefix { $0 == $1 }.count
            for tag in stack[common...].reversed() { output += "</\(tag.name)>" }
            for tag in pending[common...] { output += tag.opening }
            stack = pending
        }

        mutating func write(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "\n":
                if lineIsEmpty { output += WebVTTCueText.emptyLine }
                output += "\n"
                lineIsEmpty = true
                return
            case "&": put("&amp;")
            case "<": put("&lt;")
            case ">": put("&gt;")
            case "\t": put("\t")
            default:
                settle()
                output.unicodeScalars.append(scalar)
            }
            lineIsEmpty = false
        }

        private mutating func put(_ text: String) {
            settle()
            output += text
        }
    }

    /// The colours clause 5 has classes for, apart from white and black.
    private static let colours: [(name: String, colour: StyledText.Colour)] = [
        ("lime", .init(red: 0, green: 255, blue: 0)), ("cyan", .init(red: 0, green: 255, blue: 255)), ("red", .init(red: 255, green: 0, blue: 0)),
        ("yellow", .init(red: 255, green: 255, blue: 0)), ("magenta", .init(red: 255, green: 0, blue: 255)), ("blue", .init(red: 0, green: 0, blue: 255)),
    ]

    private static func className(_ colour: StyledText.Colour) -> String? { colours.first { $0.colour == colour }?.name }

    private static func colour(_ name: String) -> StyledText.Colour? {
        switch name {
        case "white": StyledText.Colour(red: 255, green: 255, blue: 255)
        case "black": StyledText.Colour(red: 0, green: 0, blue: 0)
        default: colours.first { $0.name == name }?.colour
        }
    }

    // MARK: Reading

    /// Reads what a cue holds. Nothing is refused: unknown tags and time marks go and what they hold stays, a ruby text follows its base in parentheses.
    package static func read(_ bytes: ArraySlice<UInt8>) -> StyledText {
        var text = StyledText()
        var open: [(name: String, style: StyledText.Style)] = []
        var run: [UInt8] = []
        var style = StyledText.Style.plain
        var index = bytes.startIndex
        func flush() {
            text.append(String(decoding: run, as: UTF8.self), style)
            run.removeAll(keepingCapacity: true)
        }
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "<"):
                let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
                let tag = bytes[(index + 1)..<end]
                index = min(end + 1, bytes.endIndex)
                flush()
                if tag.first == UInt8(ascii: "/") {
                    let name = tag.dropFirst().string
                    // What is open outside of it may be closed over an unclosed ruby text, and over nothing else (clause 6.4).
                    if name == "ruby", open.last?.name == "rt" { close() }
                    if open.last?.name == name { close() }
                } else {
                    begin(tag)
                }
            case UInt8(ascii: "&"):
                let (characters, length) = entity(bytes[index...])
                run += characters
                index += length
            case 0x00..<0x09, 0x0B..<0x20, 0x7F: index += 1
            default:
                run.append(byte)
                index += 1
            }
        }
        flush()
        while !open.isEmpty { close() }
        return text

        func begin(_ tag: ArraySlice<UInt8>) {
            let word = tag.prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0C }
            let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(\.string)
            guard let name = parts.first, ["b", "i", "u", "c", "v", "lang", "ruby", "rt"].contains(name), open.count < 64 else { return }
            if name == "rt", open.last?.name != "ruby" { return }
            open.append((name, style))
            switch name {
            case "b": style.isBold = true
            case "i": style.isItalic = true
            case "u": style.isUnderlined = true
            case "rt": text.append("(", style)
            default: break
            }
            for name in parts.dropFirst() { if let colour = colour(name) { style.colour = colour } }
        }

        func close() {
            guard let last = open.popLast() else { return }
            if last.name == "rt" { text.append(")", style) }
            style = last.style
        }
    }

    package static func read(_ text: String) -> StyledText { read(Array(text.utf8)[...]) }

    /// The characters a reference at the front stands for, and its length; the ampersand itself where it is none.
    private static func entity(_ bytes: ArraySlice<UInt8>) -> (characters: [UInt8], length: Int) {
        let name = bytes.dropFirst().prefix(10).prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "#") }
        let isClosed = name.endIndex < bytes.endIndex && bytes[name.endIndex] == UInt8(ascii: ";")
        if name.first == UInt8(ascii: "#"), isClosed {
            let isHex = name.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
            let value = UInt32(name.dropFirst(isHex ? 2 : 1).string, radix: isHex ? 16 : 10)
            if let value, value >= 0x20 || value == 0x0A, let scalar = Unicode.Scalar(value) { return (Array(String(Character(scalar)).utf8), name.count + 2) }
        } else if isClosed, let text = named[name.string] {
            return (Array(text.utf8), name.count + 2)
        } else {
            // HTML takes these without their end, too.
            for short in ["amp", "lt", "gt", "quot", "nbsp"] where name.starts(with: short.utf8) {
                if let text = named[short] { return (Array(text.utf8), short.utf8.count + 1) }
            }
        }
        return ([UInt8(ascii: "&")], 1)
    }

    private static let named: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "lrm": "\u{200E}", "rlm": "\u{200F}", "zwj": "\u{200D}", "zwnj": "\u{200C}",
        "shy": "\u{AD}", "copy": "©", "reg": "®", "trade": "™", "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
        "laquo": "«", "raquo": "»", "bull": "•", "middot": "·", "deg": "°", "iexcl": "¡", "iquest": "¿", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "sect": "§",
        "eacute": "é", "egrave": "è", "ecirc": "ê", "agrave": "à", "acirc": "â", "ccedil": "ç", "ocirc": "ô", "ucirc": "û", "icirc": "î", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "ntilde": "ñ", "aacute": "á", "iacute": "í", "oacute": "ó", "uacute": "ú", "aring": "å",
        "oslash": "ø", "aelig": "æ",
    ]
}
