import LoopbackHTTP
import Testing

@Suite struct RequestHeadParserTests {
    private func parser(line: Int = 8192, head: Int = 65536) -> RequestHeadParser {
        RequestHeadParser(requestLineBytes: line, headBytes: head)
    }

    private func parse(_ text: String) -> RequestHeadParser.Step {
        var parser = parser()
        parser.append(text.utf8)
        return parser.next()
    }

    private let simple = "GET /a%20b?q=1 HTTP/1.1\r\nHost: localhost\r\nX-Empty:\r\nRange: \t bytes=0-1 \r\n\r\n"

    @Test func readsLineAndFields() {
        #expect(
            parse(simple)
                == .head(
                    RequestHead(
                        method: "GET", target: "/a%20b?q=1", minorVersion: 1,
                        fields: [
                            .init(name: "host", value: "localhost"), .init(name: "x-empty", value: ""), .init(name: "range", value: "bytes=0-1"),
                        ])))
    }

    @Test func everyCutOfTheInputGivesTheSameHeads() {
        let text = Array((simple + "\r\nHEAD /2 HTTP/1.0\r\n\r\n").utf8)
        var whole = parser()
        whole.append(text)
        let expected = [whole.next(), whole.next()]
        for cut in 0...text.count {
            var parts = parser()
            var steps: [RequestHeadParser.Step] = []
            for part in [text[..<cut], text[cut...]] {
                parts.append(part)
                while true {
                    let step = parts.next()
                    if step == .needsMore { break }
                    steps.append(step)
                }
            }
            #expect(steps == expected)
            #expect(!parts.isInsideHead)
        }
        var drip = parser()
        var steps: [RequestHeadParser.Step] = []
        for byte in text {
            drip.append([byte])
            let step = drip.next()
            if step != .needsMore { steps.append(step) }
        }
        #expect(steps == expected)
    }

    @Test(arguments: [
        "GET /\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n", "GET / http/1.1\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n",
        "GET /\u{1} HTTP/1.1\r\n\r\n", "GET /é HTTP/1.1\r\n\r\n", " / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\n\n", "GET / HTTP/1.1\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", "GET / HTTP/1.1\r\nA: b\0c\r\n\r\n",
        "GET / HTTP/1.x\r\n\r\n", "GET / HTTPS1.1\r\n\r\n",
    ])
    func malformedHeadsAreBadRequests(text: String) {
        #expect(parse(text) == .refused(.badRequest))
    }

    @Test func otherMajorVersionsAreNotSupported() {
        #expect(parse("PRI * HTTP/2.0\r\n\r\n") == .refused(.versionNotSupported))
        guard case .head(let head) = parse("GET / HTTP/1.7\r\n\r\n") else {
            Issue.record("HTTP/1.7 is HTTP/1")
            return
        }
        #expect(head.minorVersion == 7)
    }

    @Test func limitsAreExact() {
        let line = "GET /aaaa HTTP/1.1"  // 18 bytes
        var exact = parser(line: 18)
        exact.append("\(line)\r\n\r\n".utf8)
        guard case .head = exact.next() else {
            Issue.record("a line of the limit's length fits")
            return
        }
        var long = parser(line: 17)
        long.append("\(line)\r\n".utf8)
        #expect(long.next() == .refused(.uriTooLong))
        var endless = parser(line: 17)
        endless.append(Array(repeating: 0x61, count: 19))
        #expect(endless.next() == .refused(.uriTooLong))

        let head = "\(line)\r\nA: \(String(repeating: "b", count: 75))\r\n\r\n"  // 18 + 2 + 78 + 4
        #expect(head.utf8.count == 102)
        var fits = parser(head: 102)
        fits.append(head.utf8)
        guard case .head = fits.next() else {
            Issue.record("a head of the limit's length fits")
            return
        }
        var tooLong = parser(head: 101)
        tooLong.append(head.utf8)
        #expect(tooLong.next() == .refused(.requestHeaderFieldsTooLarge))
    }

    @Test func fieldsAreCounted() {
        for (count, isTooMany) in [(100, false), (101, true)] {
            var parser = parser()
            parser.append("GET / HTTP/1.1\r\n".utf8)
            for index in 0..<count { parser.append("a\(index):\r\n".utf8) }
            parser.append("\r\n".utf8)
            #expect((parser.next() == .refused(.requestHeaderFieldsTooLarge)) == isTooMany)
        }
        var early = RequestHeadParser(requestLineBytes: 100, headBytes: 65536, headFields: 4)
        early.append("GET / HTTP/1.1\r\na:\r\nb:\r\nc:\r\nd:\r\ne:\r\n".utf8)
        #expect(early.next() == .refused(.requestHeaderFieldsTooLarge), "before the head is whole")
    }

    @Test func noInputTraps() {
        var random = Seeded(7)
        let seeds = [Array(simple.utf8), Array("OPTIONS * HTTP/1.0\r\nContent-Length: 0\r\n\r\n".utf8)]
        for round in 0..<3000 {
            var bytes = seeds[round % 2]
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var parser = parser(line: 64, head: 128)
            parser.append(bytes)
            while case .head(let head) = parser.next() { _ = RequestVerdict(head) }
        }
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: foo, Close\r\n", false), ("1.0", "", false),
        ("1.0", "Connection: Keep-Alive\r\n", true), ("1.0", "Connection: keep-alive, close\r\n", false),
    ])
    func persistenceFollowsVersionAndConnection(version: String, field: String, persists: Bool) {
        guard case .head(let head) = parse("GET / HTTP/\(version)\r\n\(field)\r\n") else {
            Issue.record("a valid head")
            return
        }
        #expect(head.wantsPersistence == persists)
    }
}
