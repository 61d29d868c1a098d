#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Sends one answer: bytes in memory by reference and gathered into few writes, regions of files past this process. No byte of a body is copied
/// here. False everywhere means that the client is lost, or took too long, and nothing more can be said to it.
struct BodyWriter {
    private enum Part {
        case bytes([UInt8], Range<Int>)
        case file(FileRegion, Range<Int>)
    }

    /// Arrays in one write at most.
    private static let gathered = 16
    /// A file goes out in steps of this, so that the send budget sees progress.
    private static let fileStep = 4 << 20

    private let socket: ClientSocket
    private let activity: ActivityCell
    private var budget: SendBudget

    init(socket: ClientSocket, activity: ActivityCell, budget: SendBudget) {
        self.socket = socket
        self.activity = activity
        self.budget = budget
    }

    /// `lead`, the bytes of `body` in `range`, and `trail`.
    mutating func send(_ lead: [UInt8], _ body: ResourceBody, in range: Range<Int>, trail: [UInt8] = []) -> Bool {
        var parts = [Part.bytes(lead, lead.indices)]
        for (piece, range) in body.parts(in: range) {
            switch piece {
            case .bytes(let bytes): parts.append(.bytes(bytes, range))
            case .file(let region): parts.append(.file(region, range))
            }
        }
        if !trail.isEmpty { parts.append(.bytes(trail, trail.indices)) }

        var rest = parts[...]
        while let first = rest.first {
            switch first {
            case .file(let region, let range):
                rest.removeFirst()
                guard send(region, in: range) else { return false }
            case .bytes:
                var batch: [([UInt8], Range<Int>)] = []
                while batch.count < Self.gathered, case .bytes(let bytes, let range)? = rest.first {
                    batch.append((bytes, range))
                    rest.removeFirst()
                }
                guard send(batch[...], pointers: [], isMoreComing: !rest.isEmpty) else { return false }
            }
        }
        return true
    }

    mutating func send(_ bytes: [UInt8]) -> Bool { send([(bytes, bytes.indices)][...], pointers: [], isMoreComing: false) }

    /// Pins one array after the other, then writes them all.
    private mutating func send(_ batch: ArraySlice<([UInt8], Range<Int>)>, pointers: [UnsafeRawBufferPointer], isMoreComing: Bool) -> Bool {
        guard let (bytes, range) = batch.first else { return send(pointers, isMoreComing: isMoreComing) }
        return bytes.withUnsafeBytes {
            send(batch.dropFirst(), pointers: pointers + [UnsafeRawBufferPointer(rebasing: $0[range])], isMoreComing: isMoreComing)
        }
    }

    private mutating func send(_ buffers: [UnsafeRawBufferPointer], isMoreComing: Bool) -> Bool {
        var rest = buffers
        rest.removeAll(where: \.isEmpty)
        while !rest.isEmpty {
            var count = socket.write(gathering: rest, isMoreComing: isMoreComing)
            if count < 0 {
                guard mayRetry(after: -count) else { return false }
                continue
            }
            progressed(count)
            var done = 0
            while done < rest.count, count >= rest[done].count {
                count -= rest[done].count
                done += 1
            }
            rest.removeFirst(done)
            if count > 0, let partial = rest.first { rest[0] = UnsafeRawBufferPointer(rebasing: partial[count...]) }
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
