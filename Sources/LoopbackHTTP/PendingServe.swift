/// When to wait on, send headers, or give up, for a resource that is not there yet. Outcomes in, actions out, no clock.
package struct PendingServe: Sendable {
    package enum Action: Sendable, Equatable {
        case wait(Duration)
        case sendEarlyHead
        case giveUp
    }

    /// Longest wait between two looks at the client.
    package static let slice: Duration = .milliseconds(250)

    private let earlyHeadAfter: Duration?
    private let budget: Duration
    /// Time charged so far.
    package private(set) var waited: Duration = .zero
    package private(set) var isEarlyHeadSent = false

    /// - Parameter earlyHeadAfter: nil when headers cannot be sent without a length (HTTP/1.0).
    package init(earlyHeadAfter: Duration?, budget: Duration) {
        self.earlyHeadAfter = earlyHeadAfter.map { max($0, .zero) }
        self.budget = max(budget, .zero)
    }

    /// The next thing to do. Asking `.sendEarlyHead` happens once; it counts as done.
    package mutating func next() -> Action {
        if waited >= budget { return .giveUp }
        var limit = budget
        if let earlyHeadAfter, !isEarlyHeadSent {
            if waited >= earlyHeadAfter {
                isEarlyHeadSent = true
                return .sendEarlyHead
            }
            limit = min(limit, earlyHeadAfter)
        }
        return .wait(min(Self.slice, limit - waited))
    }

    /// Charges one wait without an outcome: what was asked for, or what it really took if that was longer.
    package mutating func charge(asked: Duration, elapsed: Duration) {
        waited += max(asked, elapsed)
    }

    /// Adds the time of the wait that brought the outcome.
    package mutating func finish(elapsed: Duration) {
        waited += max(elapsed, .zero)
    }
}
