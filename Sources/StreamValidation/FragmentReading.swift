internal import BitsAndTime
internal import Bitstreams
internal import ISOBMFF

/// Turns a fragment's samples into times and kinds of pictures.
enum FragmentReading {
    static func add(
        _ parsed: MovieFragment.Parsed, bytes: [UInt8], track: InitializationFacts.Track, initialization: InitializationFacts, _ context: SegmentCheck.Context,
        to facts: inout SegmentFacts, into findings: inout Findings
    ) {
        let samples = parsed.fragment.samples
        guard let first = samples.first, let firstRange = parsed.sampleRanges.first else { return }
        let scale = track.timescale
        func time(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks, timescale: scale) }
        let shift = initialization.presentationShift(of: track)
        let start = Int64(clamping: parsed.fragment.baseMediaDecodeTime)
        var clock = start
        var (earliest, latest) = (Int64.max, Int64.min)
        var (longest, shortest) = (Int64(0), Int64.max)
        var reordering: Int64 = 0
        var zero = 0
        for (index, sample) in samples.enumerated() {
            let shown = clock &+ Int64(sample.compositionTimeOffsetTicks)
            earliest = min(earliest, shown)
            latest = max(latest, shown &+ Int64(sample.durationTicks))
            reordering = max(reordering, Int64(sample.compositionTimeOffsetTicks.magnitude))
            if sample.durationTicks == 0 {
                zero += 1
            } else if index + 1 < samples.count {
                longest = max(longest, Int64(sample.durationTicks))
                shortest = min(shortest, Int64(sample.durationTicks))
            } else if longest == 0 {
                longest = Int64(sample.durationTicks)
            }
            clock = clock &+ Int64(sample.durationTicks)
        }
        if zero > 0, samples.count > 1 || track.media != .text {
            findings.add(.zeroDuration, Place(context.resource, box: "moof/traf/trun"), "\(zero) of \(samples.count) samples of track \(track.id) have no duration")
        }
        if let at = facts.runs.firstIndex(where: { $0.trackID == track.id }) {
            var run = facts.runs[at]
            let gap = time(start) - run.decodeEnd
            if gap > time(longest) || -gap > MediaTime(ticks: 2, timescale: 1000) {
                findings.add(
                    .fragmentGap, Place(context.resource, box: "moof/traf/tfdt"),
                    "a fragment of track \(track.id) begins at \(seconds(time(start))), the one before ends at \(seconds(run.decodeEnd))")
            }
            run.decodeEnd = time(clock)
            run.presentationStart = min(run.presentationStart, time(earliest) + shift)
            run.presentationEnd = max(run.presentationEnd, time(latest) + shift)
            run.sampleCount += samples.count
            run.longest = max(run.longest, time(longest))
            run.shortest = min(run.shortest, time(min(shortest, longest)))
            run.reordering = max(run.reordering, time(reordering))
            run.skippedPictures += skipped(parsed, bytes: bytes, track: track, context)
            facts.runs[at] = run
            return
        }
        var run = SegmentFacts.Run(
            trackID: track.id, media: track.media, decodeStart: time(start), decodeEnd: time(clock), presentationStart: time(earliest) + shift,
            presentationEnd: time(latest) + shift, openingPresentation: time(start &+ Int64(first.compositionTimeOffsetTicks)) + shift)
        run.sampleCount = samples.count
        run.longest = time(longest)
        run.shortest = time(min(shortest, longest))
        run.reordering = time(reordering)
        run.opensOnSync = first.flags.isSync
        if let pictures = track.pictures, !context.isEncrypted {
            run.opening = RandomAccess.classify(sample: bytes[firstRange], codec: pictures.codec, framing: pictures.framing)
            run.skippedPictures = skipped(parsed, bytes: bytes, track: track, context)
        }
        facts.runs.append(run)
    }

    private static func skipped(_ parsed: MovieFragment.Parsed, bytes: [UInt8], track: InitializationFacts.Track, _ context: SegmentCheck.Context) -> Int {
        guard let pictures = track.pictures, pictures.codec == .hevc, !context.isEncrypted else { return 0 }
        // RASL pictures follow the picture they lead at once: those of a later one in the segment find what they refer to.
        var count = 0
        for range in parsed.sampleRanges.dropFirst() {
            guard let kind = RandomAccess.leadingPicture(sample: bytes[range], framing: pictures.framing) else { break }
            if kind == .skipped { count += 1 }
        }
        return count
    }

    private static func seconds(_ time: MediaTime) -> String { MediaPlaylistCheck.seconds(time) }
}

extension Rule {
    static let zeroDuration = Rule("segment.zero-duration", .should, "ISO/IEC 14496-12 §8.8.8", fix: "Give each sample the time until the next.")
    static let fragmentGap = Rule("segment.fragment-gap", .must, "Apple HLS Authoring 7.1, 7.3", fix: "Begin each fragment where the one before ends.")
}
