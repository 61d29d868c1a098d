internal import Locks
internal import BitsAndTime
internal import Foundation
internal import Libav
internal import Matroska

/// The fronts of a remote Matroska file's Clusters, read from several places at once: the sizes chain them, and one after another each would
/// cost a round trip.
///
/// Each reader finds a Cluster in its own part of the file by the identifier and goes on from size to size into the next part. None of it is
/// believed: ``ClusterFrontScanner`` walks from the first Cluster, and only takes a front from here where its walk arrives; the others are read then.
final class RemoteClusters: Sendable {
    /// Connections to the origin at most.
    static let readers = 32
    /// Clusters to a reader at least: fewer are not worth a search for the first.
    private static let clustersPerReader = 12
    /// Clusters read one after another first, to see how large they are.
    private static let firstClusters = 4
    /// Bytes asked for at a hop: what a connection brings in its first round trip.
    static let hop: Int64 = 12 << 10
    /// Clusters up to this size are rather read through than hopped over.
    private static let smallCluster: Int64 = 64 << 10
    /// Bytes asked for at once where Clusters are read through.
    private static let stretch: Int64 = 1 << 20
    /// What the origin may be asked for in all: the bytes of a small film, the requests of a long one.
    static let byteLimit: Int64 = 320 << 20
    static let requestLimit = 4096

    private struct State {
        var fronts: [Int64: ClusterFront?] = [:]
        var bytesCovered: Int64 = 0
        var running = 0
        var hasStopped = false
    }

    private let source: RangeSource
    private let layout: MatroskaLayout
    private let track: UInt64
    private let check: @Sendable () throws -> Void
    private let state = Monitor(State())

    /// - Parameter check: Asked before each read, on every thread; throws to end the scan.
    init(source: RangeSource, layout: MatroskaLayout, track: UInt64, check: @escaping @Sendable () throws -> Void) {
        self.source = source
        self.layout = layout
        self.track = track
        self.check = check
    }

    /// A window on the source, for one thread.
    ///
    /// - Parameter reach: As for ``RangeReader/read(at:reach:into:)``.
    static func window(_ source: RangeSource, reach: @escaping () -> Int64 = { hop }, check: @escaping () throws -> Void) -> ByteWindow {
        let reader = RangeReader(source: source)
        return ByteWindow(byteCount: source.byteCount) { offset, buffer in
            try check()
            return try reader.read(at: offset, reach: reach(), into: buffer)
        }
    }

    /// Reads ahead on threads, until all parts have met.
    ///
    /// - Parameter limit: When there must be an end; halfway there, what was covered shows whether there can be one.
    /// - Throws: `SegmentPlan.Rejection.scanExpired`.
    func readAhead(until limit: ContinuousClock.Instant) throws {
        guard let start = layout.firstClusterOffset else { return }
        let first = ClusterFrontReader(window: Self.window(source, check: check), layout: layout, track: track)
        var offset = start
        for _ in 0..<Self.firstClusters {
            guard let front = try first.front(at: offset), front.end > offset else { return }
            keep(front, lookedFor: offset)
            offset = front.end
        }
        let span = max(0, source.byteCount - start)
        let size = max(1, (offset - start) / Int64(Self.firstClusters))
        let hop = size <= Self.smallCluster ? Self.stretch : Self.hop
        // Half a Cluster lies before the next: in a few pieces, since what was asked for in vain was sent all the same.
        let search = max(Self.smallCluster, min(size / 4, Self.stretch))
        let count = Int(min(Int64(Self.readers), span / size / Int64(Self.clustersPerReader)))
        guard count > 1 else { return }
        state.update { $0.running = count }
        for number in 0..<count {
            let from = number == 0 ? offset : start + span / Int64(count) * Int64(number)
            let to = number + 1 == count ? source.byteCount : start + span / Int64(count) * Int64(number + 1)
            let thread = Thread { [self] in
                // What one reader cannot read, the walk reads again and judges.
                try? follow(from: from, to: to, isInStep: number == 0, hop: hop, search: search)
                state.update { $0.running -= 1 }
            }
            thread.name = "prism.scan"
            thread.stackSize = 512 << 10
            thread.start()
        }
        let half = ContinuousClock.now + (limit - ContinuousClock.now) / 2
        let isDone = state.wait(atMost: half - .now) { $0.running == 0 ? true : nil } ?? false
        let isHopeless = !isDone && state.read { $0.bytesCovered < span / 4 }
        if isHopeless { state.update { $0.hasStopped = true } }
        // Each ends by its own checks, but for one that libav keeps looking a name up for: that one is left to it, and keeps what it needs.
        let hasEnded = state.wait(atMost: max(.zero, limit - .now) + .milliseconds(500)) { $0.running == 0 ? true : nil } ?? false
        if isHopeless || !hasEnded { throw SegmentPlan.Rejection.scanExpired }
    }

    /// The Cluster at or behind `offset`, where the walk has come.
    func front(at offset: Int64, otherwise reader: ClusterFrontReader) throws -> ClusterFront? {
        if let known = state.read({ $0.fronts[offset] }) { return known }
        return try reader.front(at: offset)
    }

    private func follow(from: Int64, to: Int64, isInStep: Bool, hop: Int64, search: Int64) throws {
        let reach = Reach(hop)
        let window = Self.window(source, reach: { reach.byteCount }) { [self] in
            try check()
            if state.read({ $0.hasStopped }) { throw SegmentPlan.Rejection.scanExpired }
        }
        let reader = ClusterFrontReader(window: window, layout: layout, track: track)
        var offset = from
        if !isInStep {
            reach.byteCount = search
            guard let found = try reader.search(from: from, before: to) else { return }
            reach.byteCount = hop
            guard keep(found, lookedFor: found.offset), found.end > from else { return }
            offset = found.end
        }
        while true {
            if state.read({ $0.fronts[offset] != nil }) { return }
            let front = try reader.front(at: offset)
            guard keep(front, lookedFor: offset), let front, front.end > offset else { return }
            offset = front.end
        }
    }

    /// - Returns: Whether nobody had it.
    @discardableResult
    private func keep(_ front: ClusterFront?, lookedFor offset: Int64) -> Bool {
        state.update {
            guard $0.fronts[offset] == nil else { return false }
            $0.fronts[offset] = .some(front)
            if let front { $0.bytesCovered &+= front.end &- front.offset }
            return true
        }
    }

    /// What a thread's window asks for, changed by that thread.
    private final class Reach {
        var byteCount: Int64
        init(_ byteCount: Int64) { self.byteCount = byteCount }
    }
}
