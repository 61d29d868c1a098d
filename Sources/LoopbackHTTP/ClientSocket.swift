#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A connected socket, used by its connection's thread. Does not own the descriptor: `ConnectionTable` closes it.
///
/// Non-blocking underneath; each call here waits in `poll`, with a deadline, and returns at once when another thread shuts the socket down.
struct ClientSocket: Sendable {
    enum Received: Equatable {
        case bytes(Int)
        /// The client sends no more.
        case ended
        case timedOut
        case lost
    }

    let descriptor: Int32

    /// Sets the modes everything here counts on.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        DescriptorFlags.setNonBlocking(descriptor)
        DescriptorFlags.setCloseOnExec(descriptor)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        #if canImport(Darwin)
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
        #endif
    }

    // MARK: Receiving

    func receive(into buffer: inout [UInt8], until deadline: ContinuousClock.Instant) -> Received {
        // A request follows an answer by a round trip at least: asking first whether there is something saves the read that finds nothing.
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if !ReadyPoll.wait(&entry, until: deadline) { return .timedOut }
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK { return .lost }
        }
    }

    /// Whether the client closed its side. A client that only half-closed looks the same from here; while an answer is pending it counts
    /// as gone, since no player does that.
    func isPeerGone() -> Bool {
        #if os(Linux)
        let peerClosed: Int16 = 0x2000  // POLLRDHUP: seen even behind unread pipelined requests. Not imported by every C library module.
        #else
        let peerClosed: Int16 = 0
        #endif
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN) | peerClosed, revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return false }
        if entry.revents & (Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL) | peerClosed) != 0 { return true }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR
    }

    /// Ends an exchange the client may still be writing to. Closing with unread bytes would reset the connection, and the reset can
    /// overtake the answer; so: no more from us, and what still comes is dropped, within bounds.
    func finishOrderly() {
        shutdown(descriptor, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + .seconds(1)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        for _ in 0..<64 {
            guard case .bytes = receive(into: &buffer, until: deadline) else { return }
        }
    }

    /// One write without waiting; false unless all of it went out.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes(write) == bytes.count
    }

    // MARK: One write each, as much as there is room for; below zero it is an error number, negated.

    /// - Parameter isMoreComing: lets the system hold short bytes back for what follows at once.
    func write(gathering vectors: UnsafeMutableBufferPointer<iovec>, isMoreComing: Bool) -> Int {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL) | (isMoreComing ? Int32(MSG_MORE) : 0)
        #endif
        var message = msghdr()
        message.msg_iov = vectors.baseAddress
        message.msg_iovlen = .init(vectors.count)
        let sent = sendmsg(descriptor, &message, flags)
        return sent < 0 ? -Int(errno) : sent
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        var vector = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &vector) { write(gathering: UnsafeMutableBufferPointer(start: $0, count: 1), isMoreComing: false) }
    }

    /// Holds back all but full packets until taken off again. Where the system has no such thing, short packets go out.
    func setCorked(_ isCorked: Bool) {
        #if os(Linux)
        var value: Int32 = isCorked ? 1 : 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// From a file, without its bytes passing through this process where the system can do that. 0: the file ended.
    func write(file: Int32, from offset: Int64, atMost count: Int, scratch: inout [UInt8]) -> Int {
        #if os(Linux)
        if scratch.isEmpty {
            var position = off_t(offset)
            let sent = sendfile(descriptor, file, &position, count)
            // Not every descriptor can be sent from (some file systems, memory files of old kernels).
            if sent >= 0 { return sent }
            if errno != EINVAL && errno != ENOSYS { return -Int(errno) }
        }
        #endif
        if scratch.isEmpty { scratch = [UInt8](repeating: 0, count: 128 * 1024) }
        let got = scratch.withUnsafeMutableBytes { pread(file, $0.baseAddress, min($0.count, count), off_t(offset)) }
        if got <= 0 { return got < 0 ? -Int(errno) : 0 }
        return scratch.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
    }
}
