import BitsAndTime
import Remux
import Testing

@Suite struct ProductionScheduleTests {
    private let plan: SegmentPlan
    private var schedule = ProductionSchedule()

    init() throws {
        plan = try SegmentPlan(
            index: KeyframeIndex(axis: .presentation, times: (0..<101).map { $0 * 6 }, timescale: 1), presentationShift: 0,
            sourceEnd: MediaTime(ticks: 606, timescale: 1))
        schedule.anchor = 0
        schedule.next = [.video: 0, .audio(0): 0]
    }

    private func step(_ schedule: ProductionSchedule, resident: Set<SegmentStore.Key> = [], ahead: Int = 0) -> ProductionSchedule.Step {
        schedule.step(plan: plan, isResident: { resident.contains($0) }, bytesAhead: ahead, end: { _ in nil })
    }

    private func resident(_ range: ClosedRange<Int>) -> Set<SegmentStore.Key> {
        Set(range.flatMap { [SegmentStore.Key(.video, $0), SegmentStore.Key(.audio(0), $0)] })
    }

    @Test func itRunsThirtySecondsAheadOfTheViewerAndParks() {
        var schedule = schedule
        schedule.playhead = 2
        schedule.next = [.video: 6, .audio(0): 6]
        #expect(step(schedule, resident: resident(0...5)) == .read)
        schedule.next = [.video: 9, .audio(0): 9]
        #expect(step(schedule, resident: resident(0...8)) == .park)
    }

    /// The viewer has it; to read it again would only cost.
    @Test func whatWasServedAndLetGoIsNotProducedAgain() {
        var schedule = schedule
        schedule.playhead = 4
        schedule.next = [.video: 6, .audio(0): 6]
        #expect(step(schedule, resident: [.init(.audio(0), 4), .init(.video, 5), .init(.audio(0), 5)]) == .read)
        schedule.demands = [.init(.video, 4)]
        #expect(step(schedule, resident: [.init(.video, 5)]) == .anchor(4), "but for who asks for it")
    }

    @Test func aDemandNearByIsWaitedForAndOneFarOffIsJumpedTo() {
        var schedule = schedule
        schedule.next = [.video: 4, .audio(0): 4]
        schedule.demands = [.init(.video, 6)]
        #expect(step(schedule, resident: resident(0...3)) == .read)
        schedule.demands = [.init(.video, 50)]
        #expect(step(schedule, resident: resident(0...3)) == .anchor(50))
    }

    @Test func whatWasProducedAndDroppedIsProducedAgain() {
        var schedule = schedule
        schedule.next = [.video: 40, .audio(0): 40]
        schedule.demands = [.init(.audio(0), 12)]
        #expect(step(schedule, resident: resident(20...39)) == .anchor(12))
    }

    @Test func demandsAreAnsweredInTheOrderTheyCame() {
        var schedule = schedule
        schedule.anchor = 30
        schedule.next = [.video: 30, .audio(0): 30]
        schedule.demands = [.init(.video, 30), .init(.video, 70)]
        #expect(step(schedule) == .read)
        schedule.next = [.video: 31, .audio(0): 30]
        #expect(step(schedule, resident: [.init(.video, 30)]) == .anchor(70))
    }

    @Test func memoryAheadOfTheViewerIsBounded() {
        var schedule = schedule
        schedule.next = [.video: 3, .audio(0): 3]
        #expect(step(schedule, resident: resident(0...2), ahead: MemoryBounds.local.ahead) == .read)
        #expect(step(schedule, resident: resident(0...2), ahead: MemoryBounds.local.ahead + 1) == .park)
    }

    /// A segment of a local file takes milliseconds to make and, where its payload is in memory, tens of megabytes to hold.
    @Test func aLargeSegmentOfALocalFileIsMadeWhenItIsAskedFor() {
        var schedule = schedule
        schedule.next = [.video: 1, .audio(0): 1]
        schedule.segmentByteCount = 32 << 20
        #expect(step(schedule, resident: resident(0...0)) == .park)
        schedule.demands = [.init(.video, 1)]
        #expect(step(schedule, resident: resident(0...0)) == .read)
    }

    @Test func theNextSegmentOfARemoteSourceIsFetchedHoweverLarge() {
        var schedule = schedule
        schedule.memory = .remote
        schedule.next = [.video: 1, .audio(0): 1]
        schedule.segmentByteCount = 64 << 20
        #expect(step(schedule, resident: resident(0...0)) == .read)
        #expect(step(schedule, resident: resident(0...1), ahead: 64 << 20) == .park)
    }

    @Test func atTheEndItParksAndStillAnswers() {
        var schedule = schedule
        schedule.playhead = 100
        schedule.isAtEnd = true
        schedule.anchor = 95
        schedule.next = [.video: 101, .audio(0): 101]
        #expect(step(schedule, resident: resident(95...100)) == .park)
        schedule.demands = [.init(.video, 3)]
        #expect(step(schedule, resident: resident(95...100)) == .anchor(3))
    }

    @Test func aSequentialSessionReadsToTheEndAsTheViewerFollows() {
        var schedule = ProductionSchedule()
        schedule.anchor = 0
        schedule.next = [.video: 3]
        let ends: (Int) -> MediaTime? = { $0 >= 0 ? MediaTime(ticks: Int64($0 + 1) * 6, timescale: 1) : nil }
        // A player that joins near the end of a growing playlist must find the beginning there.
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: 0, end: ends) == .park)
        schedule.hasClient = true
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: 0, end: ends) == .read)
        schedule.next = [.video: 9]
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: 0, end: ends) == .park)
        schedule.playhead = 6
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: 0, end: ends) == .read)
        schedule.isAtEnd = true
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: 0, end: ends) == .park)
    }

    @Test func aTrackThatPausesIsReadPast() {
        var schedule = ProductionSchedule()
        (schedule.anchor, schedule.hasClient, schedule.playhead) = (0, true, 3)
        schedule.next = [.video: 20, .audio(0): 19]
        let ends: (Int) -> MediaTime? = { $0 >= 0 ? MediaTime(ticks: Int64($0 + 1) * 6, timescale: 1) : nil }
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: 0, end: ends, listedEnd: 4) == .read)
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: 0, end: ends, listedEnd: 19) == .park)
        let full = ProductionSchedule.leadByteCount + 1
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: full, end: ends, listedEnd: 4) == .read)
        schedule.playhead = 16
        #expect(schedule.step(plan: nil, isResident: { _ in true }, bytesAhead: full, end: ends, listedEnd: 19) == .park)
    }
}
