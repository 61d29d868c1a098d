import Foundation
import Locks
import LoopbackHTTP
import Testing

/// Against hand-written bytes and clients that misbehave.
@Suite(.serialized) struct ServerTests {
    private func serve(
        _ limits: LoopbackHTTPServer.Limits = .default, _ answer: @escaping @Sendable (String) -> ResourceAnswer
    ) throws -> LoopbackHTTPServer {
        let server = LoopbackHTTPServer(limits: limits, provider: FakeProvider(answer))
        try server.start()
        return server
    }

    private func limits(_ change: (inout LoopbackHTTPServer.Limits) -> Void) -> LoopbackHTTPServer.Limits {
        var limits = LoopbackHTTPServer.Limits.default
        change(&limits)
        return limits
    }

    /// Far more than socket buffers hold.
    private static let huge = ResourceBody([UInt8](repeating: 7, count: 64 << 20))

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        let server = try serve { .ready(text($0)) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        var requests = ""
        for index in 0..<20 { requests += "GET /n\(index) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
        client.send(requests)
        for index in 0..<20 { #expect(client.receiveAnswer().content == "n\(index)") }
    }

    @Test func theLastAllowedAnswerSaysSo() throws {
        let server = try serve(limits { $0.requestsPerConnection = 3 }) { .ready(text($0)) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        for _ in 0..<5 { client.get("/a") }
        #expect(!client.receiveAnswer().head.contains("Connection: close"))
        #expect(!client.receiveAnswer().head.contains("Connection: close"))
        #expect(client.receiveAnswer().head.contains("\r\nConnection: close\r\n"))
        #expect(client.receiveToEnd().isEmpty)
    }

    @Test func aHalfClosedClientGetsItsAnswers() throws {
        let server = try serve { $0 == "huge" ? .ready(Resource(contentType: "a/b", body: Self.huge, isImmutable: true)) : .ready(text($0)) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.get("/a").get("/huge").finishSending()
        #expect(client.receiveAnswer().content == "a")
        #expect(client.receiveHead().contains("\r\nContent-Length: \(Self.huge.byteCount)\r\n"))
        #expect(client.receiveToEnd().count == Self.huge.byteCount)
    }

    @Test func aClientThatLeavesMidBodyHurtsNobody() throws {
        let released = Gate()
        let bytes = pattern(32 << 20)
        let server = try serve { name in
            guard name == "file" else { return .ready(text(name)) }
            let file = TemporaryFile(bytes, released: released)
            return .ready(Resource(contentType: "a/b", body: ResourceBody(file.region(0..<bytes.count)), isImmutable: true))
        }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.get("/file")
        #expect(client.receive(1000).count == 1000)
        client.reset()
        #expect(released.wait(), "the answer is given up")
        #expect(RawClient(port: server.port).get("/b").receiveAnswer().content == "b")
    }

    @Test func aClientThatTakesNothingIsCut() throws {
        let released = Gate()
        let bytes = pattern(32 << 20)
        let server = try serve(limits { $0.sendTimeout = .milliseconds(50) }) { _ in
            let file = TemporaryFile(bytes, released: released)
            return .ready(Resource(contentType: "a/b", body: ResourceBody(file.region(0..<bytes.count)), isImmutable: true))
        }
        defer { server.stop() }
        let client = RawClient(port: server.port, receiveBuffer: 4096)
        client.get("/file")
        #expect(client.receive(1).count == 1)
        #expect(released.wait())
        #expect(client.receiveToEnd().count < bytes.count)
    }

    @Test func silenceEndsAConnection() throws {
        let server = try serve(limits { ($0.idleTimeout, $0.headTimeout) = (.milliseconds(20), .milliseconds(20)) }) { .ready(text($0)) }
        defer { server.stop() }
        #expect(RawClient(port: server.port).receiveToEnd().isEmpty)
        let client = RawClient(port: server.port)
        client.send("GET / HT")
        #expect(client.receiveTextToEnd().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", "400"), ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"), ("nonsense\r\n\r\n", "400"),
        ("GET / HTTP/2.0\r\n\r\n", "505"), ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n", "413"),
    ])
    func refusalsThatEndTheConnection(request: String, status: String) throws {
        let server = try serve { .ready(text($0)) }
        defer { server.stop() }
        let answer = RawClient(port: server.port).send(request).receiveTextToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.components(separatedBy: "HTTP/1.1").count == 2, "one answer, nothing of what followed")
    }

    @Test func refusalsThatDoNot() throws {
        let server = try serve { $0 == "a" ? .ready(text("a")) : .notFound }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.get("/a", method: "DELETE").get("/x").get("/%zz").get("/x", method: "HEAD")
        let refused = client.receiveAnswer()
        #expect(refused.head.hasPrefix("HTTP/1.1 405 ") && refused.head.contains("\r\nAllow: GET, HEAD, OPTIONS\r\n"))
        #expect(client.receiveAnswer().content == "404 Not Found\n")
        #expect(client.receiveAnswer().content == "400 Bad Request\n")
        #expect(client.receiveHead().hasPrefix("HTTP/1.1 404 "))
        #expect(client.get("/a").receiveAnswer().content == "a")
    }

    @Test func oldClientsMayKeepTheConnection() throws {
        let server = try serve { .ready(text($0)) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.get("/a", "Connection: keep-alive\r\n", version: "1.0")
        #expect(client.receiveAnswer().head.contains("\r\nConnection: keep-alive\r\n"))
        client.get("/b", version: "1.0")
        #expect(client.receiveTextToEnd().hasSuffix("\r\n\r\nb"))
    }

    // MARK: Pending

    @Test func headersGoOutBeforeTheBodyIsThere() throws {
        let released = Gate()
        final class Late: PendingResource {
            let contentType = "video/iso.segment"
            let asked = Locked<[Duration]>([])
            let released: Gate
            init(_ released: Gate) { self.released = released }
            func wait(atMost duration: Duration) -> PendingOutcome {
                let count = asked.withLock {
                    $0.append(duration)
                    return $0.count
                }
                // Eight slices are the two seconds; then it really waits, until the client has seen the headers.
                guard count > 8 else { return .stillPending }
                return released.wait() ? .ready(text("body")) : .failed
            }
            func cancel() {}
        }
        let late = Late(released)
        let server = try serve { _ in .pending(late) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        let head = client.get("/seg").receiveHead()
        #expect(head.contains("\r\nContent-Type: video/iso.segment\r\n") && head.contains("\r\nTransfer-Encoding: chunked\r\n"))
        released.open()
        #expect(client.receiveText(14) == "4\r\nbody\r\n0\r\n\r\n")
        #expect(late.asked.withLock { $0.allSatisfy { $0 > .zero && $0 <= .milliseconds(250) } })
        #expect(client.get("/seg").receiveAnswer().content == "body", "the connection goes on")
    }

    @Test func aCutAnswerHasNoEnd() throws {
        let server = try serve { _ in .pending(ScriptedPending([])) }
        defer { server.stop() }
        let answer = RawClient(port: server.port).get("/seg").receiveTextToEnd()
        #expect(answer.hasSuffix("\r\n\r\n"), "headers and not a byte of a chunk")
        #expect(!answer.hasSuffix("0\r\n\r\n"))
    }

    @Test func aBudgetThatRunsOutIsNoCancel() throws {
        let pending = ScriptedPending([])
        let server = try serve(limits { $0.pendingBudget = .milliseconds(600) }) { _ in .pending(pending) }
        defer { server.stop() }
        #expect(RawClient(port: server.port).get("/seg").receiveAnswer().head.hasPrefix("HTTP/1.1 503 "))
        #expect(pending.asked.count <= 3)
        #expect(pending.asked.reduce(.zero, +) <= .milliseconds(600))
        #expect(pending.cancels == 0)
    }

    @Test(arguments: [true, false]) func aClientThatLeavesCancelsItsWait(pipelined: Bool) throws {
        let pending = BlockingPending()
        let server = try serve { _ in .pending(pending) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.get("/seg")
        if pipelined { client.get("/next") }
        #expect(pending.entered.wait())
        client.finishSending()
        #expect(pending.cancelled.wait())
    }

    // MARK: Life

    @Test func startsOnceAndStopsOnce() throws {
        let server = LoopbackHTTPServer(provider: FakeProvider { .ready(text($0)) })
        #expect(server.port == 0)
        try server.start()
        #expect(server.port != 0)
        #expect(server.baseURL == "http://127.0.0.1:\(server.port)/")
        #expect(throws: ServerError.alreadyStarted) { try server.start() }
        let other = LoopbackHTTPServer(port: server.port, provider: FakeProvider { _ in .notFound })
        #expect(throws: ServerError.systemCall(name: "bind", errno: EADDRINUSE)) { try other.start() }
        server.stop()
        server.stop()
        #expect(throws: ServerError.stopped) { try server.start() }
        try other.start()
        #expect(RawClient(port: other.port).get("/").receiveHead().hasPrefix("HTTP/1.1 404 "))
        other.stop()
    }

    @Test func releaseStops() throws {
        var server: LoopbackHTTPServer? = try serve { .ready(text($0)) }
        let client = RawClient(port: try #require(server).port)
        #expect(client.get("/a").receiveAnswer().content == "a")
        server = nil
        #expect(client.receiveToEnd().isEmpty)
    }

    #if os(Linux) && compiler(>=6.2)
    /// In a process of its own, since it counts the process's threads and descriptors.
    @Test func stopLeavesNothingBehindWhateverClientsDo() async {
        await #expect(processExitsWith: .success) {
            func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
            let file = TemporaryFile(pattern(32 << 20))
            func run() throws -> LoopbackHTTPServer {
                let pendings = [BlockingPending(), BlockingPending(ignoresDuration: true)]
                let server = LoopbackHTTPServer(
                    provider: FakeProvider { name in
                        switch name {
                        case "0", "1": .pending(pendings[Int(name) ?? 0])
                        case "memory": .ready(Resource(contentType: "a/b", body: ServerTests.huge, isImmutable: true))
                        case "file": .ready(Resource(contentType: "a/b", body: ResourceBody(file.region(0..<(32 << 20))), isImmutable: true))
                        default: .ready(text(name))
                        }
                    })
                try server.start()
                var clients: [RawClient] = []
                func client() -> RawClient {
                    clients.append(RawClient(port: server.port, receiveBuffer: 4096))
                    return clients[clients.count - 1]
                }
                for name in ["memory", "file"] { #expect(client().get("/\(name)").receive(1).count == 1) }
                client().get("/0")
                client().get("/1")
                for pending in pendings { #expect(pending.entered.wait()) }
                client().send("GET / HT")
                #expect(client().get("/a").receiveAnswer().content == "a")
                for _ in 0..<30 { #expect(client().get("/a", "Connection: close\r\n").receiveTextToEnd().hasSuffix("a")) }
                _ = client()
                server.stop()
                for client in clients { _ = client.receiveToEnd() }
                return server
            }
            do {
                let descriptors = try count("/proc/self/fd")
                let threads = try count("/proc/self/task")
                var stopped: [LoopbackHTTPServer] = []
                for _ in 0..<4 {
                    stopped.append(try run())
                    #expect(try count("/proc/self/fd") == descriptors, "stopped, not yet released")
                    #expect(try count("/proc/self/task") <= threads)
                }
            } catch {
                Issue.record(error)
            }
        }
    }
    #endif
}
