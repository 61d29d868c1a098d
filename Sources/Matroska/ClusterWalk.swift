internal import BitsAndTime

/// Steps from Cluster to Cluster and from block to block over a window.
struct ClusterWalk {
    struct Cluster: Sendable, Equatable {
        let offset: Int64
        let payloadOffset: Int64
        /// `nil` where the size is unknown or passes the file's end.
        let end: Int64?
        let ticks: Int64
    }

    struct Block: Sendable, Equatable {
        let track: UInt64
        /// On the Segment's clock.
        let ticks: Int64
        let isKeyframe: Bool
        let frameCount: Int
        let durationTicks: Int64?
    }

    private let window: ByteWindow
    private let limit: Int64
    /// Children of a Cluster looked through for its timestamp, which stands first but for a checksum, padding and the like.
    private static let childrenBeforeTimestamp = 16

    private static let levelOne: Set<ElementID> = [.seekHead, .info, .tracks, .chapters, .tags, .attachments, .cues, .cluster]

    /// - Parameter end: where the Segment says it ends.
    init(window: ByteWindow, end: Int64?) {
        self.window = window
        // A recording that was never closed may say zero: what is there counts.
        limit = end.map { $0 > 0 && $0 < window.byteCount ? $0 : window.byteCount } ?? window.byteCount
    }

    /// The first Cluster at or behind `offset`, over what else lies between; `nil` where the Segment ends.
    ///
    /// - Throws: `KeyframeScanError.layout` where another Segment follows.
    func cluster(at start: Int64) throws -> Cluster? {
        var offset = start
        while offset < window.byteCount {
            guard let header = try header(at: offset) else {
                guard let found = try resynchronised(from: offset) else { return nil }
                offset = found
                continue
            }
            if header.id == .ebml || header.id == .segment { throw KeyframeScanError.layout("several Segments") }
            if offset >= limit { return nil }
            if header.id == .cluster {
                if let cluster = try cluster(header, at: offset) { return cluster }
            } else if Self.levelOne.contains(header.id) || header.id == .void || header.id == .crc32, let end = header.end(from: offset) {
                offset = end
                continue
            }
            guard let found = try resynchronised(from: offset + 1) else { return nil }
            offset = found
        }
        return nil
    }

    /// Shows each whole block of a Cluster, in order.
    ///
    /// - Parameter body: returns false to leave the rest of the Cluster, whose end is then known.
    /// - Returns: where the walk over Clusters goes on.
    func blocks(of cluster: Cluster, _ body: (Block) throws -> Bool) throws -> Int64 {
        let limit = cluster.end ?? window.byteCount
        var ticks = cluster.ticks
        var offset = cluster.payloadOffset
        while offset < limit {
            guard let header = try header(at: offset) else { break }
            if Self.levelOne.contains(header.id) || header.id == .segment || header.id == .ebml {
                // Ends a Cluster of unknown size; inside a sized one it is damage, and its place is as good as any to go on from.
                return offset
            }
            guard let end = header.end(from: offset), end <= limit else { break }
            let payload = offset + Int64(header.byteCount)
            switch header.id {
            case .timestamp:
                if let value = try unsigned(at: payload, header) { ticks = value }
            case .simpleBlock:
                if let block = try blockHeader(at: payload, header) {
                    let goesOn = try body(
                        Block(track: block.track, ticks: ticks &+ Int64(block.relativeTicks), isKeyframe: block.isKeyframe, frameCount: block.frameCount, durationTicks: nil))
                    if !goesOn, let end = cluster.end { return end }
                }
            case .blockGroup:
                if let block = try group(at: payload, end: end, ticks: ticks), try !body(block), let end = cluster.end { return end }
            default:
                break
            }
            offset = end
        }
        // A break leaves before the end: damage, or the end of a file that was cut short.
        return offset >= limit ? limit : cluster.end ?? offset
    }

    // MARK: Elements

    func header(at offset: Int64) throws -> ElementHeader? {
        ElementHeader(front: try window.run(at: offset, atLeast: ElementHeader.maximumByteCount))
    }

    private func unsigned(at offset: Int64, _ header: ElementHeader) throws -> Int64? {
        guard let size = header.payloadByteCount, size <= 8, let bytes = try window.bytes(at: offset, count: max(Int(size), 1)) else { return nil }
        return Int64(exactly: bytes.prefix(Int(size)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func cluster(_ header: ElementHeader, at offset: Int64) throws -> Cluster? {
        let payload = offset + Int64(header.byteCount)
        var end = header.end(from: offset)
        if let told = end, told > window.byteCount { end = nil }
        var child = payload
        for _ in 0..<Self.childrenBeforeTimestamp {
            guard child < end ?? window.byteCount, let element = try self.header(at: child), let next = element.end(from: child) else { return nil }
            if element.id == .timestamp {
                guard let ticks = try unsigned(at: child + Int64(element.byteCount), element), ticks < .max / 4 else { return nil }
                return Cluster(offset: offset, payloadOffset: payload, end: end, ticks: ticks)
            }
            if element.id == .simpleBlock || element.id == .blockGroup || Self.levelOne.contains(element.id) { return nil }
            child = next
        }
        return nil
    }

    private func blockHeader(at offset: Int64, _ header: ElementHeader) throws -> BlockHeader? {
        guard let size = header.payloadByteCount, size >= 4 else { return nil }
        let run = try window.run(at: offset, atLeast: Int(min(size, Int64(BlockHeader.maximumByteCount))))
        return BlockHeader(UnsafeRawBufferPointer(rebasing: run.prefix(Int(min(size, Int64(BlockHeader.maximumByteCount))))))
    }

    /// A BlockGroup: a keyframe is one that refers to no other block.
    private func group(at start: Int64, end: Int64, ticks: Int64) throws -> Block? {
        var block: BlockHeader?
        var duration: Int64?
        var isKeyframe = true
        var offset = start
        while offset < end {
            guard let header = try header(at: offset), let next = header.end(from: offset), next <= end else { return nil }
            let payload = offset + Int64(header.byteCount)
            switch header.id {
            case .block: block = try blockHeader(at: payload, header)
            case .blockDuration: duration = try unsigned(at: payload, header)
            case .referenceBlock: isKeyframe = false
            default: break
            }
            offset = next
        }
        return block.map { Block(track: $0.track, ticks: ticks &+ Int64($0.relativeTicks), isKeyframe: isKeyframe, frameCount: $0.frameCount, durationTicks: duration) }
    }

    /// Where the next Cluster identifier stands, as far as its first children bear it out.
    func resynchronised(from start: Int64, before reach: Int64 = .max) throws -> Int64? {
        var offset = start
        while offset < min(limit, reach) {
            let run = try window.run(at: offset, atLeast: 4)
            guard run.count >= 4 else { return nil }
            var found: Int?
            for i in 0...(run.count - 4) where run[i] == 0x1F && run[i + 1] == 0x43 && run[i + 2] == 0xB6 && run[i + 3] == 0x75 {
                found = i
                break
            }
            guard let found else {
                offset += Int64(run.count - 3)
                continue
            }
            let candidate = offset + Int64(found)
            if let header = try header(at: candidate), try cluster(header, at: candidate) != nil { return candidate }
            offset = candidate + 1
        }
        return nil
    }
}

extension ElementHeader {
    /// The header at the front of `bytes`; `nil` where there is none. The same as ``init(parsing:)``, for walks over millions of them.
    init?(front bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard idLength <= 4, bytes.count > idLength else { return nil }
        var id = UInt32(first)
        for i in 1..<max(idLength, 1) { id = id << 8 | UInt32(bytes[i]) }
        let idMask = (UInt32(1) << UInt32(7 * idLength)) - 1
        guard id & idMask != 0, id & idMask != idMask else { return nil }
        let sizeLength = bytes[idLength].leadingZeroBitCount + 1
        guard sizeLength <= 8, bytes.count >= idLength + sizeLength else { return nil }
        var value = UInt64(bytes[idLength])
        for i in 1..<max(sizeLength, 1) { value = value << 8 | UInt64(bytes[idLength + i]) }
        let mask = (UInt64(1) << UInt64(7 * sizeLength)) - 1
        value &= mask
        self.init(id: ElementID(rawValue: id), size: value == mask ? .unknown : .known(Int64(value)), sizeByteCount: sizeLength)
    }
}
