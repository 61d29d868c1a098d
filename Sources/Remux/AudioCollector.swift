internal import BitsAndTime

/// Gathers one audio track's frames into segments: a frame belongs to the segment whose presentation interval holds its start.
struct AudioCollector: Sendable {
    struct Finished: Sendable {
        let index: Int
        let samples: [AudioSample]
        /// Position of the first frame behind this segment; `nil` when none is known.
        let next: Int64?
    }

    private let timescale: Int32
    private var index: Int
    private var samples: [AudioSample] = []
    private var waiting: [AudioSample] = []
    /// Frames that came after their segment was closed.
    private(set) var lateCount = 0
    /// Position of the first frame read since the anchor, pre-roll included.
    private(set) var firstSeen: Int64?
    /// Where what was read ends.
    private(set) var reached: Int64?

    init(timescale: Int32, anchor: Int) {
        self.timescale = timescale
        index = anchor
    }

    /// The segment being gathered.
    var openIndex: Int { index }

    mutating func append(_ sample: AudioSample) {
        if firstSeen == nil { firstSeen = sample.position }
        reached = max(reached ?? .min, sample.position &+ sample.sampleCount)
        waiting.append(sample)
    }

    /// Hands out every segment that the boundaries known so far finish.
    ///
    /// - Parameter start: Start of a segment on the presentation axis; `nil` for one not known yet. Segment 0 and everything
    ///   before it are one.
    mutating func settle(start: (Int) -> MediaTime?) -> [Finished] {
        var finished: [Finished] = []
        var taken = 0
        for sample in waiting {
            let time = MediaTime(ticks: sample.position, timescale: timescale)
            if index > 0, let from = start(index), time < from {
                taken += 1
                // Before the anchor it is pre-roll; behind a closed segment it came too late to be served.
                if hasClosed { lateCount += 1 }
                continue
            }
            while let end = start(index + 1), time >= end {
                finished.append(close(next: sample.position))
            }
            guard start(index + 1) != nil || acceptsOpenEnd else { break }
            samples.append(sample)
            taken += 1
        }
        waiting.removeFirst(taken)
        return finished
    }

    /// Set once the last segment is known to be open-ended: the plan's last one, or the source's end.
    var acceptsOpenEnd = false
    private var hasClosed = false

    /// Closes the open segment although no later frame was seen: the picture is so far past it that none will come.
    mutating func closeOverdue() -> Finished { close(next: waiting.first?.position) }

    /// The source has ended. Every segment up to `last` is finished, empty ones included.
    mutating func finish(last: Int, start: (Int) -> MediaTime?) -> [Finished] {
        acceptsOpenEnd = true
        var finished = settle(start: start)
        while index <= last { finished.append(close(next: nil)) }
        return finished
    }

    private mutating func close(next: Int64?) -> Finished {
        let result = Finished(index: index, samples: samples, next: next)
        samples = []
        index += 1
        hasClosed = true
        return result
    }
}
