/// Style properties of TTML that words keep; `nil` where an element does not say.
///
/// Source: W3C TTML2, clause 10.2; IMSC 1.1 text profile; EBU Tech 3380.
struct TTMLStyle {
    enum TextAlign { case left, centre, right }
    enum DisplayAlign { case before, centre, after }

    var isBold: Bool?
    var isItalic: Bool?
    var isUnderlined: Bool?
    var isStruckThrough: Bool?
    var colour: StyledText.Colour?
    var isHidden: Bool?
    var isRemoved: Bool?
    var textAlign: TextAlign?
    var displayAlign: DisplayAlign?
    var origin: String?
    var extent: String?
    var preservesSpace: Bool?

    init() {}

    init(_ attributes: XMLEvents.Attributes) {
        for (name, value) in attributes.items {
            switch name.split(separator: ":").last.map(String.init) ?? name {
            case "fontWeight": isBold = value == "bold"
            case "fontStyle": isItalic = value == "italic" || value == "oblique"
            case "textDecoration":
                for word in value.split(separator: " ") {
                    switch word {
                    case "none": (isUnderlined, isStruckThrough) = (false, false)
                    case "underline": isUnderlined = true
                    case "noUnderline": isUnderlined = false
                    case "lineThrough": isStruckThrough = true
                    case "noLineThrough": isStruckThrough = false
                    default: break
                    }
                }
            case "color": colour = Self.colour(value) ?? colour
            case "visibility": isHidden = value == "hidden"
            case "display": isRemoved = value == "none"
            case "textAlign":
                switch value {
                case "left", "start": textAlign = .left
                case "center": textAlign = .centre
                case "right", "end": textAlign = .right
                default: break
                }
            case "displayAlign":
                switch value {
                case "before": displayAlign = .before
                case "center": displayAlign = .centre
                case "after": displayAlign = .after
                default: break
                }
            case "origin": origin = value
            case "extent": extent = value
            case "space" where name.hasPrefix("xml"): preservesSpace = value == "preserve"
            default: break
            }
        }
    }

    /// What the other one says wins over what is here.
    mutating func take(_ other: TTMLStyle) {
        isBold = other.isBold ?? isBold
        isItalic = other.isItalic ?? isItalic
        isUnderlined = other.isUnderlined ?? isUnderlined
        isStruckThrough = other.isStruckThrough ?? isStruckThrough
        colour = other.colour ?? colour
        isHidden = other.isHidden ?? isHidden
        isRemoved = other.isRemoved ?? isRemoved
        textAlign = other.textAlign ?? textAlign
        displayAlign = other.displayAlign ?? displayAlign
        origin = other.origin ?? origin
        extent = other.extent ?? extent
        preservesSpace = other.preservesSpace ?? preservesSpace
    }

    /// What children have of it.
    var inherited: TTMLStyle {
        var style = self
        (style.displayAlign, style.origin, style.extent) = (nil, nil, nil)
        return style
    }

    var words: StyledText.Style {
        StyledText.Style(
            isBold: isBold ?? false, isItalic: isItalic ?? false, isUnderlined: isUnderlined ?? false, isStruckThrough: isStruckThrough ?? false, colour: colour)
    }

    private static let named: [String: (UInt8, UInt8, UInt8)] = [
        "white": (255, 255, 255), "black": (0, 0, 0), "silver": (192, 192, 192), "gray": (128, 128, 128), "maroon": (128, 0, 0), "red": (255, 0, 0),
        "purple": (128, 0, 128), "fuchsia": (255, 0, 255), "magenta": (255, 0, 255), "green": (0, 128, 0), "lime": (0, 255, 0), "olive": (128, 128, 0),
        "yellow": (255, 255, 0), "navy": (0, 0, 128), "blue": (0, 0, 255), "teal": (0, 128, 128), "aqua": (0, 255, 255), "cyan": (0, 255, 255),
    ]

    /// Its transparency is not kept.
    private static func colour(_ text: String) -> StyledText.Colour? {
        let lower = text.lowercased()
        if let (red, green, blue) = named[lower] { return .init(red: red, green: green, blue: blue) }
        if lower.hasPrefix("#"), lower.utf8.count == 7 || lower.utf8.count == 9, let value = UInt32(lower.dropFirst().prefix(6), radix: 16) {
            return .init(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
        }
        guard lower.hasPrefix("rgb"), let open = lower.firstIndex(of: "("), let close = lower.firstIndex(of: ")"), open < close else { return nil }
        let parts = lower[lower.index(after: open)..<close].split(separator: ",").map { Int($0.filter { $0 != " " }) }
        guard parts.count >= 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
        return .init(red: UInt8(clamping: red), green: UInt8(clamping: green), blue: UInt8(clamping: blue))
    }
}
