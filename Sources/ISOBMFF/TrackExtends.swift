package import BitsAndTime

/// `trex`: what a track's fragments mean where they say nothing (ISO/IEC 14496-12:2022 §8.8.3).
package struct TrackExtends: Sendable, Equatable {
    package var trackID: UInt32
    /// From 1, into `stsd`.
    package var sampleDescriptionIndex: UInt32
    /// In ticks of the track's timescale.
    package var durationTicks: UInt32
    package var byteCount: UInt32
    package var flags: SampleFlags

    package init(
        trackID: UInt32, sampleDescriptionIndex: UInt32 = 1, durationTicks: UInt32 = 0, byteCount: UInt32 = 0, flags: SampleFlags = SampleFlags(rawValue: 0)
    ) {
        self.trackID = trackID
        self.sampleDescriptionIndex = sampleDescriptionIndex
        self.durationTicks = durationTicks
        self.byteCount = byteCount
        self.flags = flags
    }

    package init(parsing box: Box) throws(ParseError) {
        var reader = box.reader()
        _ = try reader.readFullBoxHeader()
        trackID = try reader.readUInt32()
        sampleDescriptionIndex = try reader.readUInt32()
        durationTicks = try reader.readUInt32()
        byteCount = try reader.readUInt32()
        flags = SampleFlags(rawValue: try reader.readUInt32())
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeFullBox("trex") {
            $0.write(trackID)
            $0.write(sampleDescriptionIndex)
            $0.write(durationTicks)
            $0.write(byteCount)
            $0.write(flags.rawValue)
        }
    }

    /// The defaults of every track of an init segment, or of a file that begins with one; by track. Of two for one track the first counts.
    ///
    /// - Throws: `ParseError` without a `moov`. A `moov` without `mvex` has no defaults, and no fragments to need them.
    package static func defaults(initialization bytes: [UInt8]) throws(ParseError) -> [UInt32: TrackExtends] {
        let moov = try Box.sequence(in: bytes[...]).required("moov", in: "init").children(context: "moov")
        guard let mvex = moov.first("mvex") else { return [:] }
        var found: [UInt32: TrackExtends] = [:]
        for box in try mvex.children(context: "moov/mvex") where box.type == "trex" {
            let one = try TrackExtends(parsing: box)
            if found[one.trackID] == nil { found[one.trackID] = one }
        }
        return found
    }
}
