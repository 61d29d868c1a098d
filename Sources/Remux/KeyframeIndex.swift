internal import BitsAndTime

/// A container's own list of where its video's random-access pictures are, on the axis the container keeps it on.
package struct KeyframeIndex: Sendable, Equatable {
    /// What a time in the index means. Matroska Cues name presentation times, an MP4 sample table or an AVI `idx1` decode times.
    package enum Axis: Sendable, Equatable {
        case presentation
        case decode
    }

    package let axis: Axis
    /// Keyframe times, strictly rising, in ticks of `timescale`.
    package let times: [Int64]
    package let timescale: Int32
    /// How many entries the container's index held in all, keyframes or not.
    package let entryCount: Int

    /// Sorts, drops repetitions, and keeps what is left.
    package init(axis: Axis, times: [Int64], timescale: Int32, entryCount: Int? = nil) {
        self.axis = axis
        var unique: [Int64] = []
        unique.reserveCapacity(times.count)
        for time in times.sorted() where unique.last != time { unique.append(time) }
        self.times = unique
        self.timescale = timescale
        self.entryCount = entryCount ?? times.count
    }

    /// Index times on the axis of `KeyframeIndex` for a libavformat demuxer of this name, `nil` where its index means nothing to us.
    package static func axis(ofFormat formatName: String) -> Axis? {
        let names = formatName.split(separator: ",")
        if names.contains("matroska") || names.contains("webm") { return .presentation }
        if names.contains("mov") || names.contains("mp4") || names.contains("avi") || names.contains("flv") { return .decode }
        return nil
    }
}
