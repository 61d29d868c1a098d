import SubtitleRenditions
import Testing

@Suite struct CueScheduleTests {
    private let first = CueSchedule.Demand(track: 0, segments: 3...3)

    @Test func nothingIsReadForNobody() {
        #expect(CueSchedule(segments: 10).step == .park)
    }

    @Test func readingBeginsWhereItIsWantedAndGoesOnWhereTheNextIsNear() {
        var schedule = CueSchedule(segments: 10)
        schedule.demands = [first]
        #expect(schedule.step == .begin(3))
        schedule.run = .init(next: 3)
        #expect(schedule.step == .read)
        schedule.reach(4)
        #expect(schedule.covers(first) && schedule.step == .park)
        schedule.demands = [.init(track: 0, segments: 5...6)]
        #expect(schedule.step == .read)
        schedule.demands = [.init(track: 0, segments: 9...9)]
        #expect(schedule.step == .begin(9))
    }

    @Test func whatWasReadIsNotReadAgain() {
        var schedule = CueSchedule(segments: 10)
        schedule.run = .init(next: 0)
        schedule.reach(10)
        schedule.demands = [first, .init(track: 0, segments: 0...9)]
        #expect(schedule.step == .park)
        schedule.wanted = 2..<8
        #expect(schedule.step == .park)
    }

    @Test func aListenersWishesComeAfterWhatSomebodyWaitsFor() {
        var schedule = CueSchedule(segments: 10)
        schedule.wanted = 1..<4
        #expect(schedule.step == .begin(1))
        schedule.demands = [.init(track: 0, segments: 8...8)]
        #expect(schedule.step == .begin(8))
    }
}
