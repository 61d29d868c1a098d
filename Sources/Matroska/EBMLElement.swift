package import BitsAndTime

/// One EBML element's header (RFC 8794 §6).
package struct EBMLElement: Sendable, Equatable {
    /// The element's ID with its length marker, as specifications print it.
    package let id: UInt32
    /// Bytes of content; `nil` for an unknown size, which lasts to the next element of its level.
    package let byteCount: Int64?
    package let headerByteCount: Int

    package init(id: UInt32, byteCount: Int64?, headerByteCount: Int) {
        self.id = id
        self.byteCount = byteCount
        self.headerByteCount = headerByteCount
    }

    package init(parsing reader: inout ByteReader) throws(ParseError) {
        let start = reader.offset
        id = UInt32(truncatingIfNeeded: try Self.variableInteger(&reader, limit: 4, keepsMarker: true).value)
        let size = try Self.variableInteger(&reader, limit: 8, keepsMarker: false)
        // All value bits set: unknown.
        let unknown = size.value == (UInt64(1) << UInt64(7 * size.length)) - 1
        byteCount = unknown ? nil : Int64(clamping: size.value)
        headerByteCount = reader.offset - start
    }

    private static func variableInteger(_ reader: inout ByteReader, limit: Int, keepsMarker: Bool) throws(ParseError) -> (value: UInt64, length: Int) {
        let at = reader.offset
        let first = try reader.readUInt8()
        let length = first.leadingZeroBitCount + 1
        guard length <= limit else { throw ParseError(.malformed, at: at, in: reader.context, "variable integer of \(length) bytes (RFC 8794 §4)") }
        var value = UInt64(keepsMarker ? first : first & UInt8(truncatingIfNeeded: (1 << (8 - length)) - 1))
        for _ in 1..<max(length, 1) { value = value << 8 | UInt64(try reader.readUInt8()) }
        return (value, length)
    }
}
