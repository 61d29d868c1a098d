import Foundation
import LoopbackHTTP

/// What a task is about to answer, for a connection's thread that waits. The task goes on when the client goes away: it may ask again.
///
/// `@unchecked Sendable`: `outcome` is touched only while `condition` is locked.
final class PendingAnswer: PendingResource, @unchecked Sendable {
    let contentType = "application/json"
    private let condition = NSCondition()
    private var outcome: PendingOutcome?

    init(_ work: @escaping @Sendable () async -> Resource) {
        Task { [self] in
            let resource = await work()
            finish(.ready(resource))
        }
    }

    func wait(atMost duration: Duration) -> PendingOutcome {
        let parts = duration.components
        let end = Date(timeIntervalSinceNow: Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
        condition.lock()
        defer { condition.unlock() }
        while outcome == nil, condition.wait(until: end) {}
        return outcome ?? .stillPending
    }

    func cancel() { finish(.failed) }

    private func finish(_ result: PendingOutcome) {
        condition.lock()
        defer { condition.unlock() }
        outcome = outcome ?? result
        condition.broadcast()
    }
}
