/// A bounded, big-endian cursor over bytes from outside. Never traps: each read either succeeds whole or throws.
///
/// Value type over shared storage, so a copy is a cheap look-ahead.
package struct ByteReader: Sendable {
    private let storage: ArraySlice<UInt8>
    private var index: Int
    /// What errors name as their place.
    package var context: String

    package init(_ bytes: [UInt8], context: String = "") {
        self.init(bytes[...], context: context)
    }

    package init(_ bytes: ArraySlice<UInt8>, context: String = "") {
        storage = bytes
        index = bytes.startIndex
        self.context = context
    }

    /// Bytes read so far, from the start of this reader's input.
    package var offset: Int { index - storage.startIndex }
    package var remaining: Int { storage.endIndex - index }
    package var isAtEnd: Bool { index == storage.endIndex }

    private func require(_ count: Int) throws(ParseError) {
        guard count >= 0, count <= remaining else {
            throw ParseError(.truncated, at: offset, in: context, "\(count) bytes wanted, \(remaining) left")
        }
    }

    package mutating func readUInt8() throws(ParseError) -> UInt8 {
        try require(1)
        defer { index += 1 }
        return storage[index]
    }

    /// Reads an unsigned big-endian integer of 1…8 bytes.
    package mutating func readInteger(byteCount: Int) throws(ParseError) -> UInt64 {
        guard (1...8).contains(byteCount) else {
            throw ParseError(.malformed, at: offset, in: context, "integer of \(byteCount) bytes")
        }
        try require(byteCount)
        var value: UInt64 = 0
        for i in index..<(index + byteCount) { value = value << 8 | UInt64(storage[i]) }
        index += byteCount
        return value
    }

    package mutating func readUInt16() throws(ParseError) -> UInt16 { UInt16(truncatingIfNeeded: try readInteger(byteCount: 2)) }
    package mutating func readUInt24() throws(ParseError) -> UInt32 { UInt32(truncatingIfNeeded: try readInteger(byteCount: 3)) }
    package mutating func readUInt32() throws(ParseError) -> UInt32 { UInt32(truncatingIfNeeded: try readInteger(byteCount: 4)) }
    package mutating func readUInt64() throws(ParseError) -> UInt64 { try readInteger(byteCount: 8) }
    package mutating func readInt16() throws(ParseError) -> Int16 { Int16(bitPattern: try readUInt16()) }
    package mutating func readInt32() throws(ParseError) -> Int32 { Int32(bitPattern: try readUInt32()) }

    /// The next `count` bytes, by reference to the same storage.
    package mutating func readBytes(_ count: Int) throws(ParseError) -> ArraySlice<UInt8> {
        try require(count)
        defer { index += count }
        return storage[index..<(index + count)]
    }

    package mutating func readRemaining() -> ArraySlice<UInt8> {
        defer { index = storage.endIndex }
        return storage[index...]
    }

    package mutating func skip(_ count: Int) throws(ParseError) {
        try require(count)
        index += count
    }

    /// Throws unless the input is used up: leftover bytes mean the structure was misread.
    package func expectEnd() throws(ParseError) {
        guard isAtEnd else { throw ParseError(.malformed, at: offset, in: context, "\(remaining) bytes left over") }
    }
}
