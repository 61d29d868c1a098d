/// The code sets of DTVCC (CTA-708-E §7).
enum CEA708Characters {
    /// 20…7F: ASCII, but for a note in the last place.
    static func g0(_ code: UInt8) -> Unicode.Scalar { code == 0x7F ? "♪" : Unicode.Scalar(code) }

    /// A0…FF: ISO 8859-1.
    static func g1(_ code: UInt8) -> Unicode.Scalar { Unicode.Scalar(code) }

    /// 20…7F behind EXT1. What has no character there is shown as an underscore.
    static func g2(_ code: UInt8) -> Unicode.Scalar {
        switch code {
        // Transparent spaces: text is not seen through here.
        case 0x20, 0x21: "\u{A0}"
        case 0x25: "…"
        case 0x2A: "Š"
        case 0x2C: "Œ"
        case 0x30: "█"
        case 0x31: "\u{2018}"
        case 0x32: "\u{2019}"
        case 0x33: "\u{201C}"
        case 0x34: "\u{201D}"
        case 0x35: "•"
        case 0x39: "™"
        case 0x3A: "š"
        case 0x3C: "œ"
        case 0x3D: "℠"
        case 0x3F: "Ÿ"
        case 0x76: "⅛"
        case 0x77: "⅜"
        case 0x78: "⅝"
        case 0x79: "⅞"
        case 0x7A: "│"
        case 0x7B: "┐"
        case 0x7C: "└"
        case 0x7D: "─"
        case 0x7E: "┘"
        case 0x7F: "┌"
        default: "_"
        }
    }

    /// A0…FF behind EXT1: A0 is the mark of closed captions, the rest has no character.
    static func g3(_ code: UInt8) -> Unicode.Scalar { code == 0xA0 ? "㏄" : "_" }

    /// Whether a scalar of P16 may be text. Controls and separators of lines would be more than a character.
    static func isText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: scalar != "\u{FEFF}"
        }
    }
}
