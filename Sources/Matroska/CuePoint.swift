package import BitsAndTime

/// One entry of the index: on this track, something to seek to begins in that Cluster.
///
/// A CuePoint element that names several tracks gives several values. The time is a presentation time (PTS), never a decode time.
/// RFC 9559 §5.1.5.
package struct CuePoint: Sendable, Equatable {
    /// In ticks of ``SegmentInformation/timestampScale``.
    package let timeTicks: Int64
    /// TrackNumber, not the track's place in the list.
    package let track: UInt64
    /// Bytes from the start of the Segment's payload to the Cluster's identifier.
    package let clusterPosition: Int64
    /// Bytes from the start of the Cluster's payload to the block, where written.
    package let relativePosition: Int64?

    package init(timeTicks: Int64, track: UInt64, clusterPosition: Int64, relativePosition: Int64? = nil) {
        self.timeTicks = timeTicks
        self.track = track
        self.clusterPosition = clusterPosition
        self.relativePosition = relativePosition
    }

    /// Parses the payload of a Cues element, in file order, which is not always the order of time.
    ///
    /// - Throws: `.malformed` where a mandatory child is missing or a number passes 63 bits, `.truncated`.
    package static func parse(cues payload: ArraySlice<UInt8>) throws(ParseError) -> [CuePoint] {
        var points: [CuePoint] = []
        try Element.forEach(in: payload, context: "Cues") { (element) throws(ParseError) in
            guard element.id == .cuePoint else { return }
            var time: Int64?
            var positions: [Positions] = []
            try element.forEachChild("CuePoint") { (child) throws(ParseError) in
                switch child.id {
                case .cueTime: time = try signed(child)
                case .cueTrackPositions: positions.append(try Positions(parsing: child))
                default: break
                }
            }
            guard let time, !positions.isEmpty else {
                throw ParseError(.malformed, at: 0, in: "CuePoint", "no CueTime or no CueTrackPositions")
            }
            for position in positions {
                points.append(
                    CuePoint(
                        timeTicks: time, track: position.track, clusterPosition: position.cluster, relativePosition: position.relative))
            }
        }
        return points
    }

    private struct Positions {
        let track: UInt64
        let cluster: Int64
        let relative: Int64?

        init(parsing element: Element) throws(ParseError) {
            var track: UInt64?
            var cluster: Int64?
            var relative: Int64?
            try element.forEachChild("CueTrackPositions") { (child) throws(ParseError) in
                switch child.id {
                case .cueTrack: track = try child.unsignedInteger()
                case .cueClusterPosition: cluster = try CuePoint.signed(child)
                case .cueRelativePosition: relative = try CuePoint.signed(child)
                default: break
                }
            }
            guard let track, let cluster else {
                throw ParseError(.malformed, at: 0, in: "CueTrackPositions", "no CueTrack or no CueClusterPosition")
            }
            (self.track, self.cluster, self.relative) = (track, cluster, relative)
        }
    }

    private static func signed(_ element: Element) throws(ParseError) -> Int64 {
        guard let value = Int64(exactly: try element.unsignedInteger()) else {
            throw ParseError(.malformed, at: 0, in: "\(element.id)", "past 63 bits")
        }
        return value
    }
}
