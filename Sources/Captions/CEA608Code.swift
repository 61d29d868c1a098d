internal import TimedText

/// A byte pair of CEA-608 whose first byte is 10…1F, without the bit of its data channel (47 CFR 15.119, CTA-608-E).
enum CEA608Code: Sendable, Hashable {
    /// Miscellaneous control codes: the second byte.
    enum Command: UInt8, Sendable, Hashable, CaseIterable {
        case resumeCaptionLoading = 0x20
        case backspace
        case alarmOff, alarmOn
        case deleteToEndOfRow
        case rollUp2, rollUp3, rollUp4
        case flashOn
        case resumeDirectCaptioning
        case textRestart, resumeTextDisplay
        case eraseDisplayedMemory
        case carriageReturn
        case eraseNondisplayedMemory
        case endOfCaption
    }

    /// White, green, blue, cyan, red, yellow, magenta.
    enum Colour: UInt8, Sendable, Hashable, CaseIterable {
        case white, green, blue, cyan, red, yellow, magenta

        /// White is what captions are anyway: the viewer's own.
        var colour: StyledText.Colour? {
            switch self {
            case .white: nil
            case .green: .init(red: 0, green: 0xFF, blue: 0)
            case .blue: .init(red: 0, green: 0, blue: 0xFF)
            case .cyan: .init(red: 0, green: 0xFF, blue: 0xFF)
            case .red: .init(red: 0xFF, green: 0, blue: 0)
            case .yellow: .init(red: 0xFF, green: 0xFF, blue: 0)
            case .magenta: .init(red: 0xFF, green: 0, blue: 0xFF)
            }
        }
    }

    case command(Command)
    /// A preamble address code: a row of 0…14, an indent in columns, and the style of what follows.
    case preamble(row: Int, indent: Int, colour: Colour, isItalic: Bool, isUnderlined: Bool)
    /// `nil`: italics, in the colour there is.
    case midRow(Colour?, isUnderlined: Bool)
    /// Of the text's background, which the text's styles here do not have.
    case background
    /// Black text would not be seen on the black that players put behind text: its colour is the viewer's own.
    case blackForeground(isUnderlined: Bool)
    case tabOffset(Int)
    case special(Unicode.Scalar)
    /// Takes the place of the character before it, which is there for receivers that lack it.
    case extended(Unicode.Scalar)
    /// Character sets of other countries, and codes nobody gave a meaning.
    case unknown

    /// By the first byte's low three bits and the second's bit 5.
    private static let rows: [[Int?]] = [[10, nil], [0, 1], [2, 3], [11, 12], [13, 14], [4, 5], [6, 7], [8, 9]]

    /// - Parameters:
    ///   - first: 10…1F, without parity; 15 means the same as 14, as it does in the second field.
    ///   - second: Without parity.
    init(_ first: UInt8, _ second: UInt8) {
        let isUnderlined = second & 1 == 1
        switch (first & 0x07, second) {
        case (let group, 0x40...0x7F):
            guard let row = Self.rows[Int(group)][Int(second >> 5 & 1)] else {
                self = .unknown
                return
            }
            let attribute = second >> 1 & 0x0F
            let colour = Colour(rawValue: attribute) ?? .white
            let indent = attribute >= 8 ? Int(attribute - 8) * 4 : 0
            self = .preamble(row: row, indent: indent, colour: colour, isItalic: attribute == 7, isUnderlined: isUnderlined)
        case (4, 0x20...0x2F), (5, 0x20...0x2F): self = Command(rawValue: second).map { .command($0) } ?? .unknown
        case (1, 0x20...0x2F): self = .midRow(Colour(rawValue: second >> 1 & 7), isUnderlined: isUnderlined)
        case (1, 0x30...0x3F): self = .special(CEA608Characters.special[Int(second - 0x30)])
        case (2, 0x20...0x3F): self = .extended(CEA608Characters.spanishAndFrench[Int(second - 0x20)])
        case (3, 0x20...0x3F): self = .extended(CEA608Characters.portugueseGermanAndDanish[Int(second - 0x20)])
        case (0, 0x20...0x2F), (7, 0x2D): self = .background
        case (7, 0x21...0x23): self = .tabOffset(Int(second - 0x20))
        case (7, 0x2E), (7, 0x2F): self = .blackForeground(isUnderlined: isUnderlined)
        default: self = .unknown
        }
    }
}
