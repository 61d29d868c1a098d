package import BitsAndTime

/// Turns samples in file order into finished fragments of all renditions. A state machine without I/O: samples in, fragments out.
///
/// The video cuts, the audio follows its cuts (never the other way: a segment that audio alone opened would have no picture to
/// start on).
package struct SegmentAssembler: Sendable {
    /// A place where a segment begins, as soon as it is known.
    package struct Boundary: Sendable, Equatable {
        package let index: Int
        package let start: MediaTime
    }

    /// How far the picture may run past a segment's end in the file before an audio track that has shown nothing since is taken
    /// to have nothing there. Muxers interleave within a second or so; ten covers every file seen.
    package static let interleaveWindow = MediaTime(ticks: 10, timescale: 1)

    package private(set) var repeatedTimes = 0
    package private(set) var boundaries: [Boundary] = []

    private let renditions: [Rendition]
    private let schedule: CutSchedule
    private let anchor: Int
    private var video: VideoCollector
    private var audio: [RenditionID: AudioCollector] = [:]
    /// Where the picture written so far ends.
    private var pictureEnd: MediaTime?
    /// Where a source without a plan ends: with its longest track. Known once it has.
    private var sourceEnd: MediaTime?

    /// - Parameter anchor: The first segment wanted. Samples that belong before it are dropped.
    package init(renditions: [Rendition], schedule: CutSchedule, anchor: Int = 0) {
        self.renditions = renditions
        self.schedule = schedule
        self.anchor = anchor
        video = VideoCollector(schedule: schedule, anchor: anchor, firstShown: renditions.first { $0.id == .video }?.firstPresentation)
        for rendition in renditions where rendition.id != .video {
            audio[rendition.id] = AudioCollector(timescale: rendition.timescale, anchor: anchor)
        }
    }

    package var undecodableVideoCount: Int { video.undecodableCount }
    package var lateAudioCount: Int { audio.values.reduce(0) { $0 + $1.lateCount } }

    /// Position of the first frame of `rendition` that was read, pre-roll included: evidence of whether reading began early enough.
    package func firstAudioPosition(of rendition: RenditionID) -> Int64? { audio[rendition]?.firstSeen }

    package mutating func append(_ sample: VideoSample) -> [MediaFragment] {
        let (cut, finished) = video.append(sample)
        if let cut {
            let first = boundaries.last.map { $0.index + 1 } ?? cut.index
            for index in min(first, cut.index)...cut.index { boundaries.append(Boundary(index: index, start: cut.start)) }
        }
        var fragments: [MediaFragment] = []
        for segment in finished { fragments.append(write(segment)) }
        fragments += settleAudio()
        forgetBoundaries()
        return fragments
    }

    package mutating func append(_ sample: AudioSample, to rendition: RenditionID) -> [MediaFragment] {
        audio[rendition]?.append(sample)
        return settleAudio(of: rendition)
    }

    /// Produces no more of an audio rendition.
    package mutating func remove(_ rendition: RenditionID) { audio[rendition] = nil }

    /// The source has ended.
    package mutating func finish() -> [MediaFragment] {
        let pictures = video.finish()
        var fragments: [MediaFragment] = []
        for segment in pictures { fragments.append(write(segment)) }
        let last: Int
        switch schedule {
        case .planned(let plan):
            last = plan.segments.count - 1
            let written = pictures.last?.index ?? boundaries.last?.index ?? anchor - 1
            // A plan that promised more than the source holds is answered with what there is: nothing.
            for index in stride(from: written + 1, through: last, by: 1) {
                fragments.append(write(.init(index: index, samples: [], next: nil, start: plan.segments[index].start)))
            }
        case .sequential:
            last = boundaries.last?.index ?? -1
            sourceEnd = renditions.reduce(pictureEnd) { end, rendition in
                guard let reached = audio[rendition.id]?.reached else { return end }
                let own = MediaTime(ticks: reached, timescale: rendition.timescale)
                return end.map { max($0, own) } ?? own
            }
        }
        for rendition in renditions {
            guard var collector = audio.removeValue(forKey: rendition.id) else { continue }
            let finished = collector.finish(last: last, start: start)
            audio[rendition.id] = collector
            for segment in finished { fragments.append(write(segment, of: rendition)) }
        }
        return fragments
    }

    /// Lets go of the boundaries that no open segment needs: a live source has no last one.
    private mutating func forgetBoundaries() {
        guard let first = boundaries.first, let last = boundaries.last else { return }
        let open = audio.values.reduce(last.index) { min($0, $1.openIndex) }
        if open > first.index { boundaries.removeFirst(open - first.index) }
    }

    private func start(of index: Int) -> MediaTime? {
        switch schedule {
        case .planned(let plan):
            return plan.segments.indices.contains(index) ? plan.segments[index].start : nil
        case .sequential:
            // Boundaries are contiguous from the first one kept.
            guard let first = boundaries.first else { return nil }
            let at = index - first.index
            return boundaries.indices.contains(at) ? boundaries[at].start : nil
        }
    }

    private mutating func settleAudio(of only: RenditionID? = nil) -> [MediaFragment] {
        var fragments: [MediaFragment] = []
        for rendition in renditions where only == nil || rendition.id == only {
            guard var collector = audio.removeValue(forKey: rendition.id) else { continue }
            if case .planned(let plan) = schedule { collector.acceptsOpenEnd = collector.openIndex >= plan.segments.count - 1 }
            var finished = collector.settle(start: start)
            if let latest = video.latest {
                while let end = start(of: collector.openIndex + 1), latest >= end + Self.interleaveWindow {
                    finished.append(collector.closeOverdue())
                }
            }
            if case .planned(let plan) = schedule, collector.openIndex >= plan.segments.count - 1, !collector.acceptsOpenEnd {
                collector.acceptsOpenEnd = true
                finished += collector.settle(start: start)
            }
            audio[rendition.id] = collector
            for segment in finished { fragments.append(write(segment, of: rendition)) }
        }
        return fragments
    }

    private mutating func write(_ finished: VideoCollector.Finished) -> MediaFragment {
        let builder = renditions.first { $0.id == .video }?.builder ?? FragmentBuilder(rendition: .video, timescale: 1000, presentationOffset: 0, decodeDelay: 0)
        let (fragment, repeated) = builder.video(index: finished.index, samples: finished.samples, next: finished.next, emptyAt: finished.start)
        repeatedTimes += repeated
        if fragment.sampleCount > 0 { pictureEnd = max(pictureEnd ?? fragment.start, fragment.start + fragment.duration) }
        return fragment
    }

    /// Where silence may begin: with the segment, but for sound that is before the picture already.
    private func fillStart(_ finished: AudioCollector.Finished, of rendition: Rendition) -> Int64? {
        guard let start = start(of: finished.index)?.converted(to: rendition.timescale).ticks else { return nil }
        guard let first = finished.samples.first?.position else { return start }
        return first <= start || (finished.index == 0 && first &- start < edgeTolerance(rendition)) ? first : start
    }

    /// Where silence ends: with the segment, or with the film.
    private func fillEnd(_ finished: AudioCollector.Finished, of rendition: Rendition) -> Int64? {
        if let next = start(of: finished.index + 1) { return next.converted(to: rendition.timescale).ticks }
        let film: MediaTime?
        switch schedule {
        case .planned(let plan): film = plan.end
        case .sequential: film = sourceEnd
        }
        guard let film else { return nil }
        let end = film.converted(to: rendition.timescale).ticks
        let reached = finished.samples.last.map { $0.position &+ $0.sampleCount } ?? .min / 2
        return end &- reached < edgeTolerance(rendition) ? nil : end
    }

    /// Tracks of one film begin and end a little apart; half a second of that is left as the author has it.
    private func edgeTolerance(_ rendition: Rendition) -> Int64 { Int64(rendition.timescale) / 2 }

    private mutating func write(_ finished: AudioCollector.Finished, of rendition: Rendition) -> MediaFragment {
        let samples = rendition.silence.map { filler in
            filler.filled(finished.samples, from: fillStart(finished, of: rendition), to: fillEnd(finished, of: rendition))
        } ?? finished.samples
        var (fragment, repeated) = rendition.builder.audio(
            index: finished.index, samples: samples, next: finished.next,
            emptyAt: start(of: finished.index) ?? boundaries.last?.start ?? .zero)
        fragment.silentFrames = samples.count - finished.samples.count
        repeatedTimes += repeated
        return fragment
    }
}
