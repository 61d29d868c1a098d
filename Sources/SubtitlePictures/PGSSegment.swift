package import BitsAndTime

/// One segment of a Presentation Graphics stream: its kind and what lies behind its three-byte header.
///
/// Source: US 2009/0185789 A1 (the published description of the HDMV graphics streams of Blu-ray Disc), segment syntax.
package struct PGSSegment: Sendable, Equatable {
    package enum Kind: UInt8, Sendable, Hashable {
        case palette = 0x14
        case object = 0x15
        case composition = 0x16
        case windows = 0x17
        case end = 0x80
    }

    /// segment_type as coded; `Kind(rawValue:)` of it where it is one of the five.
    package let type: UInt8
    package let payload: ArraySlice<UInt8>

    package var kind: Kind? { Kind(rawValue: type) }

    package static let headerByteCount = 3

    package init(_ kind: Kind, _ payload: [UInt8]) {
        type = kind.rawValue
        self.payload = payload[...]
    }

    package init(_ reader: inout ByteReader) throws(ParseError) {
        type = try reader.readUInt8()
        let count = Int(try reader.readUInt16())
        payload = try reader.readBytes(count)
    }

    /// - Precondition: The payload's length fits 16 bits, as it does for every segment that was read.
    package func write(to writer: inout ByteWriter) {
        writer.write(type)
        writer.write(UInt16(truncatingIfNeeded: payload.count))
        writer.write(contentsOf: payload)
    }

    package static func == (a: PGSSegment, b: PGSSegment) -> Bool { a.type == b.type && a.payload.elementsEqual(b.payload) }

    /// The segments of a packet in order, as far as their lengths hold, and what stands in the way of the rest.
    package static func walk(_ bytes: ArraySlice<UInt8>) -> (segments: [PGSSegment], finding: PGSFinding?) {
        var reader = ByteReader(bytes, context: "pgs")
        var segments: [PGSSegment] = []
        while !reader.isAtEnd {
            do throws(ParseError) { segments.append(try PGSSegment(&reader)) } catch { return (segments, .malformed(error)) }
        }
        return (segments, nil)
    }
}
