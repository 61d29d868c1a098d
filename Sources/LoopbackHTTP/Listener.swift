#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A listening socket on one IPv4 address, and the loop that takes connections from it.
struct Listener: Sendable {
    let descriptor: Int32
    /// The port bound, also when any was asked for.
    let port: UInt16

    /// - Parameter port: 0 for any free one.
    init(address: IPv4Address = .loopback, port wanted: UInt16) throws(ServerError) {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw ServerError.systemCall(name: "socket", errno: errno) }
        do {
            port = try Self.bind(descriptor, to: address, wanted)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    private static func bind(_ descriptor: Int32, to host: IPv4Address, _ wanted: UInt16) throws(ServerError) -> UInt16 {
        DescriptorFlags.setNonBlocking(descriptor)
        DescriptorFlags.setCloseOnExec(descriptor)
        // A fixed port can be taken again while connections of the last session are in TIME_WAIT.
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))

        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr = in_addr(s_addr: host.value.bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure: ServerError? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                #if canImport(Darwin)
                let bound = Darwin.bind(descriptor, generic, size)
                #else
                let bound = Glibc.bind(descriptor, generic, size)
                #endif
                if bound != 0 { return .systemCall(name: "bind", errno: errno) }
                if listen(descriptor, SOMAXCONN) != 0 { return .systemCall(name: "listen", errno: errno) }
                if getsockname(descriptor, generic, &size) != 0 { return .systemCall(name: "getsockname", errno: errno) }
                return nil
            }
        }
        if let failure { throw failure }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Connections taken between two looks at everything else.
    private static let batch = 16

    /// Hands each connection to `serve` until the table stops, then closes the socket. Whom `serve` has no place for (false) is turned away.
    ///
    /// The queue is read whatever the connections do: when it is full, the system refuses clients or lets them wait for nothing.
    func run(table: ConnectionTable, serve: (Int32) -> Bool) {
        var turnedAway = TurnedAway()
        defer {
            turnedAway.removeAll()
            closeDescriptor(descriptor)
        }
        while !table.isStopping {
            var entries = [
                pollfd(fd: table.listenerWake.readDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: table.isClearing ? -1 : descriptor, events: Int16(POLLIN), revents: 0),
            ]
            entries += turnedAway.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            ReadyPoll.wait(&entries, until: turnedAway.deadline)
            if entries[0].revents != 0 { table.listenerWake.lower() }
            turnedAway.attend(now: .now)
            guard entries[1].revents != 0 else { continue }
            for _ in 0..<Self.batch where !table.isStopping && !table.isClearing {
                let client = accept(descriptor, nil, nil)
                if client >= 0 {
                    if !serve(client) { turnedAway.add(client, now: .now) }
                    continue
                }
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                    // The connection stays in the queue and would be reported at once, again and again.
                    turnedAway.removeAll()
                    _ = table.makeRoom()
                    _ = table.listenerWake.wait(atMost: .milliseconds(100))
                }
                break
            }
        }
    }
}
