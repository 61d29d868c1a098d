internal import BitsAndTime

/// Gathers pictures in decode order into segments.
///
/// A segment is finished once the one behind it has shown where its presentation begins: the pictures that follow a
/// keyframe in the file may be shown before it (leading pictures), so the keyframe alone does not tell.
struct VideoCollector: Sendable {
    /// A cut found: segment `index` begins with the keyframe at `start`.
    struct Cut: Sendable, Equatable {
        let index: Int
        let start: MediaTime
    }

    struct Finished: Sendable {
        let index: Int
        let samples: [VideoSample]
        /// Earliest presentation time of the segment behind, in rendition ticks.
        let next: Int64?
        /// The keyframe's time, for a segment without samples.
        let start: MediaTime
    }

    /// Pictures after a keyframe that may still be leading it. HEVC allows a whole reordered group; 64 bounds a stream that
    /// never shows anything later than its keyframe.
    static let leadingPictureLimit = 64

    private let schedule: CutSchedule
    /// Pictures of segments before this one are pre-roll.
    private let anchor: Int
    private var open: (index: Int, start: MediaTime, samples: [VideoSample])?
    /// The segment that is complete but for its end.
    private var ending: Finished?
    /// Pictures dropped because no keyframe came before them.
    private(set) var undecodableCount = 0
    /// Latest presentation time seen, source axis.
    private(set) var latest: MediaTime?

    /// Presentation time of the track's first picture that is shown; hidden ones before it do not move the film's start.
    private let firstShown: MediaTime?

    init(schedule: CutSchedule, anchor: Int, firstShown: MediaTime? = nil) {
        self.firstShown = firstShown
        self.schedule = schedule
        self.anchor = anchor
    }

    /// Takes the next picture in decode order.
    mutating func append(_ sample: VideoSample) -> (cut: Cut?, finished: [Finished]) {
        if !sample.isHidden, latest.map({ sample.presentation > $0 }) ?? true { latest = sample.presentation }
        var finished: [Finished] = []
        guard sample.isSync, let index = schedule.segment(ofKeyframe: sample, current: open.map { ($0.index, $0.start) }) else {
            if open == nil { undecodableCount += 1 } else { open?.samples.append(sample) }
            finished += settleEnding(force: false)
            return (nil, finished)
        }
        guard index >= anchor else { return (nil, []) }
        if let current = open, index <= current.index {
            open?.samples.append(sample)
            finished += settleEnding(force: false)
            return (nil, finished)
        }
        finished += settleEnding(force: true)
        if let current = open {
            ending = Finished(index: current.index, samples: current.samples, next: nil, start: current.start)
        }
        // Segments the index promised and the source has no keyframe for: they hold nothing, and say so.
        let firstMissing = (open?.index).map { $0 + 1 } ?? anchor
        if firstMissing < index {
            finished += settle(next: sample.pts)
            for missing in firstMissing..<index {
                finished.append(Finished(index: missing, samples: [], next: sample.pts, start: sample.presentation))
            }
        }
        let start = sample.isHidden ? firstShown.map { max($0, sample.presentation) } ?? sample.presentation : sample.presentation
        open = (index, start, [sample])
        return (Cut(index: index, start: start), finished)
    }

    /// The source has ended: everything held is finished.
    mutating func finish() -> [Finished] {
        var finished = settleEnding(force: true)
        if let current = open {
            finished.append(Finished(index: current.index, samples: current.samples, next: nil, start: current.start))
        }
        open = nil
        return finished
    }

    private mutating func settleEnding(force: Bool) -> [Finished] {
        guard ending != nil, let current = open, let key = current.samples.first else { return [] }
        let behindKey = (current.samples.last?.pts ?? key.pts) > key.pts
        guard force || behindKey || current.samples.count > Self.leadingPictureLimit else { return [] }
        return settle(next: current.samples.lazy.filter { !$0.isHidden }.map(\.pts).min() ?? key.pts)
    }

    private mutating func settle(next: Int64) -> [Finished] {
        guard let held = ending else { return [] }
        ending = nil
        return [Finished(index: held.index, samples: held.samples, next: next, start: held.start)]
    }
}
