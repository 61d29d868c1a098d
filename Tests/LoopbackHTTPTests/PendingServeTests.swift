import LoopbackHTTP
import Testing

@Suite struct PendingServeTests {
    private func actions(_ early: Duration?, _ budget: Duration, elapsed: Duration = .zero) -> [PendingServe.Action] {
        var schedule = PendingServe(earlyHeadAfter: early, budget: budget)
        var actions: [PendingServe.Action] = []
        while true {
            let action = schedule.next()
            actions.append(action)
            switch action {
            case .giveUp: return actions
            case .sendEarlyHead: break
            case .wait(let slice): schedule.charge(asked: slice, elapsed: elapsed)
            }
        }
    }

    @Test func headersGoOutAfterTheirDelayAndTheBudgetIsTheEnd() {
        let slice = PendingServe.Action.wait(.milliseconds(250))
        #expect(
            actions(.seconds(2), .seconds(15))
                == Array(repeating: slice, count: 8) + [.sendEarlyHead] + Array(repeating: slice, count: 52) + [.giveUp])
    }

    @Test func slicesEndOnTheMark() {
        #expect(
            actions(.milliseconds(300), .milliseconds(560))
                == [.wait(.milliseconds(250)), .wait(.milliseconds(50)), .sendEarlyHead, .wait(.milliseconds(250)), .wait(.milliseconds(10)), .giveUp])
    }

    @Test func withoutALengthNoHeadersGoOutEarly() {
        #expect(actions(nil, .milliseconds(500)) == [.wait(.milliseconds(250)), .wait(.milliseconds(250)), .giveUp])
        #expect(actions(.seconds(2), .milliseconds(100)) == [.wait(.milliseconds(100)), .giveUp])
    }

    @Test func longWaitsCountAsLongAsTheyTook() {
        #expect(
            actions(.seconds(2), .seconds(4), elapsed: .milliseconds(1_500))
                == [.wait(.milliseconds(250)), .wait(.milliseconds(250)), .sendEarlyHead, .wait(.milliseconds(250)), .giveUp])
    }

    @Test func zeroDelayMeansAtOnce() {
        #expect(actions(.zero, .milliseconds(1)) == [.sendEarlyHead, .wait(.milliseconds(1)), .giveUp])
        #expect(actions(.seconds(-1), .seconds(-1)) == [.giveUp])
    }
}
