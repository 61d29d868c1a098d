package import BitsAndTime

/// Finds a video track's keyframes by the headers of Clusters and blocks, without the payloads: the index that Cues would be.
///
/// A Cluster whose successor begins well before the next opening can be (``slack``) is passed over by its size. What is found is what
/// reading every block would find, as long as a Cluster holds no picture later than its successor's timestamp by more than the slack.
/// Unknown sizes, files cut short and damage (the next Cluster identifier is looked for) are walked as far as they go.
/// RFC 9559 §5.1.3.
package struct ClusterScanner {
    /// How far a picture may lie behind the timestamp of the Cluster after its own: reordering and interleaving reach a fraction of it.
    package static let slack = MediaTime(ticks: 2, timescale: 1)
    /// A Cluster that begins this much before its predecessor belongs to another clock.
    package static let backwardLimit = MediaTime(ticks: 3, timescale: 2)

    package let openings: [SegmentOpenings.Opening]
    /// Where the longest audio or video track ends, in nanoseconds of the Segment's clock.
    package let endNanoseconds: Int64

    /// - Parameters:
    ///   - track: the TrackNumber of the picture.
    ///   - rule: in ticks of the Segment's clock.
    ///   - skipsClusters: false reads every block header; for tests.
    /// - Throws: ``KeyframeScanError``, and what the window's reads throw.
    package init(
        window: ByteWindow, layout: MatroskaLayout, tracks: [TrackEntry], track: UInt64, rule: SegmentOpenings, skipsClusters: Bool = true
    ) throws {
        guard let start = layout.firstClusterOffset else { throw KeyframeScanError.layout("no Cluster") }
        guard let picture = tracks.first(where: { $0.number == track }), picture.timestampScale == 1 else {
            throw KeyframeScanError.layout("the track's clock is not the Segment's")
        }
        let scale = layout.information?.timestampScale ?? 1_000_000
        let walk = ClusterWalk(window: window, end: layout.segmentEnd)
        var openings = rule
        let slack = Self.ticks(Self.slack, scale)
        let backward = Self.ticks(Self.backwardLimit, scale)
        let delay = Self.rounded(picture.codecDelay, scale)

        var current = try walk.cluster(at: start)
        var latest = Int64.min
        /// The last few, whose blocks say where the tracks end.
        var tail: [ClusterWalk.Cluster] = []
        while let cluster = current {
            if latest > .min, cluster.ticks < latest - backward { throw KeyframeScanError.clockJumps(at: cluster.ticks) }
            latest = max(latest, cluster.ticks)
            if tail.count == 4 { tail.removeFirst() }
            tail.append(cluster)
            if skipsClusters, let end = cluster.end, let target = openings.target, cluster.ticks <= target - slack,
                let next = try walk.cluster(at: end), next.ticks >= cluster.ticks, next.ticks <= target - slack
            {
                current = next
                continue
            }
            // A Cluster whose end is known is left as soon as the next opening cannot be in it.
            let behind = try walk.blocks(of: cluster) { block throws in
                guard block.track == track, block.isKeyframe else { return true }
                guard try openings.consider(time: block.ticks - delay, position: cluster.offset), skipsClusters, let end = cluster.end,
                    let target = openings.target, let next = try walk.cluster(at: end)
                else { return true }
                return next.ticks < cluster.ticks || next.ticks > target - slack
            }
            try openings.check(reached: cluster.ticks)
            current = try walk.cluster(at: behind)
        }
        guard !openings.openings.isEmpty else { throw KeyframeScanError.noKeyframe }
        self.openings = openings.openings

        var ends = TrackEnds(tracks: tracks, scale: scale)
        for cluster in tail {
            _ = try walk.blocks(of: cluster) {
                ends.take($0)
                return true
            }
        }
        endNanoseconds = ends.end
    }

    static func ticks(_ time: MediaTime, _ scale: Int64) -> Int64 {
        max(1, time.converted(to: 1_000_000_000).ticks / scale)
    }

    static func rounded(_ nanoseconds: Int64, _ scale: Int64) -> Int64 { (nanoseconds + scale / 2) / scale }
}
