import LoopbackHTTP
import Testing

/// Who has to make room, and how long a slow reader is waited for: decisions without a socket or a clock.
@Suite struct PlacesTests {
    private let start = ContinuousClock.now

    private func leastUseful(_ activities: [ConnectionActivity]) -> Int? {
        ConnectionActivity.leastUseful(
            of: activities.enumerated().map { (id: $0.offset, activity: $0.element) }, now: start + .seconds(10), yieldAfterStall: .seconds(2))
    }

    private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test func theOneIdleLongestGoesFirst() {
        #expect(leastUseful([.idle(since: at(5)), .busy, .idle(since: at(3)), .idle(since: at(9))]) == 2)
        #expect(leastUseful([.stalled(since: at(0)), .idle(since: at(9))]) == 1, "a stalled one still wants its bytes")
    }

    @Test func failingThatTheOneStalledLongest() {
        #expect(leastUseful([.busy, .stalled(since: at(7)), .stalled(since: at(4)), .stalled(since: at(9))]) == 2)
        #expect(leastUseful([.busy, .stalled(since: at(8))]) == 1)
    }

    @Test func whoIsAtWorkStays() {
        #expect(leastUseful([]) == nil)
        #expect(leastUseful([.busy, .busy, .stalled(since: at(9))]) == nil, "a second without progress is no stall")
    }

    @Test func aReaderOfNothingHasItsCredit() {
        var budget = SendBudget(credit: .seconds(30), leastRate: 4096)
        budget.charge(.seconds(29))
        #expect(!budget.isSpent && budget.left == .seconds(1))
        budget.charge(.seconds(1))
        #expect(budget.isSpent)
    }

    @Test func bytesEarnTheTimeTheyAreWorth() {
        var budget = SendBudget(credit: .seconds(30), leastRate: 1000)
        budget.charge(.seconds(20))
        budget.earn(bytes: 5000)
        #expect(budget.left == .seconds(15))
        budget.earn(bytes: 1 << 40)
        #expect(budget.left == .seconds(30), "no more than the credit")
        budget.earn(bytes: .max)
        #expect(budget.left == .seconds(30))
    }

    @Test func aDripIsCutAndAStreamIsNot() {
        var drip = SendBudget(credit: .seconds(30), leastRate: 4096)
        var seconds = 0
        while !drip.isSpent, seconds < 1000 {
            drip.charge(.seconds(1))
            drip.earn(bytes: 1)
            seconds += 1
        }
        #expect(seconds <= 31)
        var stream = SendBudget(credit: .seconds(30), leastRate: 4096)
        for _ in 0..<100_000 {
            stream.charge(.seconds(1))
            #expect(!stream.isSpent)
            stream.earn(bytes: 4097)
        }
    }

    @Test func senselessLimitsStillServe() {
        let budget = SendBudget(credit: .seconds(-1), leastRate: 0)
        #expect(budget.left == .milliseconds(1))
    }
}
