package import BitsAndTime

/// `cdp()`: captions of one frame as studios and MXF carry them (SMPTE ST 334-2:2015 §5); the samples of QuickTime's `c708` tracks, in `ccdp` atoms.
package struct CaptionDistributionPacket: Sendable, Hashable {
    /// `cdp_frame_rate`: 1…8, 23.976 to 60.
    package var frameRate: UInt8
    /// `caption_service_active`.
    package var isServiceActive: Bool
    package var sequence: UInt16
    package var triplets: [CaptionTriplet]
    /// Sections that are no captions (time code, service information), with their identifiers, in their order.
    package var otherSections: [UInt8]

    private enum Section {
        static let timeCode: UInt8 = 0x71
        static let captions: UInt8 = 0x72
        static let serviceInformation: UInt8 = 0x73
        static let footer: UInt8 = 0x74
    }

    package init(frameRate: UInt8, isServiceActive: Bool = true, sequence: UInt16, triplets: [CaptionTriplet], otherSections: [UInt8] = []) {
        (self.frameRate, self.isServiceActive, self.sequence) = (frameRate, isServiceActive, sequence)
        (self.triplets, self.otherSections) = (triplets, otherSections)
    }

    /// - Throws: `.malformed` where the identifier, the length or the checksum is wrong.
    package init(parsing bytes: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(bytes, context: "cdp")
        guard try reader.readUInt16() == 0x9669 else { throw ParseError(.malformed, at: 0, in: "cdp", "no cdp_identifier") }
        let length = Int(try reader.readUInt8())
        guard length >= 11, length <= bytes.count else { throw ParseError(.truncated, at: 2, in: "cdp", "cdp_length \(length), \(bytes.count) bytes") }
        guard bytes.prefix(length).reduce(0, { $0 &+ $1 }) == 0 else { throw ParseError(.malformed, at: length - 1, in: "cdp", "packet_checksum") }
        frameRate = try reader.readUInt8() >> 4
        isServiceActive = try reader.readUInt8() & 0x02 != 0
        sequence = try reader.readUInt16()
        (triplets, otherSections) = ([], [])
        while reader.offset < length - 4 {
            let identifier = try reader.readUInt8()
            switch identifier {
            case Section.captions:
                let count = Int(try reader.readUInt8() & 0x1F)
                for _ in 0..<count { triplets.append(try CaptionTriplet(parsing: &reader)) }
            case Section.timeCode: otherSections += [identifier] + (try reader.readBytes(4))
            case Section.serviceInformation:
                let head = try reader.readUInt8()
                otherSections += [identifier, head] + (try reader.readBytes(Int(head & 0x0F) * 7))
            case 0x75...0xEF:
                // future_section: its length follows.
                let count = try reader.readUInt8()
                otherSections += [identifier, count] + (try reader.readBytes(Int(count)))
            default: throw ParseError(.malformed, at: reader.offset - 1, in: "cdp", "section \(identifier)")
            }
        }
        guard reader.offset == length - 4, try reader.readUInt8() == Section.footer else {
            throw ParseError(.malformed, at: reader.offset, in: "cdp", "no footer at the end")
        }
    }

    /// Sections that are no captions come behind the captions.
    package func serialized() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(0x9669 as UInt16)
        writer.write(0 as UInt8)
        writer.write(frameRate << 4 | 0x0F)
        writer.write(0x41 | (otherSections.first == Section.timeCode ? 0x80 : 0) | (isServiceActive ? 0x02 : 0) as UInt8)
        writer.write(sequence)
        writer.write(Section.captions)
        writer.write(0xE0 | UInt8(truncatingIfNeeded: min(triplets.count, 31)))
        for triplet in triplets.prefix(31) { triplet.serialize(to: &writer) }
        writer.write(contentsOf: otherSections)
        writer.write(Section.footer)
        writer.write(sequence)
        writer.write(0 as UInt8)
        var bytes = writer.bytes
        bytes[2] = UInt8(truncatingIfNeeded: bytes.count)
        bytes[bytes.count - 1] = 0 &- bytes.reduce(0, &+)
        return bytes
    }
}
