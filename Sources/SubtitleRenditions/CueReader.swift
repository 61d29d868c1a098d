package import BitsAndTime
internal import Foundation
package import Libav
internal import Locks
package import Remux
package import TimedText

/// Reads the words of a planned source on a connection and a thread of its own, from wherever they are wanted: what it does costs neither sound
/// nor picture anything, and without demand it does not begin.
package final class CueReader: Sendable {
    /// One stream with words, and the tracks they make.
    package struct Source: Sendable {
        package let streamIndex: Int
        /// Tracks are counted through all sources, in their order; this many are this stream's.
        package let lanes: Int
        /// Made on the reader's thread, which alone uses it.
        package let makeCues: @Sendable () throws(LibavError) -> any PacketCues

        package init(streamIndex: Int, lanes: Int = 1, makeCues: @escaping @Sendable () throws(LibavError) -> any PacketCues) {
            self.streamIndex = streamIndex
            self.lanes = lanes
            self.makeCues = makeCues
        }
    }

    package struct Configuration: Sendable {
        package let plan: SegmentPlan
        package let window: CueWindow
        package let sources: [Source]
        /// Whether the picture has to be read to know how far reading has come.
        package let needsPicture: Bool
        /// The stream the plan is made of, and its clock.
        package let videoStreamIndex: Int
        package let videoTimeBase: TickBase
        /// Where the source is entered, if it has no index of its own for it.
        package let entries: [IndexEntry]
        /// Opens the source once more; on the reader's thread.
        package let open: @Sendable (Interrupter) throws(LibavError) -> Demuxer

        package init(
            plan: SegmentPlan, window: CueWindow, sources: [Source], needsPicture: Bool, videoStreamIndex: Int, videoTimeBase: TickBase, entries: [IndexEntry],
            open: @escaping @Sendable (Interrupter) throws(LibavError) -> Demuxer
        ) {
            self.plan = plan
            self.window = window
            self.sources = sources
            self.needsPicture = needsPicture
            self.videoStreamIndex = videoStreamIndex
            self.videoTimeBase = videoTimeBase
            self.entries = entries
            self.open = open
        }

        package var trackCount: Int { sources.reduce(0) { $0 + $1.lanes } }
    }

    /// What became of a wait.
    package enum Outcome: Sendable {
        /// In order of time, on the source's presentation axis.
        case ready([TextCue])
        case unavailable
        case stillPending
    }

    /// Bytes of cues by their own count, 100,000 lines of dialogue; the process grows by about twice as much (64 MB measured). Beyond it those furthest from the viewer go, and are read again when they are wanted.
    package static let byteLimit = 32 << 20
    /// How far a listener's cues are read ahead of the viewer.
    package static let lead = MediaTime(ticks: 60, timescale: 1)

    struct State {
        var schedule: CueSchedule
        var catalogs: [CueCatalog]
        var listener: (@Sendable (_ track: Int, [TextCue]) -> Void)?
        var isRunning = false
        var isStopped = false
        /// Why reading failed: who waits then gives up.
        var failure: LibavError?
    }

    let state: Monitor<State>
    package let configuration: Configuration
    private let interrupter = Interrupter()

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        state = Monitor(State(
            schedule: CueSchedule(segments: configuration.plan.segments.count), catalogs: (0..<configuration.trackCount).map { _ in CueCatalog() }))
    }

    // MARK: Any thread

    /// Says that somebody wants what is shown in a segment. Answered by one ``withdraw(_:)``.
    package func demand(_ demand: CueSchedule.Demand) {
        let begins = state.update { state -> Bool in
            guard !state.isStopped else { return false }
            state.schedule.demands.append(demand)
            state.failure = nil
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { start() }
    }

    package func withdraw(_ demand: CueSchedule.Demand) {
        state.update { state in
            if let at = state.schedule.demands.firstIndex(of: demand) { state.schedule.demands.remove(at: at) }
        }
    }

    /// Waits for the cues of a demand.
    package func wait(for demand: CueSchedule.Demand, showing start: MediaTime, _ end: MediaTime, atMost limit: Duration, isCancelled: () -> Bool) -> Outcome {
        state.wait(atMost: limit) { state -> Outcome? in
            if state.schedule.covers(demand) {
                return .ready(state.catalogs[demand.track].cues(shownIn: start, end, beginningFrom: configuration.window.reach.map { start - $0 }))
            }
            return isCancelled() || state.isStopped || state.failure != nil ? .unavailable : nil
        } ?? .stillPending
    }

    /// Hands every cue to `listener` as it is found, on the reader's thread; from now on reading goes ahead of the viewer by itself.
    ///
    /// - Parameter listener: `nil` ends it. Where there was none it is told what is known already, too.
    package func listen(_ listener: (@Sendable (_ track: Int, [TextCue]) -> Void)?) {
        let known = state.update { state -> [(Int, [TextCue])] in
            let isHeard = state.listener != nil
            state.listener = listener
            if listener == nil { state.schedule.wanted = 0..<0 }
            // One that takes over from another goes on from there.
            return isHeard ? [] : state.catalogs.enumerated().map { ($0.offset, $0.element.entries.map(\.cue)) }
        }
        guard let listener else { return }
        for (track, cues) in known where !cues.isEmpty { listener(track, cues) }
    }

    /// Says where the viewer is: what a listener is to hear lies from there on.
    package func follow(viewerIn segment: Int) {
        let plan = configuration.plan
        let begins = state.update { state -> Bool in
            guard state.listener != nil, !state.isStopped, plan.segments.indices.contains(segment) else { return false }
            state.schedule.wanted = segment..<plan.segment(at: plan.segments[segment].end + Self.lead) + 1
            state.failure = nil
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { start() }
    }

    /// Wakes everyone who waits, to look at their conditions again.
    package func nudge() { state.update { _ in } }

    /// Reading and waiting end; the thread is waited for up to `limit`.
    package func stop(atMost limit: Duration = .seconds(2)) {
        state.update { $0.isStopped = true }
        interrupter.cancel()
        _ = state.wait(atMost: limit) { $0.isRunning ? nil : true }
    }

    package var byteCount: Int { state.read { $0.catalogs.reduce(0) { $0 + $1.byteCount } } }

    // MARK: The reader's thread

    private func start() {
        let thread = Thread { [self] in run() }
        thread.name = "prism.cues"
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func run() {
        var run: CueRun?
        while let step = nextStep() {
            do throws(LibavError) {
                switch step {
                case .park: continue
                case .begin(let index): run = try begin(index, over: run)
                case .read: try read(&run)
                }
            } catch {
                run = nil
                state.update { state in
                    state.schedule.run = nil
                    state.failure = error
                }
            }
        }
        state.update { $0.isRunning = false }
    }

    /// Waits while there is nothing to do; `nil` once stopped.
    private func nextStep() -> CueSchedule.Step? {
        while true {
            let step = state.wait(atMost: .seconds(60)) { state -> CueSchedule.Step?? in
                if state.isStopped { return .some(nil) }
                // Whoever waited for what could not be read is told so, and asks again.
                if state.failure != nil { return nil }
                let step = state.schedule.step
                return step == .park ? nil : .some(step)
            }
            if let step { return step }
        }
    }

    private func begin(_ index: Int, over old: CueRun?) throws(LibavError) -> CueRun {
        let run: CueRun
        if let old { run = old } else { run = try CueRun(configuration, interrupter: interrupter) }
        trim(around: index)
        try run.begin(at: index)
        state.update { $0.schedule.run = .init(next: index) }
        return run
    }

    /// Packets read between two looks at what is wanted.
    private static let burst = 64

    private func read(_ run: inout CueRun?) throws(LibavError) {
        guard let run else {
            state.update { $0.schedule.run = nil }
            return
        }
        defer { trim(around: min(max(run.reported, 0), configuration.plan.segments.count - 1)) }
        for _ in 0..<Self.burst {
            let (found, reached) = try run.next()
            guard !found.isEmpty || reached != run.reported else { continue }
            run.reported = reached
            let (fresh, listener) = state.update { state in
                let fresh = found.map { (track: $0.track, cues: state.catalogs[$0.track].insert($0.cues, position: $0.position)) }
                state.schedule.reach(reached)
                return (fresh, state.listener)
            }
            if let listener { for (track, cues) in fresh where !cues.isEmpty { listener(track, cues) } }
            // One packet may have taken long.
            if reached == configuration.plan.segments.count || interrupter.isCancelled { return }
        }
    }

    /// Lets go of cues far from a segment, where there are too many.
    private func trim(around index: Int) {
        guard byteCount > Self.byteLimit else { return }
        let plan = configuration.plan
        state.update { state in
            let kept = state.schedule.forget(around: index)
            for track in state.catalogs.indices { state.catalogs[track].keep(plan.segments[kept.lowerBound].start, plan.segments[kept.upperBound].end) }
        }
    }
}
