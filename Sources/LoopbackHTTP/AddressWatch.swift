import Locks

/// Keeps an `AddressPresence` up to date while a server serves. Any thread may ask.
final class AddressWatch: Sendable {
    private let facts: any InterfaceFacts
    private let presence: Locked<AddressPresence>
    private let onChange: @Sendable (LoopbackHTTPServer.ServiceAddress) -> Void
    private let looking = Locked(())
    private let life = Locked<(watch: (any InterfaceWatch)?, isEnded: Bool)>((nil, false))

    /// - Parameter onChange: Called in the order of the changes; must neither block nor end the watch.
    init(address: IPv4Address, facts: any InterfaceFacts, onChange: @escaping @Sendable (LoopbackHTTPServer.ServiceAddress) -> Void) {
        self.facts = facts
        presence = Locked(AddressPresence(address: address))
        self.onChange = onChange
    }

    var isPresent: Bool { presence.withLock { $0.isPresent } }

    var serviceAddress: LoopbackHTTPServer.ServiceAddress {
        let presence = presence.withLock { $0 }
        return presence.isPresent ? .available(presence.address.description) : .addressLost(presence.address.description)
    }

    /// Once; does nothing after `end`.
    func begin() {
        let begun = facts.watch { [weak self] in self?.look() }
        let isEnded = life.withLock { life in
            if !life.isEnded { life.watch = begun }
            return life.isEnded
        }
        if isEnded { return begun.end() }
        // What changed between the choice of the address and now was told to nobody.
        look()
    }

    /// Nothing is called any more once this has returned.
    func end() {
        let watch = life.withLock { life in
            defer { life = (nil, true) }
            return life.watch
        }
        watch?.end()
    }

    private func look() {
        // One look at a time, so that an older list never overrules a newer one.
        looking.withLock { _ in
            // A list that cannot be had says nothing.
            guard let interfaces = try? facts.current() else { return }
            let hasChanged = presence.withLock { $0.observe(interfaces) }
            if hasChanged { onChange(serviceAddress) }
        }
    }
}
