import Foundation
import LoopbackHTTP
import Testing

/// Against a real client.
@Suite(.serialized) struct CurlTests {
    private static let big = pattern(5 << 20)
    private let server: LoopbackHTTPServer
    private let events = EventLog()

    init() throws {
        let file = TemporaryFile(Self.big)
        let log = events
        server = LoopbackHTTPServer(
            provider: FakeProvider { name in
                switch name {
                case "hello.txt": .ready(text("0123456789", etag: "t"))
                case "empty": .ready(text(""))
                case "big.m4s": .ready(Resource(contentType: "video/mp4", body: ResourceBody(file.region(0..<Self.big.count)), isImmutable: true))
                case "mixed.m4s":
                    .ready(
                        Resource(
                            contentType: "video/mp4",
                            body: ResourceBody(pieces: [
                                .bytes(Array(Self.big[..<1000])), .file(file.region(1000..<3_000_000)), .bytes(Array(Self.big[3_000_000...])),
                            ]), isImmutable: true))
                case "short.m4s":
                    .ready(
                        Resource(
                            contentType: "video/mp4", body: ResourceBody(file.region((Self.big.count - 10)..<(Self.big.count + 10))),
                            isImmutable: true))
                case "slow.m4s":
                    .pending(ScriptedPending(Array(repeating: .stillPending, count: 20) + [.ready(text("late"))]))
                case "fails-late.m4s": .pending(ScriptedPending(Array(repeating: .stillPending, count: 20) + [.failed]))
                case "fails-early.m4s": .pending(ScriptedPending([.failed]))
                case "never.m4s": .pending(ScriptedPending([]))
                case "kept.m4s": .pending(ScriptedPending(etag: "t", []))
                case "soon.m4s": .pending(ScriptedPending([.stillPending, .ready(text("soon"))]))
                default: .notFound
                }
            }, onEvent: { log.append($0) })
        try server.start()
    }

    private func url(_ name: String) -> String { server.baseURL + name }

    @Test func getsAnAnswerWithItsHeaders() throws {
        defer { server.stop() }
        let answer = try Curl.run("--include", url("hello.txt?token=secret"))
        #expect(answer.status == 0)
        #expect(answer.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.text.contains("\r\nContent-Length: 10\r\n"))
        #expect(answer.text.contains("\r\nETag: \"t\"\r\n"))
        #expect(answer.text.contains("\r\nCache-Control: no-cache\r\n"))
        #expect(answer.text.contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
        #expect(answer.text.contains("\r\nDate: "))
        #expect(answer.text.hasSuffix("\r\n\r\n0123456789"))
        #expect(try Curl.run("--include", url("empty")).text.contains("\r\nContent-Length: 0\r\n"))
        #expect(try Curl.run("--include", url("big.m4s"), "--head").text.contains("\r\nCache-Control: public, max-age=31536000, immutable\r\n"))
    }

    @Test func connectionsAreReused() throws {
        defer { server.stop() }
        let answer = try Curl.run(
            "--output", "/dev/null", "--output", "/dev/null", "--output", "/dev/null", "--write-out", "%{num_connects} %{http_code}\n",
            url("hello.txt"), url("nothing"), url("slow.m4s"))
        #expect(answer.text == "1 200\n0 404\n0 200\n")
    }

    @Test func bodiesArriveWhole() throws {
        defer { server.stop() }
        #expect(try Curl.run(url("big.m4s")).output == Self.big)
        #expect(try Curl.run(url("mixed.m4s")).output == Self.big)
        #expect(try Curl.run("--http1.0", url("mixed.m4s")).output == Self.big)
    }

    @Test func rangesSpanPieces() throws {
        defer { server.stop() }
        #expect(try Curl.run("--range", "2-5", url("hello.txt")).text == "2345")
        #expect(try Curl.run("--range", "-4", url("hello.txt")).text == "6789")
        #expect(try Curl.run("--range", "7-", url("hello.txt")).text == "789")
        #expect(try Curl.run("--range", "0-1,4-5", url("hello.txt")).text == "0123456789")
        #expect(try Curl.run("--range", "7-8,90-", url("hello.txt")).text == "78")
        #expect(try Curl.run("--range", "5-4", url("hello.txt")).text == "0123456789")
        #expect(try Curl.run("--include", "--range", "10-", url("hello.txt")).text.contains("\r\nContent-Range: bytes */10\r\n"))
        #expect(try Curl.run("--range", "10-", "--output", "/dev/null", "--write-out", "%{http_code}", url("hello.txt")).text == "416")
        #expect(try Curl.run("--range", "900-3000099", url("mixed.m4s")).output == Array(Self.big[900...3_000_099]))
        #expect(try Curl.run("--range", "-2000000", url("mixed.m4s")).output == Array(Self.big.suffix(2_000_000)))
        let part = try Curl.run("--include", "--range", "2-5", url("hello.txt")).text
        #expect(part.contains("206 Partial Content") && part.contains("\r\nContent-Range: bytes 2-5/10\r\n"))
    }

    @Test func headHasNoContent() throws {
        defer { server.stop() }
        let answer = try Curl.run("--head", url("big.m4s"))
        #expect(answer.status == 0)
        #expect(answer.text.contains("\r\nContent-Length: \(Self.big.count)\r\n"))
        #expect(answer.text.hasSuffix("\r\n\r\n"))
        let pending = try Curl.run("--head", url("slow.m4s"))
        #expect(pending.status == 0)
        #expect(pending.text.hasPrefix("HTTP/1.1 200 OK\r\n") && !pending.text.contains("\r\nContent-Length"))
        #expect(try Curl.run("--head", url("soon.m4s")).text.contains("\r\nContent-Length: 4\r\n"))
    }

    @Test func revalidationIsShort() throws {
        defer { server.stop() }
        let answer = try Curl.run("--include", "--header", "If-None-Match: \"t\"", url("hello.txt")).text
        #expect(answer.hasPrefix("HTTP/1.1 304 Not Modified\r\n") && answer.hasSuffix("\r\n\r\n"))
        #expect(try Curl.run("--include", "--header", "If-None-Match: \"t\"", url("kept.m4s")).text.hasPrefix("HTTP/1.1 304 "), "and need not be produced")
        #expect(try Curl.run("--include", "--header", "If-Match: \"u\"", url("hello.txt")).text.hasPrefix("HTTP/1.1 412 "))
        #expect(try Curl.run("--range", "0-1", "--header", "If-Range: \"t\"", url("hello.txt")).text == "01")
        #expect(try Curl.run("--range", "0-1", "--header", "If-Range: \"u\"", url("hello.txt")).text == "0123456789")
    }

    @Test func namesAreNotPaths() throws {
        defer { server.stop() }
        for name in ["nothing", "../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "hello.txt/", "./hello.txt", "HELLO.txt", ""] {
            let answer = try Curl.run("--path-as-is", "--include", url(name)).text
            #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"), "\(name)")
            #expect(answer.contains("\r\nCache-Control: no-store\r\n"))
        }
    }

    @Test func oversizeRequestsGetAnAnswer() throws {
        defer { server.stop() }
        let code = ["--output", "/dev/null", "--write-out", "%{http_code}"]
        let long = String(repeating: "a", count: 9000)
        #expect(try Curl.run(code[0], code[1], code[2], code[3], url(long)).text == "414")
        var fields: [String] = []
        for index in 0..<9 { fields += ["--header", "X-\(index): \(String(repeating: "b", count: 8000))"] }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("loopback-http-\(server.port).conf")
        try stride(from: 0, to: fields.count, by: 2).map { "header = \"\(fields[$0 + 1])\"" }.joined(separator: "\n")
            .write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Curl.run("--config", file.path, code[0], code[1], code[2], code[3], url("hello.txt")).text == "431")
        #expect(try Curl.run("--data", "x", code[0], code[1], code[2], code[3], url("hello.txt")).text == "405")
        #expect(try Curl.run("--request", "GET", "--data", "x", code[0], code[1], code[2], code[3], url("hello.txt")).text == "413")
    }

    @Test func foreignHostsAreTurnedAway() throws {
        defer { server.stop() }
        let answer = try Curl.run("--resolve", "evil.example:\(server.port):127.0.0.1", "--include", "http://evil.example:\(server.port)/hello.txt")
        #expect(answer.text.hasPrefix("HTTP/1.1 421 Misdirected Request\r\n"))
        #expect(try Curl.run("http://localhost:\(server.port)/hello.txt").text == "0123456789")
    }

    @Test func preflightIsAnswered() throws {
        defer { server.stop() }
        let answer = try Curl.run(
            "--request", "OPTIONS", "--include", "--header", "Origin: http://localhost:1", "--header", "Access-Control-Request-Method: GET",
            "--header", "Access-Control-Request-Headers: range", url("hello.txt")
        ).text
        #expect(answer.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        #expect(answer.contains("\r\nAccess-Control-Allow-Methods: GET, HEAD, OPTIONS\r\n"))
        #expect(answer.contains("\r\nAccess-Control-Allow-Headers: Range,"))
        #expect(!answer.contains("Content-Length"))
    }

    // MARK: Pending

    @Test func aLateBodyComesInChunks() throws {
        defer { server.stop() }
        let answer = try Curl.run("--include", url("slow.m4s")).text
        #expect(answer.contains("\r\nTransfer-Encoding: chunked\r\n") && answer.contains("\r\nContent-Type: video/mp4\r\n"))
        #expect(!answer.contains("\r\nContent-Length"))
        #expect(answer.hasSuffix("\r\n\r\nlate"))
        guard case .slowServe("slow.m4s", let waited)? = events.all.first else {
            Issue.record("a slow serve is an event")
            return
        }
        #expect(waited >= .seconds(5))
        #expect(try Curl.run("--range", "0-1", url("slow.m4s")).text == "late")
    }

    @Test func aBodyThatComesSoonHasItsLength() throws {
        defer { server.stop() }
        #expect(try Curl.run("--include", url("soon.m4s")).text.contains("\r\nContent-Length: 4\r\n"))
        #expect(try Curl.run("--range", "1-2", url("soon.m4s")).text == "oo")
        #expect(events.all.isEmpty)
    }

    @Test func failureAfterTheHeadersIsSeenAsSuch() throws {
        defer { server.stop() }
        for name in ["fails-late.m4s", "never.m4s", "short.m4s"] {
            let answer = try Curl.run("--include", url(name))
            #expect(answer.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.status == 18, "\(name): partial file")
        }
        #expect(events.all == [.serveFailed(name: "fails-late.m4s"), .serveTimedOut(name: "never.m4s")])
    }

    @Test func failureBeforeTheHeadersIsAStatus() throws {
        defer { server.stop() }
        let answer = try Curl.run("--include", url("fails-early.m4s"))
        #expect(answer.text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(answer.text.contains("\r\nCache-Control: no-store\r\n"))
    }

    @Test func oldClientsGetALengthOrAStatus() throws {
        defer { server.stop() }
        let late = try Curl.run("--http1.0", "--include", url("slow.m4s")).text
        #expect(late.contains("\r\nContent-Length: 4\r\n") && !late.contains("chunked") && late.hasSuffix("late"))
        let never = try Curl.run("--http1.0", "--include", url("never.m4s")).text
        #expect(never.hasPrefix("HTTP/1.1 503 ") && never.contains("\r\nConnection: close\r\n"))
    }

    @Test func fiftyClientsAtOnce() throws {
        defer { server.stop() }
        for name in ["big.m4s", "mixed.m4s"] {
            let answer = try Curl.run(
                "--parallel", "--parallel-immediate", "--parallel-max", "50", "--output", "/dev/null", "--write-out",
                "%{http_code} %{size_download}\n", url(name) + "?[1-50]")
            let lines = answer.text.split(separator: "\n")
            #expect(lines.count == 50)
            #expect(lines.allSatisfy { $0 == "200 \(Self.big.count)" })
        }
    }
}
