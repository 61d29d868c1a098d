import Locks

/// An HTTP/1.1 server on 127.0.0.1 for one playback session: GET and HEAD of what a `ResourceProvider` knows, byte ranges, conditions,
/// keep-alive and pipelining, and answers that begin before their bytes are there. What clients can do to it: docs/threat-model.md.
///
/// A thread per connection (measured: with `sendfile` as fast as nginx for segments), each wait with a deadline. Starts once, stops once;
/// released without `stop()`, it stops itself.
///
/// RFC 9110 and RFC 9112 (2022).
package final class LoopbackHTTPServer: Sendable {
    private enum Phase {
        case idle
        case running(ConnectionTable, port: UInt16)
        case stopped(port: UInt16)
    }

    /// How long `stop` waits for threads held up in the provider's code. Clients cannot hold one up.
    private static let stopBound: Duration = .seconds(2)

    package let limits: Limits
    private let requestedPort: UInt16
    private let provider: any ResourceProvider
    private let onEvent: (@Sendable (ServerEvent) -> Void)?
    private let phase = Locked(Phase.idle)

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - onEvent: called on connection threads; must neither block nor call `stop()`.
    package init(
        port: UInt16 = 0, limits: Limits = .default, provider: any ResourceProvider, onEvent: (@Sendable (ServerEvent) -> Void)? = nil
    ) {
        requestedPort = port
        self.limits = limits
        self.provider = provider
        self.onEvent = onEvent
    }

    deinit { stop() }

    /// The port bound; before `start`, the one asked for.
    package var port: UInt16 {
        phase.withLock { phase in
            switch phase {
            case .idle: requestedPort
            case .running(_, let port), .stopped(let port): port
            }
        }
    }

    /// `http://127.0.0.1:PORT/`
    package var baseURL: String { "http://127.0.0.1:\(port)/" }

    /// Connections that have a place now; 0 when not running.
    package var connectionCount: Int {
        phase.withLock { phase in
            if case .running(let table, _) = phase { table.connectionCount } else { 0 }
        }
    }

    /// Binds and begins to serve. When it returns, connections are taken.
    package func start() throws(ServerError) {
        let failure: ServerError? = phase.withLock { phase -> ServerError? in
            switch phase {
            case .running: return .alreadyStarted
            case .stopped: return .stopped
            case .idle: break
            }
            do throws(ServerError) {
                phase = try launch()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func launch() throws(ServerError) -> Phase {
        guard let table = ConnectionTable(capacity: limits.connections, yieldAfterStall: limits.yieldAfterStall) else {
            throw ServerError.systemCall(name: "pipe", errno: lastErrorNumber())
        }
        let listener = try Listener(port: requestedPort)
        // Threads hold what they need, not the server: its release is what stops them.
        let service = Connection.Service(table: table, provider: provider, limits: limits, onEvent: onEvent)
        let started = table.startThread {
            listener.run(table: table) { client in
                switch table.admit(client) {
                case .full: return false
                case .stopping: return true
                case .admitted(let id, let activity):
                    let isServed = table.startThread {
                        var connection = Connection(id: id, descriptor: client, activity: activity, service: service)
                        connection.run()
                        table.retire(id)
                    }
                    if !isServed { table.retire(id) }
                    return true
                }
            }
        }
        guard started else {
            closeDescriptor(listener.descriptor)
            throw ServerError.systemCall(name: "pthread_create", errno: lastErrorNumber())
        }
        return .running(table, port: listener.port)
    }

    /// Closes the listener and every connection, wakes every wait, and joins the threads. Returns within a moment whatever clients do;
    /// at most after two seconds if the provider does not return from a call. Any thread but a connection's; more than once is harmless.
    package func stop() {
        let table: ConnectionTable? = phase.withLock { phase in
            switch phase {
            case .idle:
                phase = .stopped(port: requestedPort)
                return nil
            case .running(let table, let port):
                phase = .stopped(port: port)
                return table
            case .stopped: return nil
            }
        }
        table?.stopAll(within: Self.stopBound)
    }
}
