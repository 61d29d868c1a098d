/// Guard against DNS rebinding: a page whose own name was pointed at 127.0.0.1 sends that name as Host, and is turned away.
package enum LoopbackAuthority {
    /// Whether `authority` (the value of Host) names this machine by a name no DNS answer can take over. Any port: proxies and port
    /// forwards keep the client's.
    package static func isLoopback(_ authority: String) -> Bool {
        names("127.0.0.1", authority) || names("localhost", authority) || names("[::1]", authority)
    }

    /// Whether `authority` is this host (in lower case), with any port or none.
    static func names(_ host: String, _ authority: String) -> Bool {
        var rest = authority.utf8[...]
        for byte in host.utf8 {
            guard let given = rest.popFirst(), (given >= 0x41 && given <= 0x5A ? given | 0x20 : given) == byte else { return false }
        }
        guard let colon = rest.popFirst() else { return true }
        return colon == 0x3A && rest.count <= 5 && rest.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}
