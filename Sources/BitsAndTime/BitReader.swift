/// A bounded most-significant-bit-first cursor. Exp-Golomb codes by ITU-T H.264 §9.1 / H.265 §9.2.
///
/// The input is the RBSP: emulation-prevention bytes must be gone already.
package struct BitReader: Sendable {
    private let storage: ArraySlice<UInt8>
    private var position: Int
    private let end: Int
    package var context: String

    package init(_ bytes: ArraySlice<UInt8>, context: String = "") {
        storage = bytes
        position = 0
        end = bytes.count * 8
        self.context = context
    }

    package init(_ bytes: [UInt8], context: String = "") { self.init(bytes[...], context: context) }

    package var bitOffset: Int { position }
    package var bitsRemaining: Int { end - position }
    package var isByteAligned: Bool { position & 7 == 0 }

    /// Reads 0…64 bits.
    package mutating func readBits(_ count: Int) throws(ParseError) -> UInt64 {
        guard (0...64).contains(count), count <= bitsRemaining else {
            throw ParseError(.truncated, at: position / 8, in: context, "\(count) bits wanted, \(bitsRemaining) left")
        }
        if count <= Self.sureBits, let word {
            position += count
            return word >> UInt64(64 - count)
        }
        var value: UInt64 = 0
        var left = count
        while left > 0 {
            let byte = UInt64(storage[storage.startIndex + position / 8])
            let available = 8 - position % 8
            let taken = min(left, available)
            let bits = (byte >> UInt64(available - taken)) & ((1 << UInt64(taken)) - 1)
            value = value << UInt64(taken) | bits
            position += taken
            left -= taken
        }
        return value
    }

    /// Of the next eight bytes those bits that are there wherever in its first byte a value starts.
    private static let sureBits = 57

    /// The next ``sureBits`` and perhaps more from the top down; `nil` where eight bytes are no longer there.
    private var word: UInt64? {
        guard end - (position & ~7) >= 64 else { return nil }
        let byte = position / 8
        return storage.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: byte, as: UInt64.self)) } << UInt64(position & 7)
    }

    package mutating func readUInt(_ count: Int) throws(ParseError) -> UInt32 {
        guard count <= 32 else { throw ParseError(.malformed, at: position / 8, in: context, "\(count) bits into 32") }
        return UInt32(truncatingIfNeeded: try readBits(count))
    }

    package mutating func readFlag() throws(ParseError) -> Bool { try readBits(1) == 1 }

    package mutating func skipBits(_ count: Int) throws(ParseError) {
        guard count >= 0, count <= bitsRemaining else {
            throw ParseError(.truncated, at: position / 8, in: context, "\(count) bits to skip, \(bitsRemaining) left")
        }
        position += count
    }

    /// `ue(v)`, at most 32 leading zeros.
    package mutating func readUE() throws(ParseError) -> UInt32 {
        if let word, case let zeros = word.leadingZeroBitCount, 2 * zeros < Self.sureBits {
            position += 2 * zeros + 1
            return UInt32(truncatingIfNeeded: word >> UInt64(63 - 2 * zeros)) - 1
        }
        var zeros = 0
        while try !readFlag() {
            zeros += 1
            guard zeros <= 31 else {
                throw ParseError(.malformed, at: position / 8, in: context, "Exp-Golomb code with more than 31 leading zeros")
            }
        }
        return UInt32((UInt64(1) << UInt64(zeros)) - 1 + (try readBits(zeros)))
    }

    /// `se(v)`.
    package mutating func readSE() throws(ParseError) -> Int32 {
        let code = Int64(try readUE())
        return Int32(code & 1 == 1 ? (code + 1) / 2 : -(code / 2))
    }

    package mutating func alignToByte() throws(ParseError) { try skipBits((8 - position % 8) % 8) }
}
