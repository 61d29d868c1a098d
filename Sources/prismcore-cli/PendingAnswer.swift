import Locks
import LoopbackHTTP

/// What a task is about to answer, for a connection's thread that waits. The task goes on when the client goes away: it may ask again.
final class PendingAnswer: PendingResource {
    let contentType = "application/json"
    private let outcome = Monitor<PendingOutcome?>(nil)

    init(_ work: @escaping @Sendable () async -> Resource) {
        Task { [outcome] in
            let resource = await work()
            outcome.update { $0 = $0 ?? .ready(resource) }
        }
    }

    func wait(atMost duration: Duration) -> PendingOutcome { outcome.wait(atMost: duration) { $0 } ?? .stillPending }

    func cancel() { outcome.update { $0 = $0 ?? .failed } }
}
