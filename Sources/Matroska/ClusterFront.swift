package import BitsAndTime

/// A Cluster as far as its first kilobytes show it: where the next begins, and whether it opens with a keyframe.
package struct ClusterFront: Sendable, Equatable {
    /// The first picture in it.
    package struct Picture: Sendable, Equatable {
        /// On the Segment's clock.
        package let ticks: Int64
        package let isKeyframe: Bool
    }

    package let offset: Int64
    /// Behind it; the file's end where it is cut short.
    package let end: Int64
    package let ticks: Int64
    /// Nil where other tracks' blocks fill the front.
    package let picture: Picture?
}

/// Reads the fronts of Clusters, one after another or from the middle of a file.
///
/// RFC 9559 §5.1.3.
package struct ClusterFrontReader {
    /// Other tracks' blocks that may stand before the first picture.
    private static let blocksBeforePicture = 16

    private let window: ByteWindow
    private let walk: ClusterWalk
    private let track: UInt64

    /// - Parameter track: the TrackNumber of the picture.
    package init(window: ByteWindow, layout: MatroskaLayout, track: UInt64) {
        self.window = window
        self.track = track
        walk = ClusterWalk(window: window, end: layout.segmentEnd)
    }

    /// The Cluster at `offset`, or the first behind what else lies there; `nil` where the Segment ends.
    ///
    /// - Throws: ``KeyframeScanError/layout(_:)`` for a Cluster of unknown size, and what the window's reads throw.
    package func front(at offset: Int64) throws -> ClusterFront? {
        guard let cluster = try walk.cluster(at: offset) else { return nil }
        let end: Int64
        if let told = cluster.end {
            end = told
        } else if try walk.header(at: cluster.offset)?.payloadByteCount != nil {
            end = window.byteCount
        } else {
            throw KeyframeScanError.layout("a Cluster of unknown size")
        }
        var picture: ClusterFront.Picture?
        var blocks = 0
        // Of one that is cut short the walk would not know where to stop when it is told to.
        _ = try walk.blocks(of: .init(offset: cluster.offset, payloadOffset: cluster.payloadOffset, end: end, ticks: cluster.ticks)) { block in
            if block.track == track { picture = ClusterFront.Picture(ticks: block.ticks, isKeyframe: block.isKeyframe) }
            blocks += 1
            return picture == nil && blocks < Self.blocksBeforePicture
        }
        return ClusterFront(offset: cluster.offset, end: end, ticks: cluster.ticks, picture: picture)
    }

    /// The first Cluster that begins from `start` on and before `limit`, found by its identifier. Bytes that only look like one pass for it:
    /// whoever asks must see that a walk from the front arrives there.
    package func search(from start: Int64, before limit: Int64) throws -> ClusterFront? {
        guard let offset = try walk.resynchronised(from: start, before: limit), offset < limit else { return nil }
        return try front(at: offset)
    }
}
