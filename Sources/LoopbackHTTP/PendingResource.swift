/// A resource that is being produced. One per request; used by that request's connection thread, except `cancel`.
package protocol PendingResource: Sendable {
    /// Media type the resource will have. Headers may have to be sent before the resource is there.
    var contentType: String { get }
    /// What ``Resource/isImmutable`` and ``Resource/etag`` will be, where that is known before the bytes are: caches may then keep also what came
    /// late, and a client that holds the bytes is told so without waiting. False and nil when it is not known.
    var isImmutable: Bool { get }
    var etag: String? { get }

    /// Blocks the calling thread until the resource is there, has failed, or `duration` has passed. Called again and again, in slices of
    /// at most `PendingServe.slice`. The duration asked for counts against the budget in full when the outcome is `.stillPending`, so
    /// an implementation must not return that early (other than after `cancel`).
    func wait(atMost duration: Duration) -> PendingOutcome

    /// The client went away or the server stops: wakes `wait` at once. Any thread, any number of times, also after an outcome. Not called
    /// when only the budget ran out: that client is about to ask again.
    func cancel()
}

extension PendingResource {
    package var contentType: String { "application/octet-stream" }
    package var isImmutable: Bool { false }
    package var etag: String? { nil }
}

package enum PendingOutcome: Sendable {
    case ready(Resource)
    case failed
    case stillPending
}
