import BitsAndTime
import Remux
import TestSupport
import Testing

@Suite struct SegmentPlanTests {
    private func index(_ seconds: [Double], axis: KeyframeIndex.Axis = .presentation) -> KeyframeIndex {
        KeyframeIndex(axis: axis, times: seconds.map { Int64(($0 * 1000).rounded()) }, timescale: 1000)
    }

    private func plan(_ seconds: [Double], end: Double, shift: Int64 = 0, axis: KeyframeIndex.Axis = .presentation) throws -> SegmentPlan {
        try SegmentPlan(index: index(seconds, axis: axis), presentationShift: shift, sourceEnd: MediaTime(seconds: end, timescale: 1000))
    }

    @Test func theFirstSegmentEndsAtTheFirstKeyframeFromTwoSecondsOnLaterOnesFromSix() throws {
        let plan = try plan([0, 1.9, 2, 5, 7.9, 8, 13.9, 14.1, 30], end: 33)
        #expect(plan.segments.map(\.indexTime) == [0, 2000, 8000, 14100, 30000])
        #expect(plan.segments.map(\.duration.seconds) == [2, 6, 6.1, 15.9, 3])
    }

    @Test func segmentsTouchAndCoverTheFilmWhateverTheKeyframes() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            var time = Double.random(in: 0...5, using: &random)
            var keys = [time]
            for _ in 0..<Int.random(in: 3...400, using: &random) {
                time += Double.random(in: 0.04...12, using: &random)
                keys.append(time)
            }
            guard keys[keys.count - 1] - keys[0] >= 6 else { continue }
            let end = time + 2
            let plan = try plan(keys, end: end)
            for (a, b) in zip(plan.segments, plan.segments.dropFirst()) { #expect(a.end == b.start) }
            #expect(plan.segments.reduce(MediaTime.zero) { $0 + $1.duration } == plan.end - plan.start)
            for segment in plan.segments.dropFirst().dropLast() { #expect(segment.duration >= SegmentPlan.target) }
            // Looking a time up finds the segment that holds it, on both axes.
            for (k, segment) in plan.segments.enumerated() {
                #expect(plan.segment(at: segment.start) == k)
                #expect(plan.segment(atIndexTime: segment.indexTime) == k)
                #expect(plan.segment(atIndexTime: segment.indexTime - 1) == (k == 0 ? nil : k - 1))
            }
            #expect(plan.segment(at: MediaTime(seconds: 1e6, timescale: 1)) == plan.segments.count - 1)
        }
    }

    @Test func anIndexCutShortIsRefused() {
        #expect(throws: SegmentPlan.Rejection.end(last: MediaTime(ticks: 20, timescale: 1), duration: MediaTime(ticks: 100, timescale: 1))) {
            try plan([0, 10, 20], end: 100)
        }
    }

    @Test func aHoleInTheIndexIsRefused() {
        #expect(throws: SegmentPlan.Rejection.gap(MediaTime(ticks: 61, timescale: 1))) { try plan([0, 10, 71, 80], end: 90) }
    }

    @Test func anIndexThatSpansLessThanASegmentIsRefusedUnlessTheFilmDoesToo() throws {
        #expect(throws: SegmentPlan.Rejection.coverage(span: .zero)) { try plan([0], end: 30) }
        #expect(try plan([0], end: 5).segments.count == 1)
    }

    @Test func anEmptyIndexIsRefused() {
        #expect(throws: SegmentPlan.Rejection.noIndex) { try plan([], end: 5) }
    }

    @Test func decodeTimesAreShiftedToPresentation() throws {
        let plan = try plan([0, 6, 12], end: 18, shift: 3000, axis: .decode)
        #expect(plan.segments.map(\.indexTime) == [0, 6000, 12000])
        #expect(plan.segments.map(\.start.seconds) == [3, 9, 15])
    }

    @Test func timesThatRepeatOrFallInTheIndexAreSorted() throws {
        #expect(try plan([12, 0, 6, 6, 0], end: 15).segments.map(\.indexTime) == [0, 6000, 12000])
    }

    @Test func openingsOfAScanArePlannedOnTheStreamsOwnClock() throws {
        let openings = [SegmentOpenings.Opening(time: 10, position: 100), .init(time: 70, position: 900), .init(time: 250, position: 5000)]
        let base = TickBase(numerator: 2, denominator: 60)
        let plan = try SegmentPlan(
            openings: openings, axis: .decode, base: base, presentationShift: 6, sourceEnd: MediaTime(ticks: 10, timescale: 1), keepsPositions: true)
        #expect(plan.segments.map(\.indexTime) == [20, 140, 500])
        #expect(plan.segments.map(\.start) == [26, 146, 506].map { MediaTime(ticks: $0, timescale: 60) })
        #expect(plan.segments.map(\.position) == [100, 900, 5000])
        #expect(plan.end == MediaTime(ticks: 10, timescale: 1))
        #expect(plan.segment(.zero, before: 2) == 2)
        #expect(plan.segment(MediaTime(ticks: 2, timescale: 1), before: 2) == 1)
        #expect(plan.segment(MediaTime(ticks: 10, timescale: 1), before: 2) == 0)
        #expect(throws: SegmentPlan.Rejection.self) {
            try SegmentPlan(openings: openings, axis: .decode, base: base, presentationShift: 6, sourceEnd: MediaTime(ticks: 100, timescale: 1), keepsPositions: true)
        }
    }
}
