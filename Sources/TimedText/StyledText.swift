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
        /// Of a face the source names; `nil`: the viewer's own.
        package var fontName: String?
        /// In units of the source's own canvas; `nil`: the viewer's own.
        package var fontSize: Double?

        package static let plain = Style()

        package init(
            isBold: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false, isStruckThrough: Bool = false, colour: Colour? = nil, fontName: String? = nil,
            fontSize: Double? = nil
        ) {
            self.isBold = isBold
            self.isItalic = isItalic
            self.isUnderlined = isUnderlined
            self.isStruckThrough = isStruckThrough
            self.colour = colour
            self.fontName = fontName
            self.fontSize = fontSize
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

    package mutating func append(_ other: StyledText) {
        for run in other.runs { append(run.text, run.style) }
    }

    /// Without the white space and line feeds at both ends; what is nothing else becomes empty.
    package var trimmed: StyledText {
        var runs = runs
        while let text = runs.first?.text {
            let kept = text.unicodeScalars.drop { $0.properties.isWhitespace && $0 != "\u{A0}" }
            if kept.isEmpty { runs.removeFirst() } else {
                runs[0].text = String(Substring(kept))
                break
            }
        }
        while let text = runs.last?.text {
            var kept = text.unicodeScalars[...]
            while let scalar = kept.last, scalar.properties.isWhitespace, scalar != "\u{A0}" { kept.removeLast() }
            if kept.isEmpty { runs.removeLast() } else {
                runs[runs.count - 1].text = String(Substring(kept))
                break
            }
        }
        var result = StyledText()
        for run in runs { result.append(run.text, run.style) }
        return result
    }

    /// Without control characters other than line feeds and tabs.
    var withoutControls: StyledText {
        var result = StyledText()
        for run in runs {
            let kept = run.text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t" }
            result.append(String(String.UnicodeScalarView(kept)), run.style)
        }
        return result
    }

    /// Whether there is nothing to see: no text, or white space only.
    package var isBlank: Bool { runs.allSatisfy { $0.text.unicodeScalars.allSatisfy(\.properties.isWhitespace) } }

    /// The words alone.
    package var plain: String { runs.map(\.text).joined() }
    package var isEmpty: Bool { runs.isEmpty }
}
