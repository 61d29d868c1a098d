/// Decides what a cue reader does next. Pure: demand and progress in, a step out.
package struct CueSchedule: Sendable {
    package enum Step: Sendable, Equatable {
        case read
        /// Begin again so that this segment's cues are found.
        case begin(Int)
        /// Wait until something is wanted.
        case park
    }

    /// Cues that somebody waits for.
    package struct Demand: Sendable, Hashable {
        package let track: Int
        package let segments: ClosedRange<Int>

        package init(track: Int, segments: ClosedRange<Int>) {
            self.track = track
            self.segments = segments
        }
    }

    /// Reading since the last time it began anew.
    package struct Run: Sendable, Equatable {
        /// The segment whose cues are known next.
        package var next: Int

        package init(next: Int) { self.next = next }
    }

    /// A wanted segment this many past the next is read on to.
    static let forwardWindow = 2
    /// Segments that are kept around the viewer when there are too many cues.
    static let keptBehind = 10
    static let keptAhead = 60

    package var demands: [Demand] = []
    package var run: Run?
    /// Segments that a listener wants without waiting.
    package var wanted: Range<Int> = 0..<0
    private let count: Int
    /// Segments all of whose cues are known.
    private var covered: Set<Int> = []

    package init(segments: Int) { count = segments }

    package func covers(_ demand: Demand) -> Bool { demand.segments.allSatisfy(covered.contains) }

    package var step: Step {
        let missing = demands.lazy.compactMap { $0.segments.first { !covered.contains($0) } }.first ?? wanted.first { !covered.contains($0) }
        guard let missing, (0..<count).contains(missing) else { return .park }
        guard let run, run.next < count, run.next <= missing, missing - run.next <= Self.forwardWindow else { return .begin(missing) }
        return .read
    }

    /// All cues of the segments before `segment` are known, from the current run's first on.
    package mutating func reach(_ segment: Int) {
        guard let next = run?.next, segment > next else { return }
        covered.formUnion(next..<min(segment, count))
        run?.next = segment
    }

    /// Forgets what is far from a segment.
    ///
    /// - Returns: The segments that are still known if they were.
    mutating func forget(around segment: Int) -> ClosedRange<Int> {
        let kept = max(0, segment - Self.keptBehind)...max(0, min(count - 1, segment + Self.keptAhead))
        covered = covered.filter(kept.contains)
        return kept
    }
}
