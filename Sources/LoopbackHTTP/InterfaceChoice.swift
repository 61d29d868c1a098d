/// Which interface a server for the local network binds. Facts in, one interface out: no system call, the same answer every time.
package enum InterfaceChoice {
    /// Why an interface is not a candidate.
    package enum Exclusion: String, Sendable {
        case down = "is down"
        case notRunning = "has no link"
        case loopback = "is the loopback"
        case pointToPoint = "is a point-to-point link"
        case tunnel = "is a tunnel"
        case peerToPeerRadio = "is a peer-to-peer radio"
        case internalLink = "is internal to this machine"
        case selfAssigned = "has only a self-assigned address"
        case notAskedFor = "was not asked for"
    }

    /// Real interfaces first, then those of unknown kind, bridges last; among equals the lower number in the name (`en0` before `en1`),
    /// then the lower index, then the order of the list.
    ///
    /// - Parameters:
    ///   - interfaces: Everything the system has, in its order.
    ///   - wanted: An interface's name or IPv4 address, when a person chose. Then only what cannot work is refused: whoever names a tunnel
    ///     means it.
    package static func choose(from interfaces: [NetworkInterface], wanted: String? = nil) throws(LoopbackHTTPServer.NoLocalNetworkInterface) -> NetworkInterface {
        var rejected: [LoopbackHTTPServer.NoLocalNetworkInterface.Rejection] = []
        var candidates: [NetworkInterface] = []
        for interface in interfaces {
            if let reason = wanted.map({ exclusion(of: interface, wanted: $0) }) ?? exclusion(of: interface) {
                rejected.append(.init(name: interface.name, address: interface.address.description, reason: reason.rawValue))
            } else {
                candidates.append(interface)
            }
        }
        guard let first = candidates.first else { throw .init(wanted: wanted, rejected: rejected) }
        // `min` is not promised to take the first of equals.
        return candidates.dropFirst().reduce(first) { precedes($1, $0) ? $1 : $0 }
    }

    /// Nil for a candidate.
    package static func exclusion(of interface: NetworkInterface) -> Exclusion? {
        if let reason = unusable(interface) { return reason }
        switch InterfaceKind(name: interface.name) {
        case .tunnel: return .tunnel
        case .peerToPeerRadio: return .peerToPeerRadio
        case .internalLink: return .internalLink
        case .real, .unknown, .bridge: break
        }
        if interface.flags.contains(.pointToPoint) { return .pointToPoint }
        return interface.address.isSelfAssigned ? .selfAssigned : nil
    }

    private static func exclusion(of interface: NetworkInterface, wanted: String) -> Exclusion? {
        interface.name == wanted || interface.address.description == wanted ? unusable(interface) : .notAskedFor
    }

    private static func unusable(_ interface: NetworkInterface) -> Exclusion? {
        if interface.flags.contains(.loopback) { return .loopback }
        if !interface.flags.contains(.up) { return .down }
        return interface.flags.contains(.running) ? nil : .notRunning
    }

    private static func precedes(_ left: NetworkInterface, _ right: NetworkInterface) -> Bool {
        let kinds = (InterfaceKind(name: left.name), InterfaceKind(name: right.name))
        if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
        let numbers = (numbers(in: left.name), numbers(in: right.name))
        if numbers.0 != numbers.1 { return numbers.0.lexicographicallyPrecedes(numbers.1) }
        return left.index < right.index
    }

    /// `[3, 0]` of `enp3s0`. None sorts before any; what is too large is the largest.
    private static func numbers(in name: String) -> [UInt64] {
        // systemd names what has no place of its own, such as an adapter on USB, by its hardware address: no number.
        if name.hasPrefix("enx") || name.hasPrefix("wlx") { return [.max] }
        return name.utf8.split { $0 < 0x30 || $0 > 0x39 }.map { UInt64(String(decoding: $0, as: UTF8.self)) ?? .max }
    }
}
