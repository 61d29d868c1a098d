internal import TimedText

/// How the characters written next look (CTA-708-E §8.5).
struct CEA708Pen: Sendable, Hashable {
    /// Two bits each of opacity, red, green and blue.
    struct Colour: Sendable, Hashable {
        let bits: UInt8

        init(_ bits: UInt8) { self.bits = bits }

        static let white = Colour(0x3F)

        /// Opacity 3: not to be seen at all.
        var isTransparent: Bool { bits >> 6 == 3 }

        /// White is what captions are anyway, and black is on the black that players put behind text not to be seen: the viewer's own.
        var colour: StyledText.Colour? {
            let value = bits & 0x3F
            guard value != 0x3F, value != 0 else { return nil }
            return StyledText.Colour(red: (value >> 4) * 0x55, green: (value >> 2 & 3) * 0x55, blue: (value & 3) * 0x55)
        }
    }

    var isItalic = false
    var isUnderlined = false
    var colour = Colour.white

    /// The predefined pen styles 1…7 differ in fonts and edges only: each is this one.
    static let standard = CEA708Pen()

    var style: StyledText.Style { StyledText.Style(isItalic: isItalic, isUnderlined: isUnderlined, colour: colour.colour) }
}
