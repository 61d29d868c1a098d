internal import BitsAndTime
internal import Libav

/// Production of one bridged track from where reading began: begins a ``BridgeRun`` for each segment, gives each the packets it is due, and
/// hands on what they encode, in order.
///
/// Used by the producer's thread alone.
final class AudioBridge {
    let track: BridgedTrack
    private let plan: SegmentPlan?
    private var runs: [(segment: Int, run: BridgeRun)] = []
    /// Of runs to come, where it remembers nothing.
    private var encoder: AudioEncoder?
    /// The next segment to begin.
    private var next: Int
    /// Place of the first packet seen: evidence of whether reading began early enough.
    private(set) var firstPosition: Int64?
    private var finished = BridgeCounts()
    /// Where the last packet that was believed is.
    private var lastPosition: Int64?
    /// One that lies far behind the others, until the next agrees with it.
    private var doubted: (packet: Packet, position: Int64, duration: Int64)?

    /// A hole longer than this needs two packets to be believed: one may have a wrong time, and what lies between would be encoded as silence.
    private static let doubtedHole = MediaTime(ticks: 60, timescale: 1)
    /// How near to each other those two lie.
    private static let agreement = MediaTime(ticks: 10, timescale: 1)
    /// Runs that are open at once at most: packets lie a little out of order in a file, not by so many segments.
    private static let openRuns = 8
    /// Silence written at one go where no end is known: more than the producer lets tracks lie apart.
    static let longestFill = MediaTime(ticks: 20, timescale: 1)

    init(_ track: BridgedTrack, plan: SegmentPlan?, anchor: Int) {
        self.track = track
        self.plan = plan
        next = anchor
    }

    var counts: BridgeCounts { runs.reduce(finished) { $0 + $1.run.counts } }

    /// Whether the packets that a segment's run begins with may have been missed.
    func lacksPreroll(of segment: Int) -> Bool {
        guard let plan, let first = firstPosition else { return false }
        return first > track.runStart(of: segment, in: plan) && !(track.origin.map { first <= $0 } ?? false)
    }

    /// - Parameters:
    ///   - position: Where the packet's first sample is, at the track's rate.
    ///   - duration: Samples in it; 0 when unknown.
    func append(_ packet: Packet, at position: Int64, duration: Int64) -> [AudioSample] {
        guard position.magnitude < UInt64(BridgedTrack.farthest) else {
            finished.damagedPackets += 1
            return []
        }
        // No packet of sound is longer than a second.
        let duration = min(max(duration, 1), Int64(track.sourceRate))
        var output: [AudioSample] = []
        if let last = lastPosition, position - last > Self.doubtedHole.converted(to: track.sourceRate).ticks {
            guard let held = doubted, (position - held.position).magnitude < UInt64(Self.agreement.converted(to: track.sourceRate).ticks) else {
                dropDoubted()
                doubted = (packet, position, duration)
                return []
            }
            doubted = nil
            output = take(held.packet, at: held.position, duration: held.duration)
        }
        dropDoubted()
        return output + take(packet, at: position, duration: duration)
    }

    private func dropDoubted() {
        if doubted != nil { finished.damagedPackets += 1 }
        doubted = nil
    }

    private func take(_ packet: Packet, at position: Int64, duration: Int64) -> [AudioSample] {
        lastPosition = position
        if firstPosition == nil { firstPosition = position }
        var output: [AudioSample] = []
        if let plan {
            while next < plan.segments.count, position + duration > track.runStart(of: next, in: plan) {
                begin(next, of: plan)
                // Oldest first, so that what comes out stays in order.
                if runs.count > Self.openRuns { output += collect(only: runs[0].segment) { $0.finish(at: 0) } }
            }
        } else if runs.isEmpty {
            beginUnplanned(at: MediaTime(ticks: max(position, track.audibleStart ?? position), timescale: track.sourceRate))
        }
        return output + collect { $0.append(packet, at: position) }
    }

    /// The picture has come to `time`: what this track has not shown for long (nine seconds without a plan) is silence.
    ///
    /// - Parameter window: How far behind the picture a packet may lie in the file.
    func advance(to time: MediaTime, window: MediaTime) -> [AudioSample] {
        guard let plan else {
            // Before the assembler stops waiting.
            let due = time - window + MediaTime(ticks: 1, timescale: 1)
            guard due > track.time(ofFrame: track.firstFrame) else { return [] }
            if runs.isEmpty { beginUnplanned(at: track.time(ofFrame: track.firstFrame)) }
            // A step at a time, where the picture leaps.
            let step = Self.longestFill.converted(to: track.outputRate).ticks
            return collect { $0.fill(to: min(due.converted(to: self.track.outputRate).ticks, $0.reached + step)) }
        }
        var output: [AudioSample] = []
        while let segment = runs.first?.segment ?? (next < plan.segments.count - 1 ? next : nil), segment + 1 < plan.segments.count,
            time >= plan.segments[segment + 1].start + window
        {
            if runs.isEmpty { begin(segment, of: plan) }
            // A segment shorter than a frame has no run.
            guard runs.first?.segment == segment else { continue }
            output += collect(only: segment) { $0.finish(at: 0) }
            if let left = runs.first, left.segment == segment { retire() }
        }
        return output
    }

    /// The source has ended.
    ///
    /// - Returns: What was missing, silence included: a track may end half a second before the film, which is left as its author has it.
    func finish() -> [AudioSample] {
        dropDoubted()
        guard let plan else { return collect { $0.drain() + $0.finish(at: self.frames(to: $0.reached)) } }
        var output: [AudioSample] = []
        while next < plan.segments.count {
            begin(next, of: plan)
            if runs.count > Self.openRuns { output += collect(only: runs[0].segment) { $0.drain() + $0.finish(at: 0) } }
        }
        return output + collect { run in
            let rest = run.drain()
            let isShort = plan.end - MediaTime(ticks: run.reached, timescale: self.track.outputRate) < MediaTime(ticks: 1, timescale: 2)
            let last = isShort ? self.frames(to: run.reached) : self.track.frame(atOrAfter: plan.end)
            return rest + run.finish(at: last)
        }
    }

    /// How many frames reach to a sample.
    private func frames(to position: Int64) -> Int64 {
        let whole = position / track.frameLength
        return whole * track.frameLength < position ? whole + 1 : whole
    }

    private func begin(_ segment: Int, of plan: SegmentPlan) {
        next = segment + 1
        let first = track.firstFrame(of: segment, in: plan)
        let end = next < plan.segments.count ? track.firstFrame(of: next, in: plan) : nil
        if let end, end <= first { return }
        // Behind the film's end nothing is served.
        let horizon = track.frame(atOrAfter: plan.end) * track.frameLength
        let run = BridgeRun(track, first: first, end: end, horizon: horizon, prerollFrames: track.format.prerollFrames, encoder: encoder)
        // A FLAC frame is a function of its samples and its number, and its encoder gives each at once: to open one clears megabytes.
        if track.format.codec == .flac { encoder = run.encoder }
        runs.append((segment, run))
    }

    private func beginUnplanned(at time: MediaTime) {
        var first = track.frame(atOrAfter: time)
        if track.time(ofFrame: first) > time { first -= 1 }
        next = 1
        runs.append((0, BridgeRun(track, first: max(first, track.firstFrame), end: nil, horizon: nil, prerollFrames: 0)))
    }

    private func collect(only segment: Int? = nil, _ work: (BridgeRun) -> [AudioSample]) -> [AudioSample] {
        var output: [AudioSample] = []
        for (number, run) in runs where segment == nil || number == segment { output += work(run) }
        while let oldest = runs.first, oldest.run.isDone { retire() }
        return output
    }

    private func retire() {
        finished = finished + runs[0].run.counts
        runs.removeFirst()
    }
}
