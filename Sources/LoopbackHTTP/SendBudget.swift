/// How much longer a client may keep an answer waiting. Waits are charged, bytes it takes earn time back: who takes nothing is cut after
/// `credit`, who drips stays at most as long as its bytes are worth at the least rate. No clock of its own.
package struct SendBudget: Sendable {
    private let credit: Duration
    private let nanosecondsPerByte: Int64
    /// What is left to wait.
    package private(set) var left: Duration

    /// - Parameter leastRate: bytes a second that keep a client served for ever.
    package init(credit: Duration, leastRate: Int) {
        self.credit = max(credit, .milliseconds(1))
        nanosecondsPerByte = 1_000_000_000 / Int64(max(leastRate, 1))
        left = self.credit
    }

    package var isSpent: Bool { left <= .zero }

    package mutating func charge(_ waited: Duration) { left -= max(waited, .zero) }

    package mutating func earn(bytes: Int) {
        let (nanoseconds, overflow) = Int64(max(bytes, 0)).multipliedReportingOverflow(by: nanosecondsPerByte)
        left = overflow ? credit : min(credit, left + .nanoseconds(nanoseconds))
    }
}
