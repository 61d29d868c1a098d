import Foundation
import LoopbackHTTP
import Synchronization
import Testing

/// Clients that stall, flood or lie, and one that behaves and must not notice. No test waits for time to pass: limits are set so that what a test
/// waits for is what the server does.
@Suite(.serialized) struct HostileClientTests {
    private static let huge = ResourceBody([UInt8](repeating: 7, count: 64 << 20))

    private func serve(
        _ change: (inout LoopbackHTTPServer.Limits) -> Void = { _ in },
        _ answer: @escaping @Sendable (String) -> ResourceAnswer = { .ready($0 == "huge" ? HostileClientTests.hugeResource : text($0)) }
    ) throws -> LoopbackHTTPServer {
        var limits = LoopbackHTTPServer.Limits.default
        // Far off, unless the test is about them.
        (limits.idleTimeout, limits.headTimeout, limits.sendTimeout) = (.seconds(600), .seconds(600), .seconds(600))
        change(&limits)
        let server = LoopbackHTTPServer(limits: limits, provider: FakeProvider(answer))
        try server.start()
        return server
    }

    private static let hugeResource = Resource(contentType: "a/b", body: huge, isImmutable: true)

    /// The good client. A place may take a moment to become free: until then it is told 503, and asks again.
    private func isServed(_ server: LoopbackHTTPServer, attempts: Int = 100_000) -> Bool {
        for _ in 0..<attempts {
            let answer = RawClient(port: server.port).get("/good").receiveAnswer()
            if answer.content == "good" { return true }
            guard answer.head.hasPrefix("HTTP/1.1 503 ") else { return false }
        }
        return false
    }

    // MARK: Heads

    @Test func aHeadThatDripsHasOneBudget() throws {
        let server = try serve { $0.headTimeout = .milliseconds(100) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("GET /")
        for _ in 0..<8000 where !client.hasNews(within: 1) { client.send("a") }
        #expect(client.receiveTextToEnd().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(isServed(server))
    }

    @Test func emptyLinesAreNoActivity() throws {
        let server = try serve { $0.idleTimeout = .milliseconds(100) }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        for _ in 0..<100_000 where !client.hasNews(within: 1) { client.send("\r\n") }
        #expect(client.isTurnedOut)
    }

    @Test(arguments: [
        ("GET /" + String(repeating: "a", count: 8 * 1024), "414"),
        ("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 64 * 1024), "431"),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 101), "431"),
        (String(repeating: "\0", count: 9000), "414"), ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\n", "400"),
    ])
    func oversizeAndNoiseGetAnAnswerAndNoMore(bytes: String, status: String) throws {
        let server = try serve()
        defer { server.stop() }
        let answer = RawClient(port: server.port).send(bytes).receiveTextToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(isServed(server))
    }

    @Test func garbageBehindAGoodRequestEndsTheConnection() throws {
        let server = try serve()
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.get("/a").send("\u{1}\u{2} nonsense\r\n\r\n").get("/b")
        #expect(client.receiveAnswer().content == "a")
        let rest = client.receiveTextToEnd()
        #expect(rest.hasPrefix("HTTP/1.1 400 ") && rest.components(separatedBy: "HTTP/1.1").count == 2)
    }

    /// A client that never stops sending after its refusal: the server reads on for a bounded while only, so that it ends at all.
    @Test func anEndlessRequestIsNotReadForEver() throws {
        let server = try serve()
        defer { server.stop() }
        let client = RawClient(port: server.port)
        let block = String(repeating: "a", count: 1 << 20)
        // `send` gives up at the reset.
        for _ in 0..<64 { client.send(block) }
        #expect(isServed(server))
    }

    // MARK: Bodies

    @Test func aReaderOfSingleBytesIsCut() throws {
        let released = Gate()
        let bytes = pattern(32 << 20)
        let server = try serve({ limits in
            limits.sendTimeout = .milliseconds(50)
            limits.leastSendRate = .max
        }) { name in
            guard name == "file" else { return .ready(text(name)) }
            let file = TemporaryFile(bytes, released: released)
            return .ready(Resource(contentType: "a/b", body: ResourceBody(file.region(0..<bytes.count)), isImmutable: true))
        }
        defer { server.stop() }
        let client = RawClient(port: server.port, receiveBuffer: 4096)
        client.get("/file")
        var taken = 0
        while !released.hasOpened, taken < bytes.count, client.receive(1).count == 1 { taken += 1 }
        #expect(released.wait(), "however steadily it reads")
        #expect(taken + client.receiveToEnd().count < bytes.count)
        #expect(isServed(server))
    }

    @Test func aStalledReaderMakesRoom() throws {
        let server = try serve { limits in
            limits.connections = 2
            limits.yieldAfterStall = .zero
        }
        defer { server.stop() }
        let stalled = (0..<2).map { _ in RawClient(port: server.port, receiveBuffer: 4096) }
        for client in stalled { #expect(client.get("/huge", "Connection: close\r\n").receive(1).count == 1) }
        #expect(isServed(server))
        #expect(stalled.map { $0.receiveToEnd().count }.contains { $0 < Self.huge.byteCount })
    }

    @Test func resetsInEveryStateHurtNobody() throws {
        let pending = BlockingPending()
        let server = try serve { $0.connections = 4 } _: { $0 == "pending" ? .pending(pending) : .ready($0 == "huge" ? Self.hugeResource : text($0)) }
        defer { server.stop() }
        for _ in 0..<50 {
            RawClient(port: server.port).reset()
            RawClient(port: server.port).send("GET / HT").reset()
            RawClient(port: server.port).get("/huge").reset()
            RawClient(port: server.port).get("/a").get("/b").get("/c").reset()
        }
        let waiting = RawClient(port: server.port)
        // The burst may still hold the places: ask until this one has.
        var asking = waiting
        while !pending.entered.hasOpened {
            asking.get("/pending")
            if asking.hasNews(within: 10) { asking = RawClient(port: server.port) }
        }
        asking.reset()
        #expect(pending.cancelled.wait(), "its wait is taken back")
        #expect(isServed(server))
    }

    // MARK: Places

    @Test func theOldestIdleConnectionMakesRoom() throws {
        let server = try serve { $0.connections = 4 }
        defer { server.stop() }
        let idle = (0..<4).map { _ in RawClient(port: server.port) }
        #expect(RawClient(port: server.port).get("/good").receiveAnswer().content == "good")
        #expect(idle[0].isTurnedOut, "it had waited longest")
        for client in idle.dropFirst() { #expect(client.get("/a", "Connection: close\r\n").receiveAnswer().content == "a") }
    }

    @Test func aConnectionKeptAliveMakesRoom() throws {
        let server = try serve { $0.connections = 1 }
        defer { server.stop() }
        let kept = RawClient(port: server.port)
        #expect(kept.get("/a").receiveAnswer().content == "a")
        #expect(isServed(server))
        #expect(kept.isTurnedOut)
    }

    @Test func aHalfSentHeadMakesRoom() throws {
        let server = try serve { $0.connections = 2 }
        defer { server.stop() }
        let slow = (0..<2).map { _ in RawClient(port: server.port).send("GET / HTTP/1.1\r\nX: ") }
        #expect(isServed(server))
        #expect(slow[0].isTurnedOut)
    }

    @Test func whenAllAreAtWorkANewOneIsToldAtOnce() throws {
        let pendings = [BlockingPending(ignoresDuration: true), BlockingPending(ignoresDuration: true)]
        let server = try serve { $0.connections = 2 } _: { name in Int(name).map { .pending(pendings[$0]) } ?? .ready(text(name)) }
        defer { server.stop() }
        let working = [RawClient(port: server.port), RawClient(port: server.port)]
        for (index, client) in working.enumerated() {
            client.get("/\(index)")
            #expect(pendings[index].entered.wait())
        }
        for _ in 0..<200 {
            let refused = RawClient(port: server.port)
            refused.get("/good")
            let answer = refused.receiveTextToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(answer.contains("\r\nRetry-After: 1\r\n") && answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("\r\n\r\n503 Service Unavailable\n"))
        }
        #expect(server.connectionCount == 2)
        for pending in pendings { pending.cancel() }
        for client in working { #expect(client.receiveAnswer().head.hasPrefix("HTTP/1.1 503 "), "a late failure of its own") }
        #expect(isServed(server))
    }

    @Test func silentClientsThatWereTurnedAwayAreLetGo() throws {
        let pending = BlockingPending(ignoresDuration: true)
        let server = try serve { $0.connections = 1 } _: { $0 == "pending" ? .pending(pending) : .ready(text($0)) }
        defer { server.stop() }
        let working = RawClient(port: server.port).get("/pending")
        #expect(pending.entered.wait())
        let refused = (0..<100).map { _ in RawClient(port: server.port) }
        for client in refused { #expect(client.receiveTextToEnd().hasPrefix("HTTP/1.1 503 ")) }
        pending.cancel()
        #expect(working.receiveAnswer().head.hasPrefix("HTTP/1.1 503 "))
        #expect(isServed(server))
    }

    #if os(Linux) && compiler(>=6.2)
    /// In a process of its own, since it counts the process's threads and descriptors.
    @Test func twoThousandConnectionsLeaveRoomForAGoodOne() async {
        await #expect(processExitsWith: .success) {
            func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
            var files = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
            files.rlim_cur = min(files.rlim_max, 8192)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
            let flood = min(2000, Int(files.rlim_cur) - 600)

            func run() throws -> LoopbackHTTPServer {
                var limits = LoopbackHTTPServer.Limits.default
                // Nobody is let in because another's time was up.
                (limits.idleTimeout, limits.headTimeout) = (.seconds(600), .seconds(600))
                let server = LoopbackHTTPServer(limits: limits, provider: FakeProvider { .ready(text($0)) })
                let threads = try count("/proc/self/task")
                try server.start()
                let loyal = RawClient(port: server.port)
                #expect(loyal.get("/a").receiveAnswer().content == "a")
                var hostile: [RawClient] = []
                for index in 0..<flood {
                    let client = RawClient(port: server.port)
                    if index % 3 == 1 { client.send("GET / HTTP/1.1\r\n") }
                    hostile.append(client)
                    guard index % 100 == 99 else { continue }
                    // On a busy machine the thread of one that must leave may take its time, and until then a new one is asked to come again.
                    let isServed = (0..<100).contains { _ in
                        let answer = RawClient(port: server.port).get("/b", "Connection: close\r\n").receiveTextToEnd()
                        #expect(answer.hasSuffix("\r\n\r\nb") || answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
                        return answer.hasSuffix("\r\n\r\nb")
                    }
                    #expect(isServed, "a new one is served")
                    #expect(loyal.get("/c").receiveAnswer().content == "c", "who asks now and then keeps its place")
                    #expect(try count("/proc/self/task") <= threads + 3 * limits.connections)
                }
                #expect(server.connectionCount <= limits.connections)
                // They leave, and the server notices without being told to stop.
                hostile = []
                let patience = ContinuousClock.now + .seconds(300)
                while server.connectionCount > 2, ContinuousClock.now < patience { sched_yield() }
                #expect(server.connectionCount <= 2)
                #expect(loyal.get("/d").receiveAnswer().content == "d")
                server.stop()
                return server
            }
            do {
                // The first round also starts what the runtime starts once. Of what a server left behind there would be one more each round.
                var stopped = [try run()]
                let descriptors = try count("/proc/self/fd")
                let threads = try count("/proc/self/task")
                // The runtime's own come and go by a few.
                for _ in 0..<8 { stopped.append(try run()) }
                #expect(try count("/proc/self/fd") <= descriptors + 4)
                #expect(try count("/proc/self/task") <= threads + 4)
                #expect(stopped.allSatisfy { $0.connectionCount == 0 })
            } catch {
                Issue.record(error)
            }
        }
    }

    /// In a process of its own, since it uses up the process's descriptors.
    @Test func withoutDescriptorsAnIdleConnectionMakesRoom() async {
        await #expect(processExitsWith: .success) {
            do {
                let server = LoopbackHTTPServer(provider: FakeProvider { .ready(text($0)) })
                try server.start()
                let idle = (0..<8).map { _ in RawClient(port: server.port) }
                for client in idle { #expect(client.get("/a").receiveAnswer().content == "a") }
                var files = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
                let before = files.rlim_cur
                files.rlim_cur = 256
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
                var filler: [Int32] = []
                while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { filler.append(descriptor) }
                close(filler.removeLast())
                // That one is the client's; the server has none left to accept it with.
                let content = RawClient(port: server.port).get("/good").receiveAnswer().content
                let connections = server.connectionCount
                // The test's own machinery needs some, too.
                for descriptor in filler { close(descriptor) }
                files.rlim_cur = before
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
                #expect(content == "good")
                #expect(connections <= 8)
                server.stop()
            } catch {
                Issue.record(error)
            }
        }
    }
    #endif
}
