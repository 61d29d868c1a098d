/// The head of an ASS or SSA script, as far as words need it: the canvas positions are given on, and the styles lines name.
///
/// Sections and keys are read whatever their capitals, lines whatever their ends; what is missing has the renderers' defaults.
/// Source: the SSA v4.00+ specification; the defaults of libass, which all players have come to share.
package struct ASSHead: Sendable, Hashable {
    package struct Style: Sendable, Hashable {
        package var style = StyledText.Style.plain
        package var alignment = TextPlacement.Alignment.bottom
        /// In units of the canvas, from the edge the line stands at.
        package var verticalMargin = 0.0
    }

    /// PlayResX and PlayResY; both above zero.
    package private(set) var width = 384.0
    package private(set) var height = 288.0
    /// `\n` is a line break, too (WrapStyle 2).
    package private(set) var breaksAtSoftBreaks = false
    private var styles: [String: Style] = [:]

    /// - Parameter text: Script info and styles; events behind them are passed over.
    package init(_ text: String) {
        var section = Section.other
        var columns: [String] = []
        var (x, y): (Double?, Double?)
        for whole in TextLines(text) {
            let line = whole.filter { $0 != 0 }[...].trimmed
            if line.first == UInt8(ascii: "[") {
                section = Section(line)
                columns = section == .legacyStyles ? Self.legacyColumns : Self.columns
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let (key, value) = (line[..<colon].trimmed, line[(colon + 1)...].trimmed)
            switch section {
            case .info:
                if key.isWord("PlayResX") { x = value.number } else if key.isWord("PlayResY") { y = value.number }
                if key.isWord("WrapStyle") { breaksAtSoftBreaks = value.decimal() == 2 }
            case .styles, .legacyStyles:
                if key.isWord("Format") {
                    columns = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { $0.trimmed.string.lowercased() }
                } else if key.isWord("Style") {
                    add(value, columns, isLegacy: section == .legacyStyles)
                }
            case .other: break
            }
        }
        (width, height) = Self.canvas(x, y)
    }

    /// The style of that name, else the script's default one, else the format's.
    package func style(_ name: String) -> Style { styles[Self.key(name)] ?? styles["default"] ?? Style() }

    /// Whether the script has a style of that name.
    package func hasStyle(_ name: String) -> Bool { styles[Self.key(name)] != nil }

    private enum Section {
        case info, styles, legacyStyles, other

        init(_ line: ArraySlice<UInt8>) {
            if line.isWord("[Script Info]") { self = .info } else if line.isWord("[V4+ Styles]") || line.isWord("[V4 Styles+]") { self = .styles } else {
                self = line.isWord("[V4 Styles]") ? .legacyStyles : .other
            }
        }
    }

    private static let columns = [
        "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour", "backcolour", "bold", "italic", "underline", "strikeout", "scalex", "scaley",
        "spacing", "angle", "borderstyle", "outline", "shadow", "alignment", "marginl", "marginr", "marginv", "encoding",
    ]
    private static let legacyColumns = [
        "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "tertiarycolour", "backcolour", "bold", "italic", "borderstyle", "outline", "shadow", "alignment",
        "marginl", "marginr", "marginv", "alphalevel", "encoding",
    ]

    /// Names are compared without capitals, and without the star some tools mark a default with.
    private static func key(_ name: String) -> String {
        var bytes = Array(name.utf8)[...].trimmed
        while bytes.first == UInt8(ascii: "*") { bytes.removeFirst() }
        return bytes.string.lowercased()
    }

    private mutating func add(_ value: ArraySlice<UInt8>, _ columns: [String], isLegacy: Bool) {
        let fields = value.split(separator: UInt8(ascii: ","), maxSplits: 63, omittingEmptySubsequences: false).map(\.trimmed)
        var style = Style()
        var name: String?
        for (column, field) in zip(columns, fields) {
            // Minus one is true; some tools write one.
            let isSet = field.number.map { $0 != 0 } ?? false
            switch column {
            case "name": name = field.string
            case "bold": style.style.isBold = isSet
            case "italic": style.style.isItalic = isSet
            case "underline": style.style.isUnderlined = isSet
            case "strikeout": style.style.isStruckThrough = isSet
            case "alignment":
                guard let number = field.decimal() else { break }
                if let alignment = isLegacy ? TextPlacement.Alignment(legacy: number) : TextPlacement.Alignment(rawValue: number) { style.alignment = alignment }
            case "marginv": style.verticalMargin = field.number ?? 0
            default: break
            }
        }
        if let name { styles[Self.key(name)] = style }
    }

    /// One given side makes a 4:3 canvas, except for the pair that SSA's own editor wrote.
    private static func canvas(_ x: Double?, _ y: Double?) -> (Double, Double) {
        let (x, y) = (x.flatMap { $0 > 0 ? $0 : nil }, y.flatMap { $0 > 0 ? $0 : nil })
        switch (x, y) {
        case (let x?, let y?): return (x, y)
        case (let x?, nil): return (x, x == 1280 ? 1024 : x * 3 / 4)
        case (nil, let y?): return (y == 1024 ? 1280 : y * 4 / 3, y)
        case (nil, nil): return (384, 288)
        }
    }
}

extension TextPlacement.Alignment {
    /// SSA's numbers, which `\a` has to this day: 1 left, 2 centre, 3 right; and 4 for the top, 8 for the middle.
    package init?(legacy number: Int) {
        guard (1...11).contains(number), case let column = number & 3, column > 0 else { return nil }
        self.init(rawValue: column + (number & 4 != 0 ? 6 : number & 8 != 0 ? 3 : 0))
    }
}
