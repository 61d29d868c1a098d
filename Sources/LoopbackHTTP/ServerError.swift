/// Why the server could not start.
package enum ServerError: Error, Sendable, Equatable {
    /// `start()` was called before. A server starts once.
    case alreadyStarted
    /// `stop()` was called before.
    case stopped
    /// Asked to serve the local network, and there is no way there.
    case noLocalNetworkInterface(LoopbackHTTPServer.NoLocalNetworkInterface)
    /// A system call failed, with its `errno`; `bind` with EADDRINUSE means the port asked for is taken.
    case systemCall(name: String, errno: Int32)
}
