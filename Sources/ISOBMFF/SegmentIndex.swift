package import BitsAndTime

/// `sidx`: where the subsegments of one stream lie and how long they last (ISO/IEC 14496-12:2022 §8.16.3).
///
/// Parsed values are equal to what was written; bytes are, but for the version: 0 where both 64-bit fields fit 32 bits, as it is smallest.
package struct SegmentIndex: Sendable, Equatable {
    package struct Reference: Sendable, Equatable {
        /// To another `sidx`; otherwise to media.
        package var isIndex: Bool
        /// 31 bits; more is written as the most they hold.
        package var byteCount: UInt32
        /// In ticks of the index.
        package var durationTicks: UInt32
        package var startsWithSAP: Bool
        /// Stream access point type, 0 (unsaid) to 6; 1 and 2 are what HLS calls independent. Three bits.
        package var sapType: UInt8
        /// Ticks from the subsegment's start to its access point, 28 bits.
        package var sapDeltaTimeTicks: UInt32

        package init(
            isIndex: Bool = false, byteCount: UInt32, durationTicks: UInt32, startsWithSAP: Bool = true, sapType: UInt8 = 1, sapDeltaTimeTicks: UInt32 = 0
        ) {
            self.isIndex = isIndex
            self.byteCount = byteCount
            self.durationTicks = durationTicks
            self.startsWithSAP = startsWithSAP
            self.sapType = sapType
            self.sapDeltaTimeTicks = sapDeltaTimeTicks
        }
    }

    /// Track of the stream that is indexed.
    package var referenceID: UInt32
    package var timescale: UInt32
    package var earliestPresentationTimeTicks: UInt64
    /// Bytes from the end of this box to the first subsegment.
    package var firstOffset: UInt64
    /// At most 65,535; more are not written.
    package var references: [Reference]

    package init(referenceID: UInt32, timescale: UInt32, earliestPresentationTimeTicks: UInt64, firstOffset: UInt64 = 0, references: [Reference]) {
        self.referenceID = referenceID
        self.timescale = timescale
        self.earliestPresentationTimeTicks = earliestPresentationTimeTicks
        self.firstOffset = firstOffset
        self.references = references
    }

    /// - Throws: `ParseError` for a box cut short, a timescale of 0, bytes left over, or an unknown version.
    package init(parsing box: Box) throws(ParseError) {
        var reader = box.reader()
        let version = try reader.readFullBoxHeader().version
        guard version <= 1 else { throw ParseError(.unsupported, at: 0, in: "sidx", "version \(version)") }
        referenceID = try reader.readUInt32()
        timescale = try reader.readUInt32()
        guard timescale > 0 else { throw ParseError(.malformed, at: 8, in: "sidx", "timescale 0") }
        let width = version == 0 ? 4 : 8
        earliestPresentationTimeTicks = try reader.readInteger(byteCount: width)
        firstOffset = try reader.readInteger(byteCount: width)
        try reader.skip(2)
        let count = Int(try reader.readUInt16())
        guard count * 12 <= reader.remaining else {
            throw ParseError(.truncated, at: reader.offset, in: "sidx", "\(count) references in \(reader.remaining) bytes")
        }
        references = []
        references.reserveCapacity(count)
        for _ in 0..<count {
            let size = try reader.readUInt32()
            let duration = try reader.readUInt32()
            let access = try reader.readUInt32()
            references.append(
                Reference(
                    isIndex: size >> 31 == 1, byteCount: size & 0x7FFF_FFFF, durationTicks: duration, startsWithSAP: access >> 31 == 1,
                    sapType: UInt8(access >> 28 & 7), sapDeltaTimeTicks: access & 0x0FFF_FFFF))
        }
        try reader.expectEnd()
    }

    package func serialize(into writer: inout ByteWriter) {
        let isWide = max(earliestPresentationTimeTicks, firstOffset) > UInt64(UInt32.max)
        let written = references.prefix(Int(UInt16.max))
        writer.writeFullBox("sidx", version: isWide ? 1 : 0) { sidx in
            sidx.write(referenceID)
            sidx.write(timescale)
            sidx.writeInteger(earliestPresentationTimeTicks, byteCount: isWide ? 8 : 4)
            sidx.writeInteger(firstOffset, byteCount: isWide ? 8 : 4)
            sidx.write(0 as UInt16)
            sidx.write(UInt16(written.count))
            for reference in written {
                sidx.write((reference.isIndex ? 1 << 31 : 0) | min(reference.byteCount, 0x7FFF_FFFF))
                sidx.write(reference.durationTicks)
                let access = UInt32(reference.sapType & 7) << 28 | min(reference.sapDeltaTimeTicks, 0x0FFF_FFFF)
                sidx.write((reference.startsWithSAP ? 1 << 31 : 0) | access)
            }
        }
    }
}
