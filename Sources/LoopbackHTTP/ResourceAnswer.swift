/// A provider's answer to a name.
package enum ResourceAnswer: Sendable {
    /// 404. The answer is never cacheable: the name may exist a moment later.
    case notFound
    case ready(Resource)
    /// Being produced; the connection's thread waits for it within `LoopbackHTTPServer.Limits`.
    case pending(any PendingResource)
}
