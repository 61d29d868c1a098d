/// Whether an address that is served is still this machine's. Lists of interfaces in, changes out.
package struct AddressPresence: Sendable, Equatable {
    package let address: IPv4Address
    /// True at first: the server has just bound it.
    package private(set) var isPresent = true

    package init(address: IPv4Address) { self.address = address }

    /// Takes a new list; true when it changed the answer.
    ///
    /// Which interface has the address does not matter: a bound socket goes with the address. One on the loopback is no way in from outside,
    /// nor is one whose interface is down or has no link.
    package mutating func observe(_ interfaces: [NetworkInterface]) -> Bool {
        let now = interfaces.contains { interface in
            interface.address == address && interface.flags.isSuperset(of: [.up, .running]) && !interface.flags.contains(.loopback)
        }
        defer { isPresent = now }
        return now != isPresent
    }
}
