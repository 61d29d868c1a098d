import LoopbackHTTP
import Testing

@Suite struct AddressPresenceTests {
    private static let ours = IPv4Address(0x0A00_0007)

    private static func interface(_ name: String = "eth0", _ address: IPv4Address = ours, _ flags: NetworkInterface.Flags = [.up, .running]) -> NetworkInterface {
        NetworkInterface(name: name, flags: flags, address: address, index: 2)
    }

    @Test func changesAreToldOnce() {
        var presence = AddressPresence(address: Self.ours)
        let other = Self.interface("wlan0", IPv4Address(0x0A00_0008))
        let lists: [([NetworkInterface], Bool, Bool)] = [
            ([Self.interface()], false, true), ([other], true, false), ([], false, false), ([other, Self.interface()], true, true),
            ([Self.interface("wlan0")], false, true),  // The same address at another interface still leads here.
            ([Self.interface("eth0", Self.ours, [.running])], true, false),  // Down.
            ([Self.interface("eth0", Self.ours, [.up])], false, false),  // No link.
            ([Self.interface("lo", Self.ours, [.up, .running, .loopback])], false, false), ([Self.interface()], true, true),
        ]
        for (number, (list, changes, isPresent)) in lists.enumerated() {
            #expect(presence.observe(list) == changes, "list \(number)")
            #expect(presence.isPresent == isPresent, "list \(number)")
        }
    }
}
