/// Who is let in: by which names this server may be called, which token a request has to bring, and whether there is anybody to answer.
package struct RequestGate: Sendable {
    /// For a server that only this machine can reach: its own names, no token.
    package static let loopback = RequestGate(address: .loopback, token: nil) { true }

    private let address: IPv4Address
    private let token: AccessToken?
    private let isReachable: @Sendable () -> Bool

    /// - Parameter isReachable: Whether the server's address is still this machine's; asked for each request.
    package init(address: IPv4Address, token: AccessToken?, isReachable: @escaping @Sendable () -> Bool) {
        self.address = address
        self.token = token
        self.isReachable = isReachable
    }

    /// Whether `authority` (the value of Host) is a name of this server that no DNS answer can take over: an address, or a loopback name, as
    /// a port forward sends it.
    package func answers(to authority: String) -> Bool {
        LoopbackAuthority.isLoopback(authority) || LoopbackAuthority.names(address.description, authority)
    }

    /// False while the address is lost.
    package var isOpen: Bool { isReachable() }

    /// What came of looking for the token.
    package enum Admission: Sendable, Equatable {
        /// With the token taken off the target's name: nothing behind the gate ever sees it.
        case admitted(RequestTarget?)
        case refused
    }

    /// - Parameter target: Nil when the target is none that names a resource; then only the header field can bring the token.
    package func admit(_ target: RequestTarget?, _ head: RequestHead) -> Admission {
        guard let token else { return .admitted(target) }
        let isInField = head.onlyValue(of: "x-prismcore-token").map { token.matches($0.utf8) } ?? false
        let first = target?.name.utf8.prefix { $0 != 0x2F }
        let isInPath = first.map(token.matches) ?? false
        guard isInField || isInPath else { return .refused }
        guard isInPath, var inner = target, let first else { return .admitted(target) }
        inner.name = String(Substring(inner.name.utf8.dropFirst(first.count + 1)))
        return .admitted(inner)
    }
}
