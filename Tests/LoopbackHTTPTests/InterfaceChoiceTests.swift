import LoopbackHTTP
import Testing

@Suite struct InterfaceChoiceTests {
    private static let live: NetworkInterface.Flags = [.up, .running]

    /// `en0`, `utun3!` (a point-to-point link), `eth0-` (down), `eth0~` (no link), `lo=` (loopback), each with `@ADDRESS` or one of its own.
    private static func interfaces(_ text: String) -> [NetworkInterface] {
        text.split(separator: " ").enumerated().map { index, word in
            let parts = word.split(separator: "@")
            var (name, flags) = (String(parts[0]), live)
            switch name.last {
            case "!": flags.insert(.pointToPoint)
            case "-": flags.subtract([.up, .running])
            case "~": flags.remove(.running)
            case "=": flags.insert(.loopback)
            default: name += " "
            }
            name.removeLast()
            let address = parts.count > 1 ? IPv4Address(parts[1]) : IPv4Address(0x0A00_0001 + UInt32(index))
            return NetworkInterface(name: name, flags: flags, address: address ?? .loopback, index: UInt32(index + 1))
        }
    }

    @Test(arguments: [
        // A Mac on Wi-Fi with everything it has besides.
        ("lo0=@127.0.0.1 en0 awdl0 llw0 utun0! utun3! bridge100", "en0"),
        ("lo=@127.0.0.1 docker0 virbr0 veth12ab br-0a1b2c eth0", "eth0"),
        ("lo=@127.0.0.1 wlp2s0 enp3s0", "wlp2s0"), ("enp3s0 wlp4s0", "enp3s0"), ("wlan0", "wlan0"), ("enx00e04c680001 eno1", "eno1"),
        // Order among equals is the number's, not the list's.
        ("en10 en2 en1", "en1"), ("eth1 eth0", "eth0"), ("enp3s1 enp3s0", "enp3s0"),
        ("eth99999999999999999999 eth7", "eth7"),
        // Unknown kinds come before bridges, after real ones.
        ("docker0 usb0", "usb0"), ("usb0 eth5", "eth5"), ("virbr0 vmbr0", "vmbr0"), ("docker0 br0", "br0"), ("bridge100 bond0", "bond0"), ("eth0~ br0", "br0"),
        ("veth1 bridge100", "veth1"), ("veth0a", "veth0a"), ("ap1 weird0", "weird0"),
        // Names that only begin like something excluded.
        ("tunnel0", "tunnel0"), ("nano0", "nano0"), ("wgate0", "wgate0"), ("appliance0", "appliance0"),
        // Of two addresses of one interface the system's first.
        ("eth0@10.0.0.9 eth0@10.0.0.3", "10.0.0.9"),
        ("eth0@169.254.3.4 eth0@10.0.0.3", "10.0.0.3"), ("en0@169.254.3.4 en1", "en1"), ("en0@169.253.3.4 en1", "en0"),
    ])
    func theBestIsChosen(all: String, expected: String) throws {
        let chosen = try InterfaceChoice.choose(from: Self.interfaces(all))
        #expect([chosen.name, chosen.address.description].contains(expected))
    }

    @Test(
        arguments: [
            ("lo=@127.0.0.1", .loopback), ("en0-", .down), ("en0~", .notRunning), ("foo0!", .pointToPoint), ("utun0", .tunnel), ("utun12!", .tunnel), ("ipsec0", .tunnel),
            ("ppp0!", .tunnel), ("tun0", .tunnel), ("tun-work", .tunnel), ("tap0", .tunnel), ("wg0", .tunnel), ("wg-home", .tunnel), ("wg0.100", .tunnel),
            ("tailscale0", .tunnel), ("ztly5q4n37", .tunnel), ("awdl0", .peerToPeerRadio), ("llw0", .peerToPeerRadio), ("nan0", .peerToPeerRadio),
            ("anpi1", .internalLink), ("eth0@169.254.0.1", .selfAssigned), ("en0@169.254.255.255", .selfAssigned), ("en0@169.255.0.1", nil), ("UTUN0", .tunnel),
            ("eth0", nil), ("docker0", nil),
        ] as [(String, InterfaceChoice.Exclusion?)])
    func whatNoReceiverReachesIsExcluded(one: String, expected: InterfaceChoice.Exclusion?) {
        #expect(Self.interfaces(one).map(InterfaceChoice.exclusion) == [expected])
    }

    @Test func withNothingLeftTheErrorNamesEachAndWhy() {
        typealias Failure = LoopbackHTTPServer.NoLocalNetworkInterface
        #expect(throws: Failure(wanted: nil, rejected: [])) { try InterfaceChoice.choose(from: []) }
        let rejected = [
            Failure.Rejection(name: "lo", address: "127.0.0.1", reason: "is the loopback"), .init(name: "wg0", address: "10.0.0.2", reason: "is a tunnel"),
        ]
        let failure = Failure(wanted: nil, rejected: rejected)
        #expect(throws: failure) { try InterfaceChoice.choose(from: Self.interfaces("lo=@127.0.0.1 wg0!")) }
        #expect(failure.description == "no network interface that the local network can reach: lo (127.0.0.1) is the loopback, wg0 (10.0.0.2) is a tunnel")
    }

    @Test(arguments: [
        ("eth0 eth1@10.1.1.1", "eth1", "eth1"), ("eth0 eth1@10.1.1.1", "10.1.1.1", "eth1"), ("eth0 wg0!", "wg0", "wg0"), ("eth0 docker0", "docker0", "docker0"),
        ("eth0 en7@169.254.1.1", "en7", "en7"),
    ])
    func whoeverNamesOneGetsIt(all: String, wanted: String, expected: String) throws {
        #expect(try InterfaceChoice.choose(from: Self.interfaces(all), wanted: wanted).name == expected)
    }

    @Test(arguments: ["eth9", "10.9.9.9", "lo", "127.0.0.1", "eth1", "eth2", ""]) func butNotWhatCannotWork(wanted: String) {
        #expect(throws: LoopbackHTTPServer.NoLocalNetworkInterface.self) {
            try InterfaceChoice.choose(from: Self.interfaces("lo=@127.0.0.1 eth0 eth1- eth2~"), wanted: wanted)
        }
    }

    @Test func theChoiceDoesNotDependOnTheOrderOfTheList() throws {
        let all = Self.interfaces("bridge100 en4 usb0 en1 utun0! docker0 en2 lo=@127.0.0.1")
        var generator = Seeded(7)
        for _ in 0..<200 { #expect(try InterfaceChoice.choose(from: all.shuffled(using: &generator)).name == "en1") }
    }

    @Test(
        arguments: [
            ("127.0.0.1", 0x7F00_0001), ("0.0.0.0", 0), ("255.255.255.255", 0xFFFF_FFFF), ("10.0.0.7", 0x0A00_0007), ("", nil), ("1.2.3", nil), ("1.2.3.4.5", nil),
            ("1.2.3.256", nil), ("01.2.3.4", nil), ("1.2.3.", nil), ("1.2.3.+4", nil), ("1.2.3.0004", nil), ("1.2.3.4 ", nil), ("::1", nil),
        ] as [(String, UInt32?)])
    func addressesAreRead(text: String, value: UInt32?) {
        #expect(IPv4Address(text)?.value == value)
        if let value { #expect(IPv4Address(value).description == text) }
    }

    @Test func thisMachineListsItsLoopback() throws {
        let all = try SystemInterfaceFacts().current()
        #expect(all.contains { $0.address == .loopback && $0.flags.isSuperset(of: [.up, .loopback]) && $0.index > 0 })
    }
}
