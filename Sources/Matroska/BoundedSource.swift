/// Reads a file through a caller's closure within a budget, remembering the last block: neighbouring headers cost one read.
struct BoundedSource {
    private let read: (Int64, Int) throws -> [UInt8]
    private let blockByteCount: Int
    private(set) var readsLeft: Int
    private(set) var bytesLeft: Int
    private var blockOffset: Int64 = 0
    private var block: [UInt8] = []
    private var blockReachesEnd = false

    init(budget: MatroskaLayout.Budget, read: @escaping (Int64, Int) throws -> [UInt8]) {
        self.read = read
        blockByteCount = max(ElementHeader.maximumByteCount, budget.blockByteCount)
        readsLeft = budget.reads
        bytesLeft = budget.bytes
    }

    enum Answer {
        /// Fewer than asked for only where the file ends.
        case bytes(ArraySlice<UInt8>)
        case budgetExhausted
    }

    mutating func bytes(at offset: Int64, count: Int) throws -> Answer {
        if let held = held(offset, count) { return .bytes(held) }
        let wanted = max(count, min(blockByteCount, bytesLeft))
        guard offset >= 0, readsLeft > 0, wanted <= bytesLeft, offset <= .max - Int64(wanted) else { return .budgetExhausted }
        var found: [UInt8] = []
        // A reader may give less than asked for without being at the end; only nothing is the end.
        while found.count < wanted {
            guard readsLeft > 0 else { return .budgetExhausted }
            readsLeft -= 1
            let more = try read(offset + Int64(found.count), wanted - found.count).prefix(wanted - found.count)
            if more.isEmpty { break }
            bytesLeft -= more.count
            found.append(contentsOf: more)
            if found.count >= count { break }
        }
        blockReachesEnd = found.count < count
        blockOffset = offset
        block = found
        return .bytes(block.prefix(count))
    }

    private func held(_ offset: Int64, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= blockOffset, offset - blockOffset <= Int64(block.count) else { return nil }
        let start = Int(offset - blockOffset)
        let available = block.count - start
        guard available >= count || blockReachesEnd else { return nil }
        return block[start..<(start + min(count, available))]
    }
}
