package import BitsAndTime
internal import ISOBMFF

/// One rendition's finished part of a segment: `moof` and `mdat`, and what they cover.
package struct MediaFragment: Sendable {
    package let rendition: RenditionID
    /// Segment number.
    package let index: Int
    package let content: FragmentContent
    /// First presentation time, source axis.
    package let start: MediaTime
    package let duration: MediaTime
    package let sampleCount: Int
    /// Frames of silence among them.
    package var silentFrames = 0
    /// What its header says, and how many bytes the header takes: for ``FragmentJoiner``.
    var movieFragment: MovieFragment?
    var headerByteCount = 0
}

/// Writes samples as one fragment. A function of its arguments alone: no state is carried from one segment to the next.
package struct FragmentBuilder: Sendable {
    package let rendition: RenditionID
    package let timescale: Int32
    /// Added to every time so that none is below zero; the init segment's edit list takes it off again.
    package let presentationOffset: Int64
    /// How long before its presentation time a picture that is not reordered is decoded, in ticks: the depth of the track's reordering.
    package let decodeDelay: Int64

    package init(rendition: RenditionID, timescale: Int32, presentationOffset: Int64, decodeDelay: Int64) {
        self.decodeDelay = decodeDelay
        self.rendition = rendition
        self.timescale = timescale
        self.presentationOffset = presentationOffset
    }

    /// Video in decode order.
    ///
    /// Decode times are the presentation times in rising order, moved back by the track's reordering depth: the only ladder that
    /// follows from the pictures alone, where containers store one, drop it (Matroska) or get it wrong, and libavformat guesses
    /// differently after each seek. Composition offsets are signed (ISO/IEC 14496-12 §8.8.8, `trun` version 1) and with the right
    /// depth never below zero: libavformat, and so mpv, shows every picture of a track late by the lowest negative offset in it.
    ///
    /// - Parameters:
    ///   - next: Where the following segment's presentation begins, which ends this one's last picture; `nil` at the end.
    package func video(index: Int, samples: [VideoSample], next followingStart: Int64?, emptyAt start: MediaTime) -> (fragment: MediaFragment, repeatedTimes: Int) {
        guard let first = samples.first else { return (empty(index: index, at: start), 0) }
        let times = PresentationOrder.times(of: samples)
        // What follows was placed by its decode time, too, where these were.
        let next = followingStart.map { $0 &+ (first.orderSource?.delay ?? 0) }
        var ladder = times.sorted()
        var repeated = 0
        for i in ladder.indices.dropFirst() where ladder[i] <= ladder[i - 1] {
            ladder[i] = ladder[i - 1] &+ 1
            repeated += 1
        }
        let lastStart = ladder[ladder.count - 1]
        let typical = ladder.count > 1 ? (lastStart &- ladder[0]) / Int64(ladder.count - 1) : first.durationTicks
        let shown = samples.contains { !$0.isHidden } ? samples.filter { !$0.isHidden } : samples
        let told = shown.max { $0.pts < $1.pts }?.durationTicks ?? 0
        let lastShown = samples.indices.reduce(ladder[0]) { samples[$1].isHidden ? $0 : max($0, times[$1]) }
        let end = max(next ?? (shown.count < samples.count ? lastShown : lastStart) &+ max(told > 0 ? told : typical, 1), lastStart &+ 1)

        let fragmentSamples = samples.indices.map { i in
            FragmentSample(
                byteCount: UInt32(clamping: samples[i].payload.byteCount),
                durationTicks: UInt32(clamping: (i + 1 < ladder.count ? ladder[i + 1] : end) &- ladder[i]),
                compositionTimeOffsetTicks: Int32(clamping: times[i] &- ladder[i] &+ decodeDelay),
                flags: samples[i].isSync ? .sync : .nonSync)
        }
        let fragment = write(
            index: index, base: ladder[0], samples: fragmentSamples, payloads: samples.map(\.payload), end: end)
        return (fragment, repeated)
    }

    /// Audio frames in order.
    ///
    /// - Parameters:
    ///   - next: Position of the following segment's first frame; `nil` when no frame follows.
    package func audio(index: Int, samples: [AudioSample], next: Int64?, emptyAt start: MediaTime) -> (fragment: MediaFragment, repeatedTimes: Int) {
        guard let first = samples.first else { return (empty(index: index, at: start), 0) }
        var positions = [first.position]
        var repeated = 0
        positions.reserveCapacity(samples.count)
        for (previous, sample) in zip(samples, samples.dropFirst()) {
            let expected = positions[positions.count - 1] &+ previous.sampleCount
            var position = sample.position
            // A container clock's rounding is no gap: frames follow each other while the times agree to its resolution.
            if (position &- expected).magnitude <= UInt64(max(Int64(timescale) / 500, 1)) { position = expected }
            if position <= positions[positions.count - 1] {
                position = positions[positions.count - 1] &+ 1
                repeated += 1
            }
            positions.append(position)
        }
        let last = positions[positions.count - 1]
        let nominalEnd = last &+ max(samples[samples.count - 1].sampleCount, 1)
        // The next segment starts where its own first frame says; only a real hole is left open.
        let end = next.map { $0 > last && ($0 &- nominalEnd).magnitude <= UInt64(max(samples[samples.count - 1].sampleCount, 1)) ? $0 : nominalEnd } ?? nominalEnd

        let fragmentSamples = samples.indices.map { i in
            FragmentSample(
                byteCount: UInt32(clamping: samples[i].payload.byteCount),
                durationTicks: UInt32(clamping: (i + 1 < positions.count ? positions[i + 1] : end) &- positions[i]),
                compositionTimeOffsetTicks: 0,
                flags: .sync)
        }
        let fragment = write(
            index: index, base: positions[0], samples: fragmentSamples, payloads: samples.map(\.payload), end: end)
        return (fragment, repeated)
    }

    /// A segment in which this rendition has nothing: legal, decodes to nothing, and keeps the numbering of all renditions alike.
    private func empty(index: Int, at start: MediaTime) -> MediaFragment {
        write(index: index, base: start.converted(to: timescale).ticks, samples: [], payloads: [], end: start.converted(to: timescale).ticks)
    }

    private func write(index: Int, base: Int64, samples: [FragmentSample], payloads: [any SamplePayload], end: Int64) -> MediaFragment {
        let movieFragment = MovieFragment(
            sequenceNumber: UInt32(clamping: index + 1), trackID: 1,
            baseMediaDecodeTime: UInt64(max(0, base &- decodeDelay &+ presentationOffset)), samples: samples)
        var header = movieFragment.serializedHeader()
        let headerByteCount = header.count
        // Small payloads follow the header in one array, which is not to grow step by step.
        let pieces = payloads.flatMap(\.pieces)
        header.reserveCapacity(header.count + pieces.prefix(while: FragmentContent.isCopied).reduce(0) { $0 + $1.byteCount })
        var content = FragmentContent(header)
        for piece in pieces { content.append(piece) }
        return MediaFragment(
            rendition: rendition, index: index, content: content,
            start: MediaTime(ticks: base, timescale: timescale),
            duration: MediaTime(ticks: max(0, end &- base), timescale: timescale), sampleCount: samples.count,
            movieFragment: movieFragment, headerByteCount: headerByteCount)
    }
}
