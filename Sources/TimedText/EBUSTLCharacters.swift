/// The character tables of EBU STL: what the bytes from 20 on of a text field are.
///
/// Source: EBU Tech 3264, appendix 2: ISO 6937 (1983), ISO 8859-5, -6, -7 and -8.
package struct EBUSTLCharacters: Sendable {
    package enum Table: String, Sendable { case latin = "00", cyrillic = "01", arabic = "02", greek = "03", hebrew = "04" }

    private let table: Table
    /// A diacritic of ISO 6937 stands in front of its letter.
    private var mark: Unicode.Scalar?

    package init(_ table: Table) { self.table = table }

    /// - Parameter byte: 20…7E or A0…FF.
    /// - Returns: `nil` where more has to come, or for a byte the table leaves free.
    package mutating func character(_ byte: UInt8) -> String? {
        if table == .latin, let diacritic = Self.diacritics[byte] {
            mark = diacritic
            return nil
        }
        guard let scalar = Self.scalar(byte, table) else {
            mark = nil
            return nil
        }
        guard let diacritic = mark else { return String(Character(scalar)) }
        mark = nil
        // A mark over a space stands alone.
        if scalar == " " { return Self.alone[diacritic] ?? " " }
        var text = String.UnicodeScalarView()
        text.append(scalar)
        text.append(diacritic)
        // Equal strings hash alike however they are composed.
        return Self.composed[String(text)] ?? String(text)
    }

    private static let diacritics: [UInt8: Unicode.Scalar] = [
        0xC1: "\u{300}", 0xC2: "\u{301}", 0xC3: "\u{302}", 0xC4: "\u{303}", 0xC5: "\u{304}", 0xC6: "\u{306}", 0xC7: "\u{307}", 0xC8: "\u{308}", 0xC9: "\u{308}",
        0xCA: "\u{30A}", 0xCB: "\u{327}", 0xCC: "\u{332}", 0xCD: "\u{30B}", 0xCE: "\u{328}", 0xCF: "\u{30C}",
    ]
    private static let alone: [Unicode.Scalar: String] = [
        "\u{300}": "`", "\u{301}": "´", "\u{302}": "^", "\u{303}": "~", "\u{304}": "¯", "\u{306}": "˘", "\u{307}": "˙", "\u{308}": "¨", "\u{30A}": "˚", "\u{327}": "¸",
        "\u{332}": "_", "\u{30B}": "˝", "\u{328}": "˛", "\u{30C}": "ˇ",
    ]
    private static let composed: [String: String] = {
        var table: [String: String] = [:]
        for value in [0xC0...0x17F, 0x1CD...0x1DC, 0x1E6...0x1F5, 0x1E00...0x1EF9].joined() {
            if let scalar = Unicode.Scalar(value) { table[String(Character(scalar))] = String(Character(scalar)) }
        }
        return table
    }()

    private static func scalar(_ byte: UInt8, _ table: Table) -> Unicode.Scalar? {
        if byte < 0x7F { return table == .latin && byte == 0x24 ? "¤" : Unicode.Scalar(byte) }
        guard byte >= 0xA0 else { return nil }
        if byte == 0xA0 { return " " }
        let value = UInt32(byte)
        switch table {
        case .latin:
            let character = latin[Int(byte - 0xA0)]
            return character == " " ? nil : character
        case .cyrillic:
            switch byte {
            case 0xAD: return "\u{AD}"
            case 0xF0: return "№"
            case 0xFD: return "§"
            case 0xA1...0xEF: return Unicode.Scalar(value - 0xA0 + 0x400)
            default: return Unicode.Scalar(value - 0xF0 + 0x450)
            }
        case .arabic:
            switch byte {
            case 0xA4, 0xAD: return Unicode.Scalar(value)
            case 0xAC, 0xBB, 0xBF, 0xC1...0xDA, 0xE0...0xF2: return Unicode.Scalar(value - 0xA0 + 0x600)
            default: return nil
            }
        case .greek:
            switch byte {
            case 0xA1: return "‘"
            case 0xA2: return "’"
            case 0xA4: return "€"
            case 0xA5: return "₯"
            case 0xAA: return "\u{37A}"
            case 0xAF: return "―"
            case 0xA3, 0xA6...0xA9, 0xAB...0xAD, 0xB0...0xB3, 0xB7, 0xBB, 0xBD: return Unicode.Scalar(value)
            case 0xAE, 0xD2, 0xFF: return nil
            default: return Unicode.Scalar(value - 0xB4 + 0x384)
            }
        case .hebrew:
            switch byte {
            case 0xAA: return "×"
            case 0xBA: return "÷"
            case 0xDF: return "‗"
            case 0xFD: return "\u{200E}"
            case 0xFE: return "\u{200F}"
            case 0xE0...0xFA: return Unicode.Scalar(value - 0xE0 + 0x5D0)
            case 0xA2...0xBE: return Unicode.Scalar(value)
            default: return nil
            }
        }
    }

    /// A0…FF; a space is a place left free.
    private static let latin: [Unicode.Scalar] = Array(
        (" ¡¢£$¥#§¤‘“«←↑→↓" + "°±²³×µ¶·÷’”»¼½¾¿" + "                " + "―¹®©™♪¬¦    ⅛⅜⅝⅞" + "ΩÆĐªĦ ĲĿŁØŒºÞŦŊŉ" + "ĸæđðħıĳŀłøœßþŧŋ\u{AD}").unicodeScalars)
}
