package import BitsAndTime

/// An element held whole in memory, and the readings of its payload.
///
/// RFC 8794 §7.
package struct Element: Sendable {
    package let header: ElementHeader
    package let payload: ArraySlice<UInt8>
    /// Of the header, from the start of the sequence it was read from.
    package let offset: Int

    package var id: ElementID { header.id }

    /// Calls `body` with each element that lies in `bytes`, in order.
    ///
    /// An unknown size is taken as "to the end": in memory nothing follows.
    /// - Throws: `.truncated` where an element passes the end, with offsets from the start of `bytes`; and what `body` throws, nested.
    package static func forEach(
        in bytes: ArraySlice<UInt8>, context: String, _ body: (Element) throws(ParseError) -> Void
    ) throws(ParseError) {
        var reader = ByteReader(bytes, context: context)
        while !reader.isAtEnd {
            let offset = reader.offset
            let header = try ElementHeader(parsing: &reader)
            let count = header.payloadByteCount ?? Int64(reader.remaining)
            guard count <= Int64(reader.remaining) else {
                throw ParseError(.truncated, at: offset, in: context, "\(header.id) of \(count) bytes, \(reader.remaining) left")
            }
            let base = reader.offset
            let element = Element(header: header, payload: try reader.readBytes(Int(count)), offset: offset)
            do throws(ParseError) {
                try body(element)
            } catch {
                throw error.nested(in: context, base: base)
            }
        }
    }

    /// Calls `body` with each child.
    package func forEachChild(_ context: String, _ body: (Element) throws(ParseError) -> Void) throws(ParseError) {
        try Element.forEach(in: payload, context: context, body)
    }

    /// 0…8 bytes, big-endian; no bytes mean 0.
    package func unsignedInteger() throws(ParseError) -> UInt64 {
        guard payload.count <= 8 else { throw ParseError(.malformed, at: 0, in: "\(id)", "integer of \(payload.count) bytes") }
        return payload.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// 0, 4 or 8 bytes, IEEE 754 big-endian; no bytes mean 0.
    package func float() throws(ParseError) -> Double {
        switch payload.count {
        case 0: return 0
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: try unsignedInteger())))
        case 8: return Double(bitPattern: try unsignedInteger())
        default: throw ParseError(.malformed, at: 0, in: "\(id)", "float of \(payload.count) bytes")
        }
    }

    /// Up to the first zero byte, which ends a string early; bytes that are not UTF-8 are replaced.
    package func string() -> String { String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self) }
}
