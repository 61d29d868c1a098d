#if os(Linux)
import Foundation
@testable import LoopbackHTTP
import Locks
import Testing

/// Interfaces that a test makes up and changes. Their addresses are other ones of the loopback, which Linux lets anybody bind.
final class FakeInterfaces: InterfaceFacts {
    private struct State {
        var interfaces: [NetworkInterface]
        var watchers: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }
    private final class Watch: InterfaceWatch {
        let whenEnded: @Sendable () -> Void
        init(_ whenEnded: @escaping @Sendable () -> Void) { self.whenEnded = whenEnded }
        func end() { whenEnded() }
    }

    private let state: Locked<State>

    init(_ interfaces: [(String, String)]) { state = Locked(State(interfaces: Self.list(interfaces))) }

    var watchers: Int { state.withLock { $0.watchers.count } }

    private static func list(_ interfaces: [(String, String)]) -> [NetworkInterface] {
        interfaces.enumerated().map { index, one in
            NetworkInterface(
                name: one.0, flags: one.0 == "lo" ? [.up, .running, .loopback] : [.up, .running], address: IPv4Address(one.1) ?? .loopback, index: UInt32(index + 1))
        }
    }

    func become(_ interfaces: [(String, String)]) {
        let watchers = state.withLock { state in
            state.interfaces = Self.list(interfaces)
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher() }
    }

    func current() throws(ServerError) -> [NetworkInterface] { state.withLock { $0.interfaces } }

    func watch(_ onChange: @escaping @Sendable () -> Void) -> any InterfaceWatch {
        let id = state.withLock { state in
            state.count += 1
            state.watchers[state.count] = onChange
            return state.count
        }
        return Watch { [weak self] in self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) } }
    }
}

@Suite(.serialized) struct LocalNetworkServerTests {
    private static let address = "127.0.0.77"
    private static let all = [("lo", "127.0.0.1"), ("docker0", "127.0.0.78"), ("eth0", address)]

    private func serve(
        _ facts: FakeInterfaces = FakeInterfaces(all), limits: LoopbackHTTPServer.Limits = .default, log: EventLog? = nil,
        _ answer: @escaping @Sendable (String) -> ResourceAnswer
    ) throws -> LoopbackHTTPServer {
        let server = LoopbackHTTPServer(
            limits: limits, reachability: .localNetworkUnencryptedForAirPlay, facts: facts, provider: FakeProvider(answer), onEvent: { log?.append($0) })
        try server.start()
        return server
    }

    private func client(_ server: LoopbackHTTPServer, _ address: String = address) -> RawClient {
        RawClient(port: server.port, address: IPv4Address(address)?.value ?? 0)
    }

    private func token(_ server: LoopbackHTTPServer) -> String { String(server.baseURL.dropLast().split(separator: "/").last ?? "") }

    /// An answer without its date.
    private func undated(_ answer: String) -> String { answer.replacing(/\r\nDate: [^\r]*/, with: "") }

    @Test func oneAddressIsBoundAndNoOther() throws {
        let server = try serve { .ready(text($0)) }
        defer { server.stop() }
        #expect(server.baseURL == "http://\(Self.address):\(server.port)/\(token(server))/")
        #expect(token(server).utf8.count == 32)
        #expect(client(server).get("/\(token(server))/a").receiveAnswer().content == "a")
        for other in ["127.0.0.1", "127.0.0.78"] { #expect(!client(server, other).isConnected) }
    }

    @Test func aWrongTokenIsAWrongName() throws {
        let server = try serve { $0 == "a" ? .ready(text("a")) : .notFound }
        defer { server.stop() }
        let wrong = String(token(server).reversed())
        for (method, close) in [("GET", ""), ("HEAD", ""), ("GET", "Connection: close\r\n"), ("HEAD", "Connection: close\r\n")] {
            func answer(_ target: String) -> String {
                let client = client(server)
                client.get(target, close, method: method)
                if close.isEmpty { client.finishSending() }
                return undated(client.receiveTextToEnd())
            }
            let wrongName = answer("/\(token(server))/b")
            #expect(wrongName.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            for target in ["/a", "/", "/\(wrong)/a", "/\(wrong)/b", "/\(wrong)", "/\(token(server))a/a"] { #expect(answer(target) == wrongName) }
        }
        #expect(client(server).get("/a", method: "DELETE").receiveAnswer().head.hasPrefix("HTTP/1.1 404 "))
        #expect(client(server).get("/\(token(server))/a", method: "DELETE").receiveAnswer().head.hasPrefix("HTTP/1.1 405 "))
        #expect(client(server).get("/a", "X-PrismCore-Token: \(token(server))\r\n").receiveAnswer().content == "a")
    }

    @Test func nothingBehindTheGateSeesTheToken() throws {
        var limits = LoopbackHTTPServer.Limits.default
        limits.earlyHeaderDelay = .milliseconds(1)
        limits.pendingBudget = .milliseconds(2)
        let (log, names) = (EventLog(), EventNames())
        let server = try serve(limits: limits, log: log) { name in
            names.append(name)
            switch name {
            case "slow": return .pending(ScriptedPending([.stillPending, .stillPending, .ready(text("s"))]))
            case "failed": return .pending(ScriptedPending([.failed]))
            case "late": return .pending(ScriptedPending([]))
            default: return .notFound
            }
        }
        defer { server.stop() }
        let secret = token(server)
        for name in ["slow", "failed", "late", "x"] {
            _ = client(server).get("/\(secret)/\(name)?t=\(secret)", "Connection: close\r\nX-PrismCore-Token: \(secret)\r\n").receiveToEnd()
            _ = client(server).get("/\(name)", "Connection: close\r\nX-PrismCore-Token: \(secret)\r\n").receiveToEnd()
        }
        #expect(!log.all.isEmpty)
        for told in log.all.map({ "\($0)" }) + names.all { #expect(!told.contains(secret)) }
        var dumped = ""
        dump(server, to: &dumped)
        #expect(!dumped.contains(secret))
    }

    @Test func anAddressThatGoesIsAnsweredForAndComesBack() throws {
        let (facts, log) = (FakeInterfaces(Self.all), EventLog())
        let server = try serve(facts, log: log) { .ready(text($0)) }
        defer { server.stop() }
        let held = client(server)
        let target = "/\(token(server))/a"
        #expect(held.get(target).receiveAnswer().content == "a")
        #expect(server.serviceAddress == .available(Self.address))

        facts.become([("lo", "127.0.0.1")])
        #expect(server.serviceAddress == .addressLost(Self.address))
        let refused = held.get(target).receiveAnswer().head
        #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("\r\nRetry-After: 1\r\n"))
        #expect(held.get("/a").receiveAnswer().head.hasPrefix("HTTP/1.1 404 "), "who has no token learns nothing of it")
        // Another address is no substitute: the URL holds the old one.
        facts.become([("lo", "127.0.0.1"), ("eth0", "127.0.0.79")])
        #expect(held.get(target).receiveAnswer().head.hasPrefix("HTTP/1.1 503 "))
        #expect(!client(server, "127.0.0.79").isConnected)

        facts.become(Self.all)
        #expect(held.get(target).receiveAnswer().content == "a")
        #expect(log.all == [.serviceAddressChanged(.addressLost(Self.address)), .serviceAddressChanged(.available(Self.address))])
        server.stop()
        #expect(facts.watchers == 0)
        #expect(server.serviceAddress == nil)
    }

    @Test func aPersonsChoiceIsBound() throws {
        let server = LoopbackHTTPServer(
            reachability: .localNetworkUnencryptedForAirPlay, interface: "docker0", facts: FakeInterfaces(Self.all), provider: FakeProvider { .ready(text($0)) })
        try server.start()
        defer { server.stop() }
        #expect(server.baseURL.hasPrefix("http://127.0.0.78:"))
        #expect(client(server, "127.0.0.78").get("/\(token(server))/a").receiveAnswer().content == "a")
    }

    @Test func withoutAnInterfaceItDoesNotStart() {
        let server = LoopbackHTTPServer(
            reachability: .localNetworkUnencryptedForAirPlay, facts: FakeInterfaces([("lo", "127.0.0.1"), ("wg0", "127.0.0.80")]), provider: FakeProvider { .ready(text($0)) })
        #expect {
            try server.start()
        } throws: { error in
            guard case .noLocalNetworkInterface(let none)? = error as? ServerError else { return false }
            return none.rejected.map(\.name) == ["lo", "wg0"]
        }
        #expect(server.serviceAddress == nil)
    }

    @Test func eachServerHasATokenOfItsOwn() throws {
        let (one, other) = (try serve { .ready(text($0)) }, try serve { .ready(text($0)) })
        defer {
            one.stop()
            other.stop()
        }
        #expect(token(one) != token(other))
        #expect(client(one).get("/\(token(other))/a").receiveAnswer().head.hasPrefix("HTTP/1.1 404 "))
    }

    @Test func theLoopbackNeedsNoTokenAndWatchesNothing() throws {
        let facts = FakeInterfaces(Self.all)
        let server = LoopbackHTTPServer(facts: facts, provider: FakeProvider { .ready(text($0)) })
        try server.start()
        defer { server.stop() }
        #expect(server.baseURL == "http://127.0.0.1:\(server.port)/")
        #expect(server.serviceAddress == .available("127.0.0.1"))
        #expect(facts.watchers == 0)
        #expect(!client(server).isConnected)
    }

    #if compiler(>=6.2)
    /// In a process of its own, since it counts the process's threads and descriptors.
    @Test func theSystemsWatchLeavesNothingBehind() async {
        await #expect(processExitsWith: .success) {
            do {
                func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
                SystemInterfaceFacts().watch {}.end()
                let (descriptors, threads) = (try count("/proc/self/fd"), try count("/proc/self/task"))
                for round in 0..<40 {
                    let watch = SystemInterfaceFacts().watch {}
                    if round % 2 == 0 {
                        watch.end()
                        watch.end()
                    }
                }
                // A watch that is only let go of ends on its own thread.
                for _ in 0..<200 where try count("/proc/self/fd") > descriptors { usleep(10_000) }
                #expect(try count("/proc/self/fd") <= descriptors)
                // The process has threads of its own that come and go; forty that stayed would show.
                #expect(try count("/proc/self/task") < threads + 20)
            } catch {
                Issue.record(error)
            }
        }
    }
    #endif
}

/// Names a provider was asked for.
private final class EventNames: Sendable {
    private let names = Locked<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func append(_ name: String) { names.withLock { $0.append(name) } }
}
#endif
