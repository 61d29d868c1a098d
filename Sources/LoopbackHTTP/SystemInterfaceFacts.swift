#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// The interfaces of this machine (on Linux: of the calling thread's network namespace).
///
/// getifaddrs(3).
package struct SystemInterfaceFacts: InterfaceFacts {
    package init() {}

    package func current() throws(ServerError) -> [NetworkInterface] {
        var head: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&head) == 0 else { throw ServerError.systemCall(name: "getifaddrs", errno: errno) }
        defer { freeifaddrs(head) }
        var interfaces: [NetworkInterface] = []
        var next = head
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let generic = entry.pointee.ifa_addr, generic.pointee.sa_family == sa_family_t(AF_INET), let name = entry.pointee.ifa_name else { continue }
            let address = generic.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt32(bigEndian: $0.pointee.sin_addr.s_addr) }
            interfaces.append(
                NetworkInterface(
                    name: String(cString: name), flags: .init(rawValue: UInt32(truncatingIfNeeded: entry.pointee.ifa_flags)), address: IPv4Address(address),
                    index: if_nametoindex(name)))
        }
        return interfaces
    }

    package func watch(_ onChange: @escaping @Sendable () -> Void) -> any InterfaceWatch {
        #if canImport(Network)
        NetworkPathWatch(onChange)
        #else
        NetlinkWatch(onChange)
        #endif
    }
}
