import LoopbackHTTP
import Testing

@Suite struct RequestVerdictTests {
    private func verdict(_ method: String = "GET", _ target: String = "/x", minor: Int = 1, _ fields: [(String, String)] = [("host", "localhost")])
        -> RequestVerdict
    {
        RequestVerdict(
            RequestHead(method: method, target: target, minorVersion: minor, fields: fields.map { .init(name: $0.0, value: $0.1) }))
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:1", "[::1]", "[::1]:65535", "localhost:",
    ])
    func loopbackNamesAreServed(host: String) {
        #expect(verdict("GET", "/x", [("host", host)]) == .serve(name: "x", isHead: false))
    }

    @Test(arguments: [
        "example.com", "127.0.0.1.example.com", "localhost.example.com", "localhostx", "127.0.0.2", "::1", "", "127.0.0.1:80:80", "127.0.0.1:x",
        "127.0.0.1:123456", "user@127.0.0.1", "[::1]x", "2130706433", "0.0.0.0",
    ])
    func otherNamesAreMisdirected(host: String) {
        #expect(verdict("GET", "/x", [("host", host)]) == .refuse(.misdirectedRequest, closes: true))
    }

    @Test func anAbsoluteTargetIsCheckedAsWell() {
        #expect(verdict("GET", "http://localhost:9/a/b?c") == .serve(name: "a/b", isHead: false))
        #expect(verdict("GET", "http://evil.example/a") == .refuse(.misdirectedRequest, closes: true))
        #expect(verdict("GET", "HTTP://127.0.0.1") == .serve(name: "", isHead: false))
    }

    @Test func exactlyOneHostIsWanted() {
        #expect(verdict("GET", "/x", []) == .refuse(.badRequest, closes: true))
        #expect(verdict("GET", "/x", [("host", "localhost"), ("host", "localhost")]) == .refuse(.badRequest, closes: true))
        #expect(verdict("GET", "/x", minor: 0, []) == .serve(name: "x", isHead: false))
        #expect(verdict("GET", "/x", minor: 0, [("host", "evil.example")]) == .refuse(.misdirectedRequest, closes: true))
    }

    @Test func contentIsRefusedAndEndsTheConnection() {
        let host = ("host", "localhost")
        #expect(verdict("GET", "/x", [host, ("content-length", "0")]) == .serve(name: "x", isHead: false))
        #expect(verdict("GET", "/x", [host, ("content-length", "5")]) == .refuse(.contentTooLarge, closes: true))
        #expect(verdict("POST", "/x", [host, ("content-length", "5")]) == .refuse(.methodNotAllowed, closes: true))
        #expect(verdict("DELETE", "/x", [host]) == .refuse(.methodNotAllowed, closes: false))
        for length in ["-1", "+1", "1,1", "", "0x1"] {
            #expect(verdict("GET", "/x", [host, ("content-length", length)]) == .refuse(.badRequest, closes: true))
        }
        #expect(verdict("GET", "/x", [host, ("content-length", "0"), ("content-length", "3")]) == .refuse(.badRequest, closes: true))
        #expect(verdict("POST", "/x", [host, ("transfer-encoding", "chunked")]) == .refuse(.badRequest, closes: true))
    }

    @Test func methodsAreCaseSensitive() {
        #expect(verdict("get") == .refuse(.methodNotAllowed, closes: false))
        #expect(verdict("HEAD") == .serve(name: "x", isHead: true))
        #expect(verdict("OPTIONS") == .preflight)
        #expect(verdict("OPTIONS", "*") == .preflight)
        #expect(verdict("GET", "*") == .refuse(.badRequest, closes: false))
    }

    @Test(
        arguments: [
            ("/", ""), ("/a/b.m4s?token=1#x", "a/b.m4s"), ("/a%2Fb", "a/b"), ("/%2e%2e/%2e%2e/etc/passwd", "../../etc/passwd"),
            ("/../x", "../x"), ("//x", "/x"), ("/a+b", "a+b"), ("/%C3%A9", "é"), ("/%2525", "%25"),
            ("/%", nil), ("/%4", nil), ("/%zz", nil), ("/%00", nil), ("/%ff", nil), ("x", nil), ("localhost:80", nil),
        ] as [(String, String?)])
    func namesAreDecodedOnce(target: String, name: String?) {
        #expect(RequestTarget(target)?.name == name)
    }
}
