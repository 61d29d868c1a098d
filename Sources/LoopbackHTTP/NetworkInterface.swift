/// One IPv4 address of one network interface, as the system lists it. An interface with several addresses occurs several times.
package struct NetworkInterface: Sendable, Equatable {
    /// The flags that count here. Their values are the same on Linux and on Darwin.
    ///
    /// netdevice(7), `<net/if.h>`.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Switched on.
        package static let up = Flags(rawValue: 0x1)
        package static let loopback = Flags(rawValue: 0x8)
        /// One peer at the far end: tunnels and dial-up links.
        package static let pointToPoint = Flags(rawValue: 0x10)
        /// Able to carry packets: a cable is plugged in, a radio is associated.
        package static let running = Flags(rawValue: 0x40)
    }

    /// `en0`, `eth0`, `wlp2s0` …
    package var name: String
    package var flags: Flags
    package var address: IPv4Address
    /// The system's number of the interface; 0 when it has none.
    package var index: UInt32

    package init(name: String, flags: Flags, address: IPv4Address, index: UInt32) {
        self.name = name
        self.flags = flags
        self.address = address
        self.index = index
    }
}
