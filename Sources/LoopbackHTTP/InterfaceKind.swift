/// What a network interface is, read from its name: the one thing both systems let everybody see.
///
/// `Comparable` by how likely a device on the local network reaches it: the smaller the better.
package enum InterfaceKind: Int, Sendable, Comparable {
    /// Ethernet or Wi-Fi.
    case real
    /// A name that says nothing. A Linux `br0` or `vmbr0` is one of these: it carries the machine's own network card as often as not.
    case unknown
    /// The near end of a network that exists on this machine only: Internet Sharing, virtual machines, containers.
    case bridge
    /// A way to some other network.
    case tunnel
    /// Radio links between Apple devices, which no router joins to the local network.
    case peerToPeerRadio
    /// Between the processors of one Mac.
    case internalLink

    /// Names of the form `stem`, `stem0`, `stem-x`, `stem_x`, `stem.x`.
    private static let stems: [(InterfaceKind, [String])] = [
        (.tunnel, ["utun", "ipsec", "ppp", "tun", "tap", "wg", "tailscale", "gif", "stf", "gre", "sit", "vti"]),
        (.peerToPeerRadio, ["awdl", "llw", "nan"]),
        (.internalLink, ["anpi"]),
        (.bridge, ["ap"]),
    ]

    /// Names that begin so, whatever follows.
    private static let beginnings: [(InterfaceKind, [String])] = [
        (.tunnel, ["zt"]),
        (
            .bridge,
            [
                "bridge", "br-", "docker", "virbr", "veth", "vnet", "vmnet", "vboxnet", "vmenet", "lxcbr", "lxdbr", "incusbr", "podman", "cni", "flannel", "cali",
                "feth",
            ]
        ),
        (.real, ["en", "eth", "wl"]),
    ]

    package init(name: String) {
        let name = name.lowercased()
        if let match = Self.stems.first(where: { $0.1.contains { Self.isStem($0, of: name) } }) {
            self = match.0
        } else {
            self = Self.beginnings.first { $0.1.contains { name.hasPrefix($0) } }?.0 ?? .unknown
        }
    }

    package static func < (left: InterfaceKind, right: InterfaceKind) -> Bool { left.rawValue < right.rawValue }

    private static func isStem(_ stem: String, of name: String) -> Bool {
        guard name.hasPrefix(stem) else { return false }
        guard let next = name.utf8.dropFirst(stem.utf8.count).first else { return true }
        return next >= 0x30 && next <= 0x39 || [0x2D, 0x2E, 0x5F].contains(next)
    }
}
