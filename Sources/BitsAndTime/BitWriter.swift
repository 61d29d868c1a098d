/// A most-significant-bit-first bit buffer: the writing twin of ``BitReader``.
package struct BitWriter: Sendable {
    private var storage: [UInt8] = []
    /// Bits that do not fill a byte yet, 0…7 of them, lowest in the word; what lies above them is done with.
    private var pending: UInt64 = 0
    private var pendingCount = 0

    package init(reservingCapacity byteCount: Int = 0) { storage.reserveCapacity(byteCount) }

    package var bitCount: Int { storage.count * 8 + pendingCount }
    /// What was written, the last byte padded with zero bits.
    package var bytes: [UInt8] { pendingCount == 0 ? storage : storage + [UInt8(truncatingIfNeeded: pending << UInt64(8 - pendingCount))] }

    /// Writes the low `count` (0…64) bits of `value`.
    package mutating func writeBits(_ value: UInt64, _ count: Int) {
        precondition((0...64).contains(count))
        if count > 56 {
            writeBits(value >> 32, count - 32)
            writeBits(value, 32)
            return
        }
        pending = pending << UInt64(count) | value & ((1 << UInt64(count)) - 1)
        pendingCount += count
        while pendingCount >= 8 {
            pendingCount -= 8
            storage.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
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

    package mutating func alignToByte() { writeBits(0 as UInt64, (8 - pendingCount) % 8) }
}
