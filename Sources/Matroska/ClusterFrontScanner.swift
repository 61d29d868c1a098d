package import BitsAndTime

/// The keyframes that begin Clusters, and of those the ones that open segments: for files where each read costs a round trip.
///
/// Muxers begin a Cluster with a keyframe where they can, so one read a Cluster shows nearly all that ``ClusterScanner`` finds in the blocks. A
/// keyframe inside a Cluster opens no segment here. What is found is a function of the file alone, wherever the fronts come from.
/// RFC 9559 §5.1.3.
package struct ClusterFrontScanner {
    package let openings: [SegmentOpenings.Opening]
    /// Where the longest audio or video track ends, in nanoseconds of the Segment's clock.
    package let endNanoseconds: Int64

    /// - Parameters:
    ///   - window: for the last Clusters, where the file does not say how long it is.
    ///   - track: the TrackNumber of the picture.
    ///   - rule: in ticks of the Segment's clock.
    ///   - front: as ``ClusterFrontReader/front(at:)``.
    /// - Throws: ``KeyframeScanError``, and what the reads throw.
    package init(
        window: ByteWindow, layout: MatroskaLayout, tracks: [TrackEntry], track: UInt64, rule: SegmentOpenings, front: (Int64) throws -> ClusterFront?
    ) throws {
        guard let start = layout.firstClusterOffset else { throw KeyframeScanError.layout("no Cluster") }
        guard let picture = tracks.first(where: { $0.number == track }), picture.timestampScale == 1 else {
            throw KeyframeScanError.layout("the track's clock is not the Segment's")
        }
        let scale = layout.information?.timestampScale ?? 1_000_000
        let backward = ClusterScanner.ticks(ClusterScanner.backwardLimit, scale)
        let delay = ClusterScanner.rounded(picture.codecDelay, scale)
        var openings = rule
        var latest = Int64.min
        var tail: [ClusterFront] = []
        var offset = start
        while let found = try front(offset) {
            if latest > .min, found.ticks < latest - backward { throw KeyframeScanError.clockJumps(at: found.ticks) }
            latest = max(latest, found.ticks)
            if tail.count == 4 { tail.removeFirst() }
            tail.append(found)
            if let picture = found.picture, picture.isKeyframe { try openings.consider(time: picture.ticks &- delay, position: found.offset) }
            try openings.check(reached: found.ticks)
            guard found.end > offset else { break }
            offset = found.end
        }
        guard !openings.openings.isEmpty else { throw KeyframeScanError.noKeyframe }
        self.openings = openings.openings

        // A file that is as long as it says was closed by its muxer, which wrote the duration then.
        if let end = layout.segmentEnd, end == window.byteCount, let told = layout.information?.duration {
            endNanoseconds = told.converted(to: 1_000_000_000).ticks
            return
        }
        let walk = ClusterWalk(window: window, end: layout.segmentEnd)
        var ends = TrackEnds(tracks: tracks, scale: scale)
        for found in tail {
            guard let cluster = try walk.cluster(at: found.offset) else { continue }
            _ = try walk.blocks(of: cluster) {
                ends.take($0)
                return true
            }
        }
        endNanoseconds = ends.end
    }
}
