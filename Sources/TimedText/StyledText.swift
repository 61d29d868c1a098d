/// The words of a cue with what WebVTT and a host can show of their style: runs of text, each in one style.
///
/// Line feeds separate lines; there are no other control characters. The text is plain: nothing in it is markup, whatever it looks like.
package struct StyledText: Sendable, Hashable {
    package struct Style: Sendable, Hashable {
        package var isBold = false
        package var isItalic = false
        package var isUnderlined = false
        package var isStruckThrough = false
        /// `nil`: the viewer's own.
        package var colour: Colour?

        package static let plain = Style()

        package init(isBold: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false, isStruckThrough: Bool = false, colour: Colour? = nil) {
            self.isBold = isBold
            self.isItalic = isItalic
            self.isUnderlined = isUnderlined
            self.isStruckThrough = isStruckThrough
            self.colour = colour
        }
    }

    /// sRGB, 8 bits each.
    package struct Colour: Sendable, Hashable {
        package let red: UInt8
        package let green: UInt8
        package let blue: UInt8

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }
    }

    package struct Run: Sendable, Hashable {
        package var text: String
        package var style: Style

        package init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    /// None is empty, and no two neighbours have the same style.
    package private(set) var runs: [Run] = []

    package init() {}

    package init(_ text: String, _ style: Style = .plain) { append(text, style) }

    /// Adds text behind what is there.
    package mutating func append(_ text: String, _ style: Style = .plain) {
        guard !text.isEmpty else { return }
        if let last = runs.indices.last, runs[last].style == style { runs[last].text += text } else { runs.append(Run(text, style)) }
    }

    /// The words alone.
    package var plain: String { runs.map(\.text).joined() }
    package var isEmpty: Bool { runs.isEmpty }
}
