import Locks

/// An HTTP/1.1 server for one playback session, on 127.0.0.1 or, where the host asks for it, on one address of the local network: GET and
/// HEAD of what a `ResourceProvider` knows, byte ranges, conditions, keep-alive and pipelining, and answers that begin before their bytes
/// are there. What clients can do to it: docs/threat-model.md.
///
/// A thread per connection (measured: with `sendfile` as fast as nginx for segments), each wait with a deadline. Starts once, stops once;
/// released without `stop()`, it stops itself.
///
/// RFC 9110 and RFC 9112 (2022).
public final class LoopbackHTTPServer: Sendable {
    private enum Phase {
        case idle
        case running(ConnectionTable, AddressWatch?, Endpoint)
        case stopped(Endpoint)
    }

    private struct Endpoint {
        var address: IPv4Address
        var port: UInt16
    }

    /// How long `stop` waits for threads held up in the provider's code. Clients cannot hold one up.
    private static let stopBound: Duration = .seconds(2)

    package let limits: Limits
    package let reachability: Reachability
    private let requestedPort: UInt16
    private let requestedInterface: String?
    private let facts: any InterfaceFacts
    /// Nil on the loopback, which only this machine's own programs reach.
    private let token: AccessToken?
    private let provider: any ResourceProvider
    private let onEvent: (@Sendable (ServerEvent) -> Void)?
    private let phase = Locked(Phase.idle)

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - interface: Name or IPv4 address of the interface that serves the local network; nil: chosen by `InterfaceChoice`.
    ///   - facts: The interfaces to choose from.
    ///   - onEvent: called on connection threads; must neither block nor call `stop()`.
    package init(
        port: UInt16 = 0, limits: Limits = .default, reachability: Reachability = .loopbackOnly, interface: String? = nil,
        facts: any InterfaceFacts = SystemInterfaceFacts(), provider: any ResourceProvider, onEvent: (@Sendable (ServerEvent) -> Void)? = nil
    ) {
        requestedPort = port
        requestedInterface = interface
        self.reachability = reachability
        self.facts = facts
        token = reachability == .loopbackOnly ? nil : AccessToken()
        self.limits = limits
        self.provider = provider
        self.onEvent = onEvent
    }

    deinit { stop() }

    /// The port bound; before `start`, the one asked for.
    package var port: UInt16 { endpoint?.port ?? requestedPort }

    /// What names are appended to: `http://127.0.0.1:PORT/`, or `http://ADDRESS:PORT/TOKEN/` (known once started), which is not for logs.
    package var baseURL: String {
        let origin = "http://\((endpoint?.address ?? .loopback)):\(port)/"
        return token.map { "\(origin)\($0.pathComponent)/" } ?? origin
    }

    /// Whether the address in `baseURL` still leads here; nil when the server does not run.
    package var serviceAddress: ServiceAddress? {
        phase.withLock { phase in
            guard case .running(_, let watch, let endpoint) = phase else { return nil }
            return watch?.serviceAddress ?? .available(endpoint.address.description)
        }
    }

    private var endpoint: Endpoint? {
        phase.withLock { phase in
            switch phase {
            case .idle: nil
            case .running(_, _, let endpoint), .stopped(let endpoint): endpoint
            }
        }
    }

    /// Connections that have a place now; 0 when not running.
    package var connectionCount: Int {
        phase.withLock { phase in
            if case .running(let table, _, _) = phase { table.connectionCount } else { 0 }
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
        // Not under the lock: an event may be told from in here.
        let watch: AddressWatch? = phase.withLock { if case .running(_, let watch, _) = $0 { watch } else { nil } }
        watch?.begin()
    }

    private func launch() throws(ServerError) -> Phase {
        guard let table = ConnectionTable(capacity: limits.connections, yieldAfterStall: limits.yieldAfterStall) else {
            throw ServerError.systemCall(name: "pipe", errno: lastErrorNumber())
        }
        let address = try address()
        let listener = try Listener(address: address, port: requestedPort)
        let onEvent = onEvent
        let watch =
            reachability == .loopbackOnly
            ? nil : AddressWatch(address: address, facts: facts) { onEvent?(.serviceAddressChanged($0)) }
        let gate = RequestGate(address: address, token: token) { watch?.isPresent ?? true }
        // Threads hold what they need, not the server: its release is what stops them.
        let service = Connection.Service(table: table, provider: provider, gate: gate, limits: limits, onEvent: onEvent)
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
        return .running(table, watch, Endpoint(address: address, port: listener.port))
    }

    private func address() throws(ServerError) -> IPv4Address {
        guard reachability != .loopbackOnly else { return .loopback }
        let interfaces = try facts.current()
        do throws(NoLocalNetworkInterface) {
            return try InterfaceChoice.choose(from: interfaces, wanted: requestedInterface).address
        } catch {
            throw .noLocalNetworkInterface(error)
        }
    }

    /// Closes the listener and every connection, wakes every wait, and joins the threads. Returns within a moment whatever clients do;
    /// at most after two seconds if the provider does not return from a call. Any thread but a connection's; more than once is harmless.
    package func stop() {
        let (table, watch): (ConnectionTable?, AddressWatch?) = phase.withLock { phase in
            switch phase {
            case .idle:
                phase = .stopped(Endpoint(address: .loopback, port: requestedPort))
                return (nil, nil)
            case .running(let table, let watch, let endpoint):
                phase = .stopped(endpoint)
                return (table, watch)
            case .stopped: return (nil, nil)
            }
        }
        watch?.end()
        table?.stopAll(within: Self.stopBound)
    }
}
