package import BitsAndTime

/// Whether Cues reach the end of the media. Said only after looking at what follows the last Cluster they name.
package enum IndexCompleteness: Sendable, Equatable {
    case complete
    /// Media goes on for longer than the tolerance behind the last point.
    case partial
    /// There is no index: `MatroskaLayout.IndexLocation.none`, or Cues without a single point.
    case absent
    case unknown
}

extension MatroskaLayout {
    /// Walks from the last Cluster the index names to the end of the Segment and compares the last Cluster's time with the last point's.
    ///
    /// - Parameters:
    ///   - points: of one track or of all; nil when the Cues were not read.
    ///   - tolerance: the longest distance between two points that still counts as one interval of the index.
    ///   - read: as for ``scan(budget:read:)``.
    /// - Throws: what `read` throws.
    package func indexCompleteness(
        of points: [CuePoint]?, tolerance: MediaTime = MediaTime(ticks: 60, timescale: 1), budget: Budget = .head,
        read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
    ) throws -> IndexCompleteness {
        if indexLocation == .none { return .absent }
        guard let points else { return .unknown }
        guard let lastPosition = points.map(\.clusterPosition).max(), let lastTicks = points.map(\.timeTicks).max() else { return .absent }
        guard let start = fileOffset(ofPosition: lastPosition), let information else { return .unknown }
        return try withoutActuallyEscaping(read) { read in
            var source = BoundedSource(budget: budget, read: read)
            guard let ticks = try lastClusterTicks(from: start, &source), let last = information.time(ticks: ticks),
                let covered = information.time(ticks: lastTicks)
            else { return .unknown }
            return last - covered <= tolerance ? .complete : .partial
        }
    }

    /// Timestamp of the Segment's last Cluster; nil unless the walk reaches the Segment's end over Clusters of known size.
    private func lastClusterTicks(from start: Int64, _ source: inout BoundedSource) throws -> Int64? {
        var offset = start
        var ticks: Int64?
        while segmentEnd.map({ offset < $0 }) ?? true {
            switch try source.header(at: offset) {
            case .element(let header):
                guard let end = header.end(from: offset) else { return nil }
                if header.id == .cluster {
                    guard let found = try timestamp(ofClusterAt: offset + Int64(header.byteCount), &source) else { return nil }
                    ticks = found
                } else if ticks == nil {
                    return nil  // The index points at something else: it belongs to another file.
                }
                offset = end
            case .end:
                return try segmentEnd == nil && source.reaches(offset) == true ? ticks : nil
            case .truncated, .budgetExhausted, .malformed: return nil
            }
        }
        return try offset == segmentEnd && source.reaches(offset) == true ? ticks : nil
    }

    /// The first child but a checksum and padding (RFC 9559 §5.1.3.1 wants it first).
    private func timestamp(ofClusterAt payloadOffset: Int64, _ source: inout BoundedSource) throws -> Int64? {
        var offset = payloadOffset
        for _ in 0..<4 {
            guard case .element(let header) = try source.header(at: offset), let size = header.payloadByteCount,
                let end = header.end(from: offset)
            else { return nil }
            if header.id == .timestamp, size <= 8 {
                let count = Int(size)
                guard case .bytes(let bytes) = try source.bytes(at: offset + Int64(header.byteCount), count: count), bytes.count == count
                else { return nil }
                return Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            }
            guard header.id == .crc32 || header.id == .void else { return nil }
            offset = end
        }
        return nil
    }
}
