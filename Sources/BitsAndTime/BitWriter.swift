/// A most-significant-bit-first bit buffer: the writing twin of ``BitReader``.
package struct BitWriter: Sendable {
    private var storage: [UInt8] = []
    private var bitsInLast = 8

    package init() {}

    package var bitCount: Int { storage.count * 8 - (8 - bitsInLast) }
    /// What was written, the last byte padded with zero bits.
    package var bytes: [UInt8] { storage }

    /// Writes the low `count` (0…64) bits of `value`.
    package mutating func writeBits(_ value: UInt64, _ count: Int) {
        precondition((0...64).contains(count))
        var left = count
        while left > 0 {
            if bitsInLast == 8 { storage.append(0); bitsInLast = 0 }
            let taken = min(left, 8 - bitsInLast)
            let bits = UInt8(truncatingIfNeeded: (value >> UInt64(left - taken)) & ((1 << UInt64(taken)) - 1))
            storage[storage.count - 1] |= bits << UInt8(8 - bitsInLast - taken)
            bitsInLast += taken
            left -= taken
        }
    }

    package mutating func writeBits(_ value: some BinaryInteger, _ count: Int) { writeBits(UInt64(truncatingIfNeeded: value), count) }
    package mutating func writeFlag(_ value: Bool) { writeBits(value ? 1 : 0 as UInt64, 1) }

    /// `ue(v)`.
    package mutating func writeUE(_ value: UInt32) {
        let code = UInt64(value) + 1
        let length = 64 - code.leadingZeroBitCount
        writeBits(0 as UInt64, length - 1)
        writeBits(code, length)
    }

    /// `se(v)`.
    package mutating func writeSE(_ value: Int32) {
        let wide = Int64(value)
        writeUE(UInt32(truncatingIfNeeded: wide > 0 ? 2 * wide - 1 : -2 * wide))
    }

    package mutating func alignToByte() { bitsInLast = 8 }
}
