internal import BitsAndTime

/// One code of a DTVCC service: a character, or a command with its parameters (CTA-708-E §7, §8.10).
enum CEA708Code: Sendable, Hashable {
    case character(Unicode.Scalar)
    /// A UTF-16 code unit: half of a character.
    case surrogate(UInt16)
    // C0
    case endOfText, backspace, formFeed, carriageReturn, horizontalCarriageReturn
    // C1. Windows are bits of a byte, the lowest is window 0.
    case setCurrentWindow(Int)
    case clearWindows(UInt8), displayWindows(UInt8), hideWindows(UInt8), toggleWindows(UInt8), deleteWindows(UInt8)
    /// Tenths of a second.
    case delay(UInt8)
    case delayCancel, reset
    case setPenAttributes(isItalic: Bool, isUnderlined: Bool)
    case setPenColour(CEA708Pen.Colour)
    case setPenLocation(row: Int, column: Int)
    case setWindowAttributes(CEA708WindowAttributes)
    case defineWindow(Int, CEA708WindowDefinition)
    /// Nothing, or nothing that is known; its parameters are passed over.
    case other

    /// Reads the code at the front.
    ///
    /// - Returns: `nil` where its parameters are not all there yet, else how many bytes it took.
    static func read(_ bytes: ArraySlice<UInt8>) -> (code: CEA708Code, byteCount: Int)? {
        guard let first = bytes.first else { return nil }
        guard first == 0x10 else {
            let count = parameterCount(first)
            guard bytes.count > count else { return nil }
            return (code(first, Array(bytes.dropFirst().prefix(count))), 1 + count)
        }
        return extended(bytes.dropFirst()).map { ($0.code, $0.byteCount + 1) }
    }

    /// Bytes that follow a code of C0, G0, C1 or G1.
    private static func parameterCount(_ code: UInt8) -> Int {
        switch code {
        case 0x11...0x17: 1
        case 0x18...0x1F: 2
        case 0x88...0x8D: 1
        case 0x90, 0x92: 2
        case 0x91: 3
        case 0x97: 4
        case 0x98...0x9F: 6
        default: 0
        }
    }

    private static func code(_ code: UInt8, _ parameters: [UInt8]) -> CEA708Code {
        switch code {
        case 0x03: .endOfText
        case 0x08: .backspace
        case 0x0C: .formFeed
        case 0x0D: .carriageReturn
        case 0x0E: .horizontalCarriageReturn
        case 0x18: unicode(UInt16(parameters[0]) << 8 | UInt16(parameters[1]))
        case 0x20...0x7F: .character(CEA708Characters.g0(code))
        case 0x80...0x87: .setCurrentWindow(Int(code & 7))
        case 0x88: .clearWindows(parameters[0])
        case 0x89: .displayWindows(parameters[0])
        case 0x8A: .hideWindows(parameters[0])
        case 0x8B: .toggleWindows(parameters[0])
        case 0x8C: .deleteWindows(parameters[0])
        case 0x8D: .delay(parameters[0])
        case 0x8E: .delayCancel
        case 0x8F: .reset
        case 0x90: .setPenAttributes(isItalic: parameters[1] & 0x80 != 0, isUnderlined: parameters[1] & 0x40 != 0)
        case 0x91: .setPenColour(CEA708Pen.Colour(parameters[0]))
        case 0x92: .setPenLocation(row: Int(parameters[0] & 0x0F), column: Int(parameters[1] & 0x3F))
        case 0x97: .setWindowAttributes(CEA708WindowAttributes(parameters))
        case 0x98...0x9F: .defineWindow(Int(code & 7), CEA708WindowDefinition(parameters))
        case 0xA0...0xFF: .character(CEA708Characters.g1(code))
        default: .other
        }
    }

    private static func unicode(_ unit: UInt16) -> CEA708Code {
        guard let scalar = Unicode.Scalar(unit) else { return .surrogate(unit) }
        return CEA708Characters.isText(scalar) ? .character(scalar) : .other
    }

    /// C2, C3, G2 and G3, behind EXT1.
    private static func extended(_ bytes: ArraySlice<UInt8>) -> (code: CEA708Code, byteCount: Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x20...0x7F: return (.character(CEA708Characters.g2(first)), 1)
        case 0xA0...0xFF: return (.character(CEA708Characters.g3(first)), 1)
        case 0x90...0x9F:
            // Of variable length, which the low bits of the next byte say.
            guard let length = bytes.dropFirst().first else { return nil }
            let count = 2 + Int(length & 0x1F)
            return bytes.count >= count ? (.other, count) : nil
        default:
            let count = 1 + (first < 0x20 ? Int(first >> 3) : first < 0x88 ? 4 : 5)
            return bytes.count >= count ? (.other, count) : nil
        }
    }
}
