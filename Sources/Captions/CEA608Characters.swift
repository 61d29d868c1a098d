/// The character sets of CEA-608 (47 CFR 15.119 (g), CTA-608-E).
enum CEA608Characters {
    /// A byte of 20…7F: ASCII with ten of its places given to other letters.
    static func basic(_ code: UInt8) -> Unicode.Scalar? {
        switch code {
        case 0x27: "\u{2019}"
        case 0x2A: "á"
        case 0x5C: "é"
        case 0x5E: "í"
        case 0x5F: "ó"
        case 0x60: "ú"
        case 0x7B: "ç"
        case 0x7C: "÷"
        case 0x7D: "Ñ"
        case 0x7E: "ñ"
        case 0x7F: solidBlock
        case 0x20..<0x7F: Unicode.Scalar(code)
        default: nil
        }
    }

    /// What stands for a character whose parity is wrong, too (15.119 (g)).
    static let solidBlock: Unicode.Scalar = "\u{2588}"

    /// 11 30…3F. 39 is the transparent space.
    static let special: [Unicode.Scalar] = ["®", "°", "½", "¿", "™", "¢", "£", "♪", "à", "\u{A0}", "è", "â", "ê", "î", "ô", "û"]

    /// 12 20…3F: Spanish, miscellaneous, French.
    static let spanishAndFrench: [Unicode.Scalar] = [
        "Á", "É", "Ó", "Ú", "Ü", "ü", "\u{2018}", "¡", "*", "'", "—", "©", "℠", "•", "\u{201C}", "\u{201D}",
        "À", "Â", "Ç", "È", "Ê", "Ë", "ë", "Î", "Ï", "ï", "Ô", "Ù", "ù", "Û", "«", "»",
    ]

    /// 13 20…3F: Portuguese, German, Danish, and the corners of a frame.
    static let portugueseGermanAndDanish: [Unicode.Scalar] = [
        "Ã", "ã", "Í", "Ì", "ì", "Ò", "ò", "Õ", "õ", "{", "}", "\\", "^", "_", "|", "~",
        "Ä", "ä", "Ö", "ö", "ß", "¥", "¤", "│", "Å", "å", "Ø", "ø", "┌", "┐", "└", "┘",
    ]
}
