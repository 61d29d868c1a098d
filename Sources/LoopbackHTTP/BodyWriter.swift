#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Sends one answer: bytes in memory by reference and gathered into few writes, regions of files past this process. No byte of a body is copied
/// here. False everywhere means that the client is lost, or took too long, and nothing more can be said to it.
struct BodyWriter {
    /// Pieces in one write at most.
    private static let gathered = 32
    /// And bytes, with the piece that passes it: some pieces take memory only while they are sent.
    private static let gatheredByteCount = 256 << 10
    /// A file goes out in steps of this, so that the send budget sees progress.
    private static let fileStep = 4 << 20

    private let socket: ClientSocket
    private let activity: ActivityCell
    private var budget: SendBudget
    /// Where the pieces of the write at hand are.
    private var buffers: [iovec] = []

    init(socket: ClientSocket, activity: ActivityCell, budget: SendBudget) {
        self.socket = socket
        self.activity = activity
        self.budget = budget
    }

    /// `lead`, the bytes of `body` in `range`, and `trail`.
    mutating func send(_ lead: [UInt8], _ body: ResourceBody, in range: Range<Int>, trail: [UInt8] = []) -> Bool {
        var parts = body.parts(in: range, after: lead)
        if !trail.isEmpty { parts.append((.bytes(trail), trail.indices)) }

        // What lies between regions of files would go out in small packets.
        let isMixed = parts.count > 2 && parts.contains { if case .file = $0.piece { true } else { false } }
        if isMixed { socket.setCorked(true) }
        defer { if isMixed { socket.setCorked(false) } }
        var rest = parts[...]
        while let first = rest.first {
            if case .file(let region) = first.piece {
                rest.removeFirst()
                guard send(region, in: first.range) else { return false }
                continue
            }
            var gathered = 0
            let batch = rest.prefix(Self.gathered).prefix { part in
                if case .file = part.piece { return false }
                defer { gathered += part.range.count }
                return gathered < Self.gatheredByteCount
            }
            rest = rest[batch.endIndex...]
            buffers.removeAll(keepingCapacity: true)
            guard send(gathering: batch, isMoreComing: !rest.isEmpty) else { return false }
        }
        return true
    }

    mutating func send(_ bytes: [UInt8]) -> Bool {
        buffers.removeAll(keepingCapacity: true)
        return send(gathering: [(.bytes(bytes), bytes.indices)][...], isMoreComing: false)
    }

    /// Pins one piece after the other, then writes them all.
    private mutating func send(gathering batch: ArraySlice<(piece: ResourceBody.Piece, range: Range<Int>)>, isMoreComing: Bool) -> Bool {
        guard let (piece, range) = batch.first else { return sendBuffers(isMoreComing: isMoreComing) }
        switch piece {
        case .bytes(let bytes): return bytes.withUnsafeBytes { send($0, range, then: batch.dropFirst(), isMoreComing: isMoreComing) }
        case .shared(let bytes): return bytes.withUnsafeBytes { send($0, range, then: batch.dropFirst(), isMoreComing: isMoreComing) }
        case .file: return false
        }
    }

    private mutating func send(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, then batch: ArraySlice<(piece: ResourceBody.Piece, range: Range<Int>)>, isMoreComing: Bool
    ) -> Bool {
        guard range.upperBound <= bytes.count else { return false }
        if !range.isEmpty, let base = bytes.baseAddress {
            buffers.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: base + range.lowerBound), iov_len: range.count))
        }
        return send(gathering: batch, isMoreComing: isMoreComing)
    }

    private mutating func sendBuffers(isMoreComing: Bool) -> Bool {
        var first = 0
        while first < buffers.count {
            var count = buffers.withUnsafeMutableBufferPointer { [socket] in
                socket.write(gathering: UnsafeMutableBufferPointer(rebasing: $0[first...]), isMoreComing: isMoreComing)
            }
            if count < 0 {
                guard mayRetry(after: -count) else { return false }
                continue
            }
            progressed(count)
            while first < buffers.count, count >= buffers[first].iov_len {
                count -= buffers[first].iov_len
                first += 1
            }
            if count > 0, first < buffers.count {
                buffers[first].iov_base += count
                buffers[first].iov_len -= count
            }
        }
        return true
    }

    /// A part of a region; `range` is relative to the region. A file shorter than promised is a lost answer.
    private mutating func send(_ region: FileRegion, in range: Range<Int>) -> Bool {
        let (start, overflow) = region.offset.addingReportingOverflow(Int64(range.lowerBound))
        let (end, overflow2) = start.addingReportingOverflow(Int64(range.count))
        guard !overflow, !overflow2 else { return false }
        var offset = start
        var scratch: [UInt8] = []
        while offset < end {
            let count = socket.write(file: region.descriptor, from: offset, atMost: min(Int(end - offset), Self.fileStep), scratch: &scratch)
            if count == 0 { return false }
            if count < 0 {
                guard mayRetry(after: -count) else { return false }
                continue
            }
            progressed(count)
            offset += Int64(count)
        }
        return withExtendedLifetime(region.owner) { true }
    }

    // MARK: Patience

    private var isStalled = false

    private mutating func progressed(_ count: Int) {
        budget.earn(bytes: count)
        if isStalled, count > 0 {
            isStalled = false
            activity.setBusy()
        }
    }

    /// After a failed write: waits for room when that is what is missing.
    private mutating func mayRetry(after error: Int) -> Bool {
        switch Int32(clamping: error) {
        case EINTR: return true
        case EAGAIN, EWOULDBLOCK:
            let start = ContinuousClock.now
            if !isStalled {
                isStalled = true
                activity.setStalled(since: start)
            }
            var entry = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
            let hasRoom = ReadyPoll.wait(&entry, until: start + budget.left)
            budget.charge(ContinuousClock.now - start)
            return hasRoom || !budget.isSpent
        default: return false
        }
    }
}
