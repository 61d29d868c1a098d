package import BitsAndTime

/// What an index needs to know of one track in one `moof`, from the `moof` alone: no sample data is asked for.
package struct FragmentIndexEntry: Sendable, Equatable {
    package let trackID: UInt32
    /// Decode time of the first sample, in ticks of the track; `nil` where `tfdt` is missing, which ISO/IEC 14496-12 allows and CMAF does not.
    package let firstDecodeTimeTicks: UInt64?
    /// Samples of all runs.
    package let sampleCount: Int
    /// Whether decoding can start at the first sample; `false` without samples.
    package let startsWithSync: Bool
    /// Of the first sample; 0 without samples.
    package let firstCompositionTimeOffsetTicks: Int32

    /// Reads one whole `moof` box, header included; one entry for each `traf`, in their order.
    ///
    /// - Parameter defaults: `trex` by track, of the init segment: where a fragment says no flags they decide what is a sync sample.
    /// - Throws: `ParseError` for another box, a box cut short, or a run whose first sample is not there.
    package static func entries(moof bytes: [UInt8], defaults: [UInt32: TrackExtends] = [:]) throws(ParseError) -> [FragmentIndexEntry] {
        let moof = try Box.sequence(in: bytes[...]).required("moof", in: "fragment").children(context: "moof")
        var entries: [FragmentIndexEntry] = []
        for traf in moof where traf.type == "traf" { entries.append(try FragmentIndexEntry(traf: traf, defaults: defaults)) }
        return entries
    }

    private init(traf: Box, defaults: [UInt32: TrackExtends]) throws(ParseError) {
        let boxes = try traf.children(context: "moof/traf")
        let header = try TrackFragmentHeader(parsing: try boxes.required("tfhd", in: "moof/traf"), defaults: defaults)
        trackID = header.trackID
        firstDecodeTimeTicks = try TrackFragmentHeader.baseMediaDecodeTime(in: boxes)
        var total = 0
        var sync = false
        var offset: Int32 = 0
        for box in boxes where box.type == "trun" {
            var run = box.reader()
            let (version, flags) = try run.readFullBoxHeader()
            let count = Int(try run.readUInt32())
            guard count <= MovieFragment.sampleLimit - total else {
                throw ParseError(.limitExceeded, at: traf.offset, in: "moof/traf/trun", "\(count) samples")
            }
            if total == 0, count > 0 {
                if flags & MovieFragment.RunFlags.dataOffset != 0 { try run.skip(4) }
                var raw = header.flags
                let first = flags & MovieFragment.RunFlags.firstSampleFlags != 0 ? try run.readUInt32() : nil
                if flags & MovieFragment.RunFlags.duration != 0 { try run.skip(4) }
                if flags & MovieFragment.RunFlags.size != 0 { try run.skip(4) }
                if flags & MovieFragment.RunFlags.flags != 0 { raw = try run.readUInt32() }
                sync = SampleFlags(rawValue: first ?? raw).isSync
                if flags & MovieFragment.RunFlags.compositionTimeOffset != 0 { offset = try MovieFragment.compositionTimeOffset(from: &run, version: version) }
            }
            total += count
        }
        sampleCount = total
        startsWithSync = sync
        firstCompositionTimeOffsetTicks = offset
    }
}
