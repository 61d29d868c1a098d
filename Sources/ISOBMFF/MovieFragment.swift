package import BitsAndTime

/// `sample_flags` of one sample (ISO/IEC 14496-12:2022 §8.8.3.1).
package struct SampleFlags: Sendable, Hashable, RawRepresentable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Decoding can start here: sample_depends_on = 2.
    package static let sync = SampleFlags(rawValue: 0x0200_0000)
    /// Needs what came before: sample_depends_on = 1, sample_is_non_sync_sample = 1.
    package static let nonSync = SampleFlags(rawValue: 0x0101_0000)

    package var isSync: Bool { rawValue & 0x0001_0000 == 0 }
}

/// One sample of a fragment, its bytes not included.
package struct FragmentSample: Sendable, Equatable {
    package var byteCount: UInt32
    package var durationTicks: UInt32
    /// Presentation minus decode time; signed (`trun` version 1).
    package var compositionTimeOffsetTicks: Int32
    package var flags: SampleFlags

    package init(byteCount: UInt32, durationTicks: UInt32, compositionTimeOffsetTicks: Int32, flags: SampleFlags) {
        self.byteCount = byteCount
        self.durationTicks = durationTicks
        self.compositionTimeOffsetTicks = compositionTimeOffsetTicks
        self.flags = flags
    }
}

/// One `moof` and `mdat` of one track, or one track's part of a fragment of several (ISO/IEC 14496-12:2022 §8.8).
///
///     moof ── mfhd
///          └─ traf ── tfhd (default-base-is-moof), tfdt, trun?
///     mdat
package struct MovieFragment: Sendable, Equatable {
    package var sequenceNumber: UInt32
    package var trackID: UInt32
    package var baseMediaDecodeTime: UInt64
    package var samples: [FragmentSample]

    package init(sequenceNumber: UInt32, trackID: UInt32, baseMediaDecodeTime: UInt64, samples: [FragmentSample]) {
        self.sequenceNumber = sequenceNumber
        self.trackID = trackID
        self.baseMediaDecodeTime = baseMediaDecodeTime
        self.samples = samples
    }

    /// Flags of `trun` (§8.8.8).
    enum RunFlags {
        static let dataOffset: UInt32 = 0x1
        static let firstSampleFlags: UInt32 = 0x4
        static let duration: UInt32 = 0x100
        static let size: UInt32 = 0x200
        static let flags: UInt32 = 0x400
        static let compositionTimeOffset: UInt32 = 0x800
    }

    private typealias HeaderFlags = TrackFragmentHeader.Flags

    /// `moof` and the header of `mdat`; the samples' bytes follow, in order and without gaps.
    ///
    /// What all samples share is said once, in `tfhd`. Without samples there is no `trun`, and `mdat` is empty.
    package func serializedHeader() -> [UInt8] { Self.serializedHeader(of: [self]) }

    /// The same for several tracks in one fragment: a `traf` for each, and one `mdat` for their bytes, track by track. The sequence number is
    /// the first one's.
    package static func serializedHeader(of tracks: [MovieFragment]) -> [UInt8] {
        let payload = tracks.reduce(UInt64(0)) { $1.samples.reduce($0) { $0 + UInt64($1.byteCount) } }
        let mdatHeader = payload + 8 > UInt64(UInt32.max) ? 16 : 8
        var writer = ByteWriter(reservingCapacity: 128 + tracks.reduce(0) { $0 + $1.samples.count * 16 })
        var dataOffsetsAt: [Int?] = []
        writer.writeBox("moof") { moof in
            moof.writeFullBox("mfhd") { $0.write(tracks.first?.sequenceNumber ?? 0) }
            for track in tracks { dataOffsetsAt.append(track.writeTrack(into: &moof)) }
        }
        var offset = UInt64(writer.count + mdatHeader)
        for (track, at) in zip(tracks, dataOffsetsAt) {
            if let at { writer.patchUInt32(UInt32(clamping: offset), at: at) }
            offset += track.samples.reduce(UInt64(0)) { $0 + UInt64($1.byteCount) }
        }
        if mdatHeader == 16 {
            writer.write(1 as UInt32)
            writer.write(ascii: "mdat")
            writer.write(payload + 16)
        } else {
            writer.write(UInt32(payload + 8))
            writer.write(ascii: "mdat")
        }
        return writer.bytes
    }

    /// Writes the `traf`.
    ///
    /// - Returns: Where its data offset goes; `nil` without samples.
    private func writeTrack(into moof: inout ByteWriter) -> Int? {
        let later = samples.dropFirst().first?.flags
        let sharesFlags = samples.dropFirst().allSatisfy { $0.flags == later }
        let sharesDuration = samples.allSatisfy { $0.durationTicks == samples.first?.durationTicks }
        let sharesSize = samples.allSatisfy { $0.byteCount == samples.first?.byteCount }
        let hasOffsets = samples.contains { $0.compositionTimeOffsetTicks != 0 }
        let defaultFlags = later ?? samples.first?.flags
        let firstDiffers = samples.first.map { $0.flags != defaultFlags } ?? false

        var header = HeaderFlags.defaultBaseIsMoof
        if sharesDuration, !samples.isEmpty { header |= HeaderFlags.duration }
        if sharesSize, !samples.isEmpty { header |= HeaderFlags.size }
        if sharesFlags, defaultFlags != nil { header |= HeaderFlags.flags }
        var run = RunFlags.dataOffset
        if !sharesDuration { run |= RunFlags.duration }
        if !sharesSize { run |= RunFlags.size }
        if !sharesFlags { run |= RunFlags.flags } else if firstDiffers { run |= RunFlags.firstSampleFlags }
        if hasOffsets { run |= RunFlags.compositionTimeOffset }

        var dataOffsetAt: Int?
        moof.writeBox("traf") { traf in
            traf.writeFullBox("tfhd", flags: header) { tfhd in
                tfhd.write(trackID)
                if header & HeaderFlags.duration != 0 { tfhd.write(samples[0].durationTicks) }
                if header & HeaderFlags.size != 0 { tfhd.write(samples[0].byteCount) }
                if header & HeaderFlags.flags != 0, let defaultFlags { tfhd.write(defaultFlags.rawValue) }
            }
            // Version 1 always: one shape, whatever the time.
            traf.writeFullBox("tfdt", version: 1) { $0.write(baseMediaDecodeTime) }
            guard !samples.isEmpty else { return }
            traf.writeFullBox("trun", version: 1, flags: run) { trun in
                trun.write(UInt32(clamping: samples.count))
                dataOffsetAt = trun.count
                trun.write(0 as UInt32)
                if run & RunFlags.firstSampleFlags != 0 { trun.write(samples[0].flags.rawValue) }
                for sample in samples {
                    if run & RunFlags.duration != 0 { trun.write(sample.durationTicks) }
                    if run & RunFlags.size != 0 { trun.write(sample.byteCount) }
                    if run & RunFlags.flags != 0 { trun.write(sample.flags.rawValue) }
                    if run & RunFlags.compositionTimeOffset != 0 { trun.write(sample.compositionTimeOffsetTicks) }
                }
            }
        }
        return dataOffsetAt
    }

    /// A fragment as found in a segment: its samples and where their bytes are.
    package struct Parsed: Sendable, Equatable {
        package let fragment: MovieFragment
        /// Byte ranges of the samples in the segment's bytes, one each.
        package let sampleRanges: [Range<Int>]
    }

    /// Most samples a segment may declare: an hour of 48 kHz audio in frames of one sample would pass, a size field turned count would not.
    /// Nor may it have more than it has bytes: samples of no bytes and no fields of their own would cost memory and nothing else.
    package static let sampleLimit = 4_000_000

    /// Reads every fragment of a media segment; a `moof` of several tracks gives one for each `traf`, in their order.
    ///
    /// - Parameters:
    ///   - bytes: Whole `moof` and `mdat` boxes, among others.
    ///   - defaults: `trex` by track, of the init segment. Without them what fragments leave unsaid is 0.
    /// - Throws: `ParseError`; `.unsupported` for data placed by its offset in the file, which CMAF rules out (ISO/IEC 23000-19).
    package static func parse(segment bytes: [UInt8], defaults: [UInt32: TrackExtends] = [:]) throws(ParseError) -> [Parsed] {
        var result: [Parsed] = []
        var sampleCount = 0
        let limit = min(sampleLimit, bytes.count)
        for box in try Box.sequence(in: bytes[...]) where box.type == "moof" {
            let moof = try box.children(context: "moof")
            var mfhd = try moof.required("mfhd", in: "moof").reader()
            _ = try mfhd.readFullBoxHeader()
            let sequence = try mfhd.readUInt32()
            var chained = box.offset
            for traf in moof where traf.type == "traf" {
                let parsed = try parse(
                    traf: traf, sequence: sequence, moofOffset: box.offset, chainedBase: &chained, defaults: defaults, byteCount: bytes.count,
                    sampleLimit: limit - sampleCount)
                sampleCount += parsed.sampleRanges.count
                result.append(parsed)
            }
        }
        return result
    }

    /// Reads one `traf`. `chainedBase` goes in as where the data of the one before ended, which without default-base-is-moof is what this
    /// one's offsets count from (§8.8.7.1), and comes out as where this one's ended.
    private static func parse(
        traf: Box, sequence: UInt32, moofOffset: Int, chainedBase: inout Int, defaults: [UInt32: TrackExtends], byteCount: Int, sampleLimit: Int
    ) throws(ParseError) -> Parsed {
        let boxes = try traf.children(context: "moof/traf")
        let header = try TrackFragmentHeader(parsing: try boxes.required("tfhd", in: "moof/traf"), defaults: defaults)
        guard header.baseDataOffset == nil else { throw ParseError(.unsupported, at: moofOffset, in: "tfhd", "an absolute base data offset") }
        guard let base = try TrackFragmentHeader.baseMediaDecodeTime(in: boxes) else {
            throw ParseError(.malformed, at: moofOffset, in: "moof/traf", "no tfdt")
        }
        let dataBase = header.isBaseMoof ? moofOffset : chainedBase

        var samples: [FragmentSample] = []
        var ranges: [Range<Int>] = []
        for box in boxes where box.type == "trun" {
            var trun = box.reader()
            let (version, flags) = try trun.readFullBoxHeader()
            let count = Int(try trun.readUInt32())
            let each = 4 * [RunFlags.duration, RunFlags.size, RunFlags.flags, RunFlags.compositionTimeOffset].count { flags & $0 != 0 }
            guard count <= sampleLimit - samples.count else {
                throw ParseError(.limitExceeded, at: moofOffset, in: "moof/traf/trun", "\(count) samples")
            }
            guard count * each <= trun.remaining else {
                throw ParseError(.malformed, at: moofOffset, in: "moof/traf/trun", "\(count) samples in \(trun.remaining) bytes")
            }
            var at = ranges.last?.upperBound ?? dataBase
            if flags & RunFlags.dataOffset != 0 { at = dataBase + Int(try trun.readInt32()) }
            let first = flags & RunFlags.firstSampleFlags != 0 ? try trun.readUInt32() : nil
            for i in 0..<count {
                let duration = flags & RunFlags.duration != 0 ? try trun.readUInt32() : header.durationTicks
                let size = flags & RunFlags.size != 0 ? try trun.readUInt32() : header.byteCount
                var raw = flags & RunFlags.flags != 0 ? try trun.readUInt32() : header.flags
                if i == 0, let first { raw = first }
                let offset = flags & RunFlags.compositionTimeOffset != 0 ? try compositionTimeOffset(from: &trun, version: version) : 0
                guard at >= 0, at + Int(size) <= byteCount else {
                    throw ParseError(.malformed, at: moofOffset, in: "moof/traf/trun", "sample \(i) at \(at)+\(size), segment of \(byteCount)")
                }
                samples.append(
                    FragmentSample(byteCount: size, durationTicks: duration, compositionTimeOffsetTicks: offset, flags: SampleFlags(rawValue: raw)))
                ranges.append(at..<(at + Int(size)))
                at += Int(size)
            }
        }
        chainedBase = ranges.last?.upperBound ?? dataBase
        let fragment = MovieFragment(sequenceNumber: sequence, trackID: header.trackID, baseMediaDecodeTime: base, samples: samples)
        return Parsed(fragment: fragment, sampleRanges: ranges)
    }

    /// Version 0 has unsigned offsets, version 1 signed ones (§8.8.8); what does not fit is held to the most that does.
    static func compositionTimeOffset(from run: inout ByteReader, version: UInt8) throws(ParseError) -> Int32 {
        let offset = try run.readUInt32()
        return version == 0 ? Int32(clamping: offset) : Int32(bitPattern: offset)
    }
}
