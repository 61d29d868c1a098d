/// Guard against DNS rebinding: a page whose own name was pointed at 127.0.0.1 sends that name as Host, and is turned away.
package enum LoopbackAuthority {
    /// Whether `authority` (the value of Host) names this machine by a name no DNS answer can take over. Any port: proxies and port
    /// forwards keep the client's.
    package static func isLoopback(_ authority: String) -> Bool { names(["127.0.0.1", "localhost", "[::1]"], authority) }

    /// Whether `authority` is one of these hosts, with any port or none.
    static func names(_ hosts: [String], _ authority: String) -> Bool {
        let lower = authority.lowercased()
        for host in hosts where lower.hasPrefix(host) {
            let rest = lower.utf8.dropFirst(host.utf8.count)
            if rest.isEmpty { return true }
            guard rest.first == 0x3A else { continue }
            let port = rest.dropFirst()
            return port.count <= 5 && port.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        return false
    }
}
