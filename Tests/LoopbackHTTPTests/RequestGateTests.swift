@testable import LoopbackHTTP
import Testing

@Suite struct RequestGateTests {
    private let token: AccessToken
    private let gate: RequestGate
    private var secret: String { token.pathComponent }

    init() {
        var generator = Seeded(3)
        token = AccessToken(using: &generator)
        gate = RequestGate(address: IPv4Address(0x0A00_0007), token: token) { true }
    }

    private func verdict(_ method: String, _ target: String, _ fields: [(String, String)] = [], host: String = "10.0.0.7:80", gate other: RequestGate? = nil) -> RequestVerdict {
        let all = [("host", host)] + fields
        return RequestVerdict(RequestHead(method: method, target: target, minorVersion: 1, fields: all.map { .init(name: $0.0, value: $0.1) }), gate: other ?? gate)
    }

    @Test func theTokenComesOffTheName() {
        #expect(verdict("GET", "/\(secret)/master.m3u8") == .serve(name: "master.m3u8", isHead: false))
        #expect(verdict("HEAD", "/\(secret)/audio0/seg1.m4s?x#y") == .serve(name: "audio0/seg1.m4s", isHead: true))
        #expect(verdict("GET", "/\(secret)") == .serve(name: "", isHead: false))
        #expect(verdict("GET", "/\(secret)/") == .serve(name: "", isHead: false))
        #expect(verdict("GET", "http://10.0.0.7:80/\(secret)/a") == .serve(name: "a", isHead: false))
        // Escaping what needs no escape is still the same name.
        let escaped = secret.utf8.map { "%" + String($0, radix: 16) }.joined()
        #expect(verdict("GET", "/\(escaped)/a") == .serve(name: "a", isHead: false))
    }

    @Test func orFromTheField() {
        let field = [("x-prismcore-token", secret)]
        #expect(verdict("GET", "/master.m3u8", field) == .serve(name: "master.m3u8", isHead: false))
        #expect(verdict("GET", "/\(secret)/a", field) == .serve(name: "a", isHead: false))
        #expect(verdict("GET", "/\(secret)/a", [("x-prismcore-token", "stale")]) == .serve(name: "a", isHead: false))
        #expect(verdict("GET", "/a", field + field) == .refuse(.notFound, closes: false))
        #expect(verdict("OPTIONS", "*", field) == .preflight)
    }

    @Test func withoutItThereIsNothing() {
        let wrong = String(secret.reversed())
        for target in ["/", "/master.m3u8", "/\(wrong)/master.m3u8", "/\(secret)x/a", "/x\(secret)/a", "//\(secret)/a", "/a/\(secret)", "/a?\(secret)", "*", "/%zz", "localhost:1"] {
            for method in ["GET", "HEAD", "OPTIONS", "POST", "BREW"] {
                #expect(verdict(method, target) == .refuse(.notFound, closes: false), "\(method) \(target.count)")
                #expect(verdict(method, target, host: "evil.example") == .refuse(.notFound, closes: false))
            }
            #expect(verdict("POST", target, [("content-length", "4")]) == .refuse(.notFound, closes: true), "what follows is not a request")
            #expect(verdict("GET", target, [("x-prismcore-token", wrong)]) == .refuse(.notFound, closes: false))
        }
    }

    @Test func theTokenBuysTheNamespaceAndNothingElse() {
        #expect(verdict("POST", "/\(secret)/a") == .refuse(.methodNotAllowed, closes: false))
        #expect(verdict("GET", "/\(secret)/a", [("content-length", "4")]) == .refuse(.contentTooLarge, closes: true))
        #expect(verdict("GET", "/\(secret)/a", [("transfer-encoding", "chunked")]) == .refuse(.badRequest, closes: true))
        #expect(verdict("GET", "/\(secret)/../../etc/passwd") == .serve(name: "../../etc/passwd", isHead: false), "a name, which nobody published")
        #expect(verdict("GET", "/\(secret)/\(secret)/a") == .serve(name: "\(secret)/a", isHead: false), "taken off once")
    }

    @Test(arguments: [
        ("10.0.0.7", true), ("10.0.0.7:51234", true), ("localhost:8080", true), ("127.0.0.1", true), ("10.0.0.70", false), ("10.0.0.7.evil.example", false),
        ("evil.example", false), ("10.0.0.8", false), ("10.0.0.7:x", false),
    ])
    func itAnswersToItsAddress(host: String, isServed: Bool) {
        #expect(verdict("GET", "/\(secret)/a", host: host) == (isServed ? .serve(name: "a", isHead: false) : .refuse(.misdirectedRequest, closes: true)))
    }

    @Test func whileTheAddressIsLostOnlyThoseInsideAreTold() {
        let closed = RequestGate(address: IPv4Address(0x0A00_0007), token: token) { false }
        #expect(verdict("GET", "/\(secret)/a", gate: closed) == .refuse(.serviceUnavailable, closes: false))
        #expect(verdict("GET", "/a", gate: closed) == .refuse(.notFound, closes: false))
        #expect(verdict("POST", "/\(secret)/a", gate: closed) == .refuse(.methodNotAllowed, closes: false))
    }
}
