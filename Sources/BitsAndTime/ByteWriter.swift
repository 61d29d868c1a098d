/// A growing big-endian byte buffer: the writing twin of ``ByteReader``.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { bytes.count }

    package mutating func write(_ value: UInt8) { bytes.append(value) }
    package mutating func write(_ value: UInt16) { writeInteger(UInt64(value), byteCount: 2) }
    package mutating func write(_ value: UInt32) { writeInteger(UInt64(value), byteCount: 4) }
    package mutating func write(_ value: UInt64) { writeInteger(value, byteCount: 8) }
    package mutating func write(_ value: Int16) { write(UInt16(bitPattern: value)) }
    package mutating func write(_ value: Int32) { write(UInt32(bitPattern: value)) }
    package mutating func write(_ value: Int64) { write(UInt64(bitPattern: value)) }

    /// Writes the low `byteCount` bytes of `value`, most significant first.
    package mutating func writeInteger(_ value: UInt64, byteCount: Int) {
        precondition((1...8).contains(byteCount))
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    package mutating func write(contentsOf other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }
    package mutating func write(ascii text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
    package mutating func writeZeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

    /// Overwrites four bytes written earlier, for sizes known only afterwards.
    package mutating func patchUInt32(_ value: UInt32, at offset: Int) {
        precondition(offset >= 0 && offset + 4 <= bytes.count)
        for i in 0..<4 { bytes[offset + i] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * i)) }
    }
}
