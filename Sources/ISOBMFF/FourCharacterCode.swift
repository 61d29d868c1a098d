/// A box type or brand: four bytes, printed as text where they are text (ISO/IEC 14496-12 §4.2).
package struct FourCharacterCode: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// A literal of exactly four ASCII characters; anything else is a mistake of ours.
    package init(stringLiteral value: StaticString) {
        precondition(value.utf8CodeUnitCount == 4, "a four-character code has four characters")
        rawValue = value.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Four bytes of text from elsewhere; `nil` for another length.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 4 else { return nil }
        rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    package var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> UInt32(24 - 8 * $0)) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 }) else { return "0x" + String(rawValue, radix: 16) }
        return String(bytes.map { Character(Unicode.Scalar($0)) })
    }
}
