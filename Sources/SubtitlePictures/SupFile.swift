package import BitsAndTime

/// A `.sup` file: the segments of a Presentation Graphics stream one after another, each behind a header of "PG" and two times of 90 kHz.
package struct SupFile: Sendable, Equatable {
    package struct Packet: Sendable, Equatable {
        /// 90 kHz.
        package var presentation: UInt32
        package var decode: UInt32
        package var segment: PGSSegment

        package init(presentation: UInt32, decode: UInt32 = 0, segment: PGSSegment) {
            (self.presentation, self.decode, self.segment) = (presentation, decode, segment)
        }

        package var time: MediaTime { MediaTime(ticks: Int64(presentation), timescale: 90_000) }

        /// The segment with its header, as the other containers hold it.
        package var bytes: [UInt8] {
            var writer = ByteWriter()
            segment.write(to: &writer)
            return writer.bytes
        }
    }

    package static let mark: [UInt8] = Array("PG".utf8)

    package var packets: [Packet]
    /// Bytes that belong to no packet: what the next mark was searched behind.
    package private(set) var strayByteCount = 0

    package init(packets: [Packet]) { self.packets = packets }

    /// Never fails: damage costs the packets it lies in.
    package init(_ bytes: [UInt8]) {
        packets = []
        var at = 0
        while at < bytes.count {
            var reader = ByteReader(bytes[at...], context: "sup")
            if let packet = Self.packet(&reader) {
                packets.append(packet)
                at += reader.offset
            } else {
                // To the next mark that a known segment follows.
                strayByteCount += 1
                at += 1
                while at < bytes.count, !Self.looksLikeOne(bytes, at) {
                    strayByteCount += 1
                    at += 1
                }
            }
        }
    }

    private static func looksLikeOne(_ bytes: [UInt8], _ at: Int) -> Bool {
        at + 13 <= bytes.count && bytes[at] == mark[0] && bytes[at + 1] == mark[1] && PGSSegment.Kind(rawValue: bytes[at + 10]) != nil
    }

    private static func packet(_ reader: inout ByteReader) -> Packet? {
        do throws(ParseError) {
            guard try reader.readBytes(2).elementsEqual(mark) else { return nil }
            return Packet(presentation: try reader.readUInt32(), decode: try reader.readUInt32(), segment: try PGSSegment(&reader))
        } catch {
            return nil
        }
    }

    /// Stray bytes are left out.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        for packet in packets {
            writer.write(contentsOf: Self.mark)
            writer.write(packet.presentation)
            writer.write(packet.decode)
            packet.segment.write(to: &writer)
        }
        return writer.bytes
    }

    /// A file of whole sets.
    package init(sets: [PGSDisplaySet]) {
        packets = sets.flatMap { set in
            let time = UInt32(truncatingIfNeeded: set.presentation?.converted(to: 90_000).ticks ?? 0)
            return set.segments.map { Packet(presentation: time, segment: $0) }
        }
    }
}
