/// Where tracks end, from the blocks of their last Clusters.
struct TrackEnds {
    private struct Track {
        let entry: TrackEntry
        var times: [Int64] = []
        var lastDuration: Int64?
        var latest = Int64.min
    }

    private var tracks: [UInt64: Track] = [:]
    private let scale: Int64

    init(tracks: [TrackEntry], scale: Int64) {
        self.scale = scale
        for entry in tracks where (entry.kind == .video || entry.kind == .audio) && entry.timestampScale == 1 { self.tracks[entry.number] = Track(entry: entry) }
    }

    mutating func take(_ block: ClusterWalk.Block) {
        guard var track = tracks[block.track] else { return }
        track.times.append(block.ticks)
        if block.ticks >= track.latest {
            track.latest = block.ticks
            let told = block.durationTicks.map { $0.multipliedReportingOverflow(by: scale) }
            track.lastDuration = told.flatMap { $0.overflow ? nil : $0.partialValue }
                ?? track.entry.defaultDuration.map { $0.multipliedReportingOverflow(by: Int64(block.frameCount)) }.flatMap { $0.overflow ? nil : $0.partialValue }
        }
        tracks[block.track] = track
    }

    /// The latest end of all, in nanoseconds. A track that does not say how long its frames are has its last one last as long as its
    /// frames usually lie apart.
    var end: Int64 {
        tracks.values.map { track -> Int64 in
            guard track.latest > .min else { return 0 }
            let times = Set(track.times).sorted()
            let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
            let apart = gaps.isEmpty ? 0 : gaps[gaps.count / 2].multipliedReportingOverflow(by: scale).partialValue
            let start = track.latest.multipliedReportingOverflow(by: scale)
            let end = start.partialValue.addingReportingOverflow((track.lastDuration ?? apart) - track.entry.codecDelay)
            return start.overflow || end.overflow ? 0 : end.partialValue
        }.max() ?? 0
    }
}
