import BitsAndTime
import Remux
import Testing

@Suite struct TimestampRepairTests {
    private func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value, timescale: 90_000) }

    @Test func aClockThatStartsOverIsContinuedAndAllTracksMoveTogether() {
        var repair = TimestampRepair()
        for k in 0..<100 {
            let time = seconds(Double(k) * 0.04)
            #expect(repair.offset(stream: 0, time: time, duration: seconds(0.04)) == .zero)
            #expect(repair.offset(stream: 1, time: time, duration: seconds(0.04)) == .zero)
        }
        let first = repair.offset(stream: 0, time: .zero, duration: seconds(0.04))
        #expect(first == seconds(4))
        #expect(repair.offset(stream: 1, time: seconds(0.02), duration: seconds(0.04)) == first)
        #expect(repair.discontinuities == 1)
        #expect(repair.offset(stream: 0, time: seconds(0.04), duration: seconds(0.04)) == first)
    }

    @Test func aMissedWrapIsTakenOut() {
        var repair = TimestampRepair()
        let wrap = MediaTime(ticks: 1 << 33, timescale: 90_000)
        _ = repair.offset(stream: 0, time: wrap - seconds(0.04), duration: seconds(0.04))
        #expect(repair.offset(stream: 0, time: .zero, duration: seconds(0.04)) == wrap)
    }

    @Test func reorderingAndShortGapsAreLeftAlone() {
        var repair = TimestampRepair()
        for time in [0, 0.12, 0.04, 0.08, 5, 4.2, 14] { #expect(repair.offset(stream: 0, time: seconds(time), duration: seconds(0.04)) == .zero) }
        #expect(repair.discontinuities == 0)
    }

    @Test func aPauseOfOneTrackIsNoJump() {
        var repair = TimestampRepair()
        for k in 0..<1000 {
            let time = seconds(Double(k) * 0.04)
            #expect(repair.offset(stream: 0, time: time, duration: seconds(0.04)) == .zero)
            if !(100..<900).contains(k) { #expect(repair.offset(stream: 1, time: time, duration: seconds(0.04)) == .zero) }
        }
        #expect(repair.discontinuities == 0)
        // A jump that both make is one, whoever shows it first.
        let offset = repair.offset(stream: 1, time: seconds(60), duration: seconds(0.04))
        #expect(offset < .zero && repair.offset(stream: 0, time: seconds(60), duration: seconds(0.04)) == offset)
        #expect(repair.discontinuities == 1)
    }

    @Test func aTrackThatShowsUpAfterAJumpTakesTheClockInForce() {
        var repair = TimestampRepair()
        _ = repair.offset(stream: 0, time: seconds(100), duration: seconds(0.04))
        let offset = repair.offset(stream: 0, time: seconds(0), duration: seconds(0.04))
        #expect(repair.offset(stream: 2, time: seconds(0.1), duration: seconds(0.02)) == offset)
    }
}
