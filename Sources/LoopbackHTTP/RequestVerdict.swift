/// What to do with a request before anybody looks for the resource.
package enum RequestVerdict: Sendable, Equatable {
    case serve(name: String, isHead: Bool)
    /// OPTIONS: a browser asks whether a page of another origin may send what it is about to send.
    case preflight
    /// `closes` when the request brought content that was not read, or its end cannot be known.
    case refuse(Status, closes: Bool)

    package init(_ head: RequestHead, gate: RequestGate = .loopback) {
        // Framing first: when the end of a request is in doubt, so is the start of the next.
        if head.fields.contains(where: { $0.name == "transfer-encoding" }) {
            self = .refuse(.badRequest, closes: true)
            return
        }
        let lengths = head.values(of: "content-length")
        guard lengths.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }), lengths.dropFirst().allSatisfy({ $0 == lengths[0] }) else {
            self = .refuse(.badRequest, closes: true)
            return
        }
        let hasContent = lengths.first.map { $0.contains { $0 != "0" } } ?? false

        // Whoever has no token learns nothing else, not even which methods there are; it is answered as a wrong name is.
        guard case .admitted(let target) = gate.admit(RequestTarget(head.target), head) else {
            self = .refuse(.notFound, closes: hasContent)
            return
        }
        let hosts = head.values(of: "host")
        guard hosts.count == 1 || hosts.isEmpty && head.minorVersion == 0 else {
            self = .refuse(.badRequest, closes: true)
            return
        }
        guard hosts.allSatisfy(gate.answers), target?.authority.map(gate.answers) ?? true else {
            self = .refuse(.misdirectedRequest, closes: true)
            return
        }
        guard head.method == "GET" || head.method == "HEAD" || head.method == "OPTIONS" else {
            self = .refuse(.methodNotAllowed, closes: hasContent)
            return
        }
        guard !hasContent else {
            self = .refuse(.contentTooLarge, closes: true)
            return
        }
        if head.method == "OPTIONS", target != nil || head.target == "*" {
            self = .preflight
        } else if target != nil, !gate.isOpen {
            self = .refuse(.serviceUnavailable, closes: false)
        } else if let target {
            self = .serve(name: target.name, isHead: head.method == "HEAD")
        } else {
            self = .refuse(.badRequest, closes: false)
        }
    }
}
