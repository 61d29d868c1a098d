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
    /// Longest time without one byte taken by the client.
    let sendTimeout: Duration

    /// Sets the modes everything here counts on.
    init(descriptor: Int32, sendTimeout: Duration) {
        self.descriptor = descriptor
        self.sendTimeout = max(sendTimeout, .milliseconds(1))
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
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK:
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                if !ReadyPoll.wait(&entry, until: deadline) { return .timedOut }
            default: return .lost
            }
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

    // MARK: Sending; false means the client is lost and nothing more can be said to it.

    /// - Parameter isMoreComing: lets the system hold a short head back for the body that follows at once.
    func send(_ bytes: [UInt8], in range: Range<Int>? = nil, isMoreComing: Bool = false) -> Bool {
        bytes.withUnsafeBytes { buffer in
            send(UnsafeRawBufferPointer(rebasing: buffer[range ?? 0..<buffer.count]), isMoreComing: isMoreComing)
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer, isMoreComing: Bool) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL) | (isMoreComing ? Int32(MSG_MORE) : 0)
        #endif
        var sent = 0
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            #if canImport(Darwin)
            let count = Darwin.send(descriptor, rest.baseAddress, rest.count, flags)
            #else
            let count = Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
            #endif
            if count >= 0 {
                sent += count
            } else if !mayRetryAfterWaiting() {
                return false
            }
        }
        return true
    }

    /// Sends a part of a region; `range` is relative to the region. A file shorter than promised is a lost answer.
    func send(_ region: FileRegion, in range: Range<Int>) -> Bool {
        let (start, overflow) = region.offset.addingReportingOverflow(Int64(range.lowerBound))
        let (end, overflow2) = start.addingReportingOverflow(Int64(range.count))
        guard !overflow, !overflow2 else { return false }
        #if os(Linux)
        var offset = off_t(start)
        while Int64(offset) < end {
            // One call for all would do; in steps, one slow client's progress is seen by the send timeout.
            let count = sendfile(descriptor, region.descriptor, &offset, min(Int(end - Int64(offset)), 4 << 20))
            if count == 0 { return false }
            if count < 0 {
                // Not every descriptor can be sent from (some file systems, memory files of old kernels).
                if errno == EINVAL || errno == ENOSYS { return copy(region.descriptor, from: offset, to: end) }
                if !mayRetryAfterWaiting() { return false }
            }
        }
        return withExtendedLifetime(region.owner) { true }
        #else
        defer { withExtendedLifetime(region.owner) {} }
        return copy(region.descriptor, from: off_t(start), to: end)
        #endif
    }

    private func copy(_ source: Int32, from start: off_t, to end: Int64) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 128 * 1024)
        var offset = start
        while Int64(offset) < end {
            let wanted = min(buffer.count, Int(end - Int64(offset)))
            let count = buffer.withUnsafeMutableBytes { pread(source, $0.baseAddress, wanted, offset) }
            if count < 0, errno == EINTR { continue }
            guard count > 0, send(buffer, in: 0..<count) else { return false }
            offset += off_t(count)
        }
        return true
    }

    /// After a failed write: waits for room when that is what is missing.
    private func mayRetryAfterWaiting() -> Bool {
        switch errno {
        case EINTR: return true
        case EAGAIN, EWOULDBLOCK:
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return ReadyPoll.wait(&entry, until: ContinuousClock.now + sendTimeout)
        default: return false
        }
    }
}
