#if os(Linux)
import Glibc
import Locks

/// Waits for the kernel's word that an address or a link changed. What it says is not read: the list is asked for again, which also
/// survives messages that were lost. A slow look now and then, or a faster one where netlink is not to be had, covers the rest.
///
/// rtnetlink(7).
final class NetlinkWatch: InterfaceWatch {
    /// `struct sockaddr_nl`, which no C library module of Swift has.
    private struct NetlinkAddress {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR.
        var groups: UInt32 = 0x1 | 0x10
    }

    /// What the watch and its thread share. The thread does not hold the watch: the watch's release is what ends it.
    private final class Link: Sendable {
        let wake: WakePipe
        let ended: WakePipe
        let handle = Locked<WorkThread.Handle?>(nil)

        init?() {
            guard let wake = WakePipe(), let ended = WakePipe() else { return nil }
            self.wake = wake
            self.ended = ended
        }
    }

    private static let slowLook: Duration = .seconds(10)
    private static let lookWithoutNetlink: Duration = .seconds(1)
    private static let endBound: Duration = .seconds(5)

    /// Nil when nothing watches: no descriptors or threads were left, or the watch was ended. Serving goes on without.
    private let link: Locked<Link?>

    init(_ onChange: @escaping @Sendable () -> Void) {
        guard let link = Link() else {
            self.link = Locked(nil)
            return
        }
        let socket = Self.openSocket()
        let isStarted = WorkThread.start {
            Self.run(socket: socket, wake: link.wake, onChange: onChange)
            if socket >= 0 { closeDescriptor(socket) }
            link.handle.withLock { $0 = .current }
            link.ended.raise()
        }
        if !isStarted, socket >= 0 { closeDescriptor(socket) }
        self.link = Locked(isStarted ? link : nil)
    }

    deinit { end() }

    func end() {
        let link = link.withLock { link in
            defer { link = nil }
            return link
        }
        guard let link else { return }
        link.wake.raise()
        _ = link.ended.wait(atMost: Self.endBound)
        link.handle.withLock { $0 }?.join()
        link.wake.close()
        link.ended.close()
    }

    /// -1 when the system refuses, as some sandboxes do.
    private static func openSocket() -> Int32 {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0)  // 0: NETLINK_ROUTE
        guard descriptor >= 0 else { return -1 }
        DescriptorFlags.setNonBlocking(descriptor)
        DescriptorFlags.setCloseOnExec(descriptor)
        var address = NetlinkAddress()
        let size = socklen_t(MemoryLayout<NetlinkAddress>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, size) }
        }
        guard bound == 0 else {
            closeDescriptor(descriptor)
            return -1
        }
        return descriptor
    }

    /// Until woken.
    private static func run(socket: Int32, wake: WakePipe, onChange: () -> Void) {
        let pause = Int32((socket >= 0 ? slowLook : lookWithoutNetlink).components.seconds) * 1_000
        var buffer = [UInt8](repeating: 0, count: 8 * 1024)
        while true {
            var entries = [
                pollfd(fd: wake.readDescriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&entries, 2, pause)
            if entries[0].revents != 0 || entries[0].fd < 0 { return }
            if entries[1].revents != 0 {
                // Emptied also after ENOBUFS, which says that messages were lost.
                var count = 0
                repeat { count = recv(socket, &buffer, buffer.count, 0) } while count > 0 || count < 0 && (errno == ENOBUFS || errno == EINTR)
            }
            onChange()
        }
    }
}
#endif
