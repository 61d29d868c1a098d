package import BitsAndTime

/// Decides what the producer does next. Pure: demand and progress in, a step out.
package struct ProductionSchedule: Sendable {
    package enum Step: Sendable, Equatable {
        /// Read the next packet.
        case read
        /// Begin again at this segment.
        case anchor(Int)
        /// Wait until something is demanded.
        case park
    }

    /// How far production runs ahead of the last demanded segment.
    package static let lead = MediaTime(ticks: 30, timescale: 1)
    /// A demand this many segments past what is being produced is waited for; one further off is jumped to.
    package static let forwardWindow = 2
    /// Bytes a sequential session produces ahead of demand at most.
    package static let leadByteCount = 24 << 20
    /// Bytes read past the pause of one track at most, of which a sequential session puts those that memory has no room for on disk.
    package static let pauseByteCount = 256 << 20

    /// Segments a sequential session lists before a client has asked for one. Players join a playlist that still grows three target durations
    /// before its end (RFC 8216 §6.3.3), libavformat and what builds on it whatever EXT-X-START says: with three segments that is the beginning.
    package static let segmentsBeforeFirstDemand = 3

    /// Whether a client has asked for a segment.
    package var hasClient = false
    /// Segments wanted and not yet served, oldest first.
    package var demands: [SegmentStore.Key] = []
    /// The last segment a client asked for: where the viewer is.
    package var playhead = 0
    /// First segment of the current run; `nil` before the first.
    package var anchor: Int?
    /// The next segment each rendition will finish in this run.
    package var next: [RenditionID: Int] = [:]
    package var isAtEnd = false
    /// What a planned session may hold in memory.
    package var memory: MemoryBounds
    /// Bytes of memory the picture's last fragment took: about what its next will take.
    package var segmentByteCount = 0

    package init(memory: MemoryBounds = .local) { self.memory = memory }

    private var frontier: Int { next.values.min() ?? 0 }

    /// - Parameters:
    ///   - plan: `nil` in a sequential session, which cannot go back.
    ///   - isResident: Whether a fragment is in the store.
    ///   - bytesAhead: Bytes in the store beyond the playhead.
    ///   - end: Where a produced segment of a sequential session ends.
    ///   - listedEnd: The first segment that a rendition of a sequential session does not list yet. A track that pauses keeps it back, and the
    ///     player with it, who waits for what only reading on can bring.
    package func step(
        plan: SegmentPlan?, isResident: (SegmentStore.Key) -> Bool, bytesAhead: Int, end: (Int) -> MediaTime?, listedEnd: Int = .max
    ) -> Step {
        guard let plan else {
            if isAtEnd || (!hasClient && frontier >= Self.segmentsBeforeFirstDemand) { return .park }
            guard let reached = end(min(frontier, listedEnd) - 1), let seen = end(min(playhead, frontier - 1)) else { return .read }
            let isFull = bytesAhead > Self.leadByteCount && frontier > playhead + 1 && listedEnd >= frontier
            return reached - seen > Self.lead || isFull ? .park : .read
        }
        if let wanted = demands.first(where: { !isResident($0) }) {
            guard plan.segments.indices.contains(wanted.index) else { return .park }
            return reach(wanted.index, of: next[wanted.rendition])
        }
        // Nothing waits: fill what the viewer reaches next.
        let from = min(max(playhead, 0), plan.segments.count - 1)
        let horizon = plan.segments[from].end + Self.lead
        guard memory.allows(segmentByteCount, besides: bytesAhead) else { return .park }
        for index in from..<plan.segments.count {
            if index > from, plan.segments[index].start > horizon { return .park }
            // What the viewer was given and the store let go since is not wanted again by itself.
            for (rendition, position) in next where (index > from || position <= index) && !isResident(.init(rendition, index)) {
                return reach(index, of: position)
            }
            if next.isEmpty { return .anchor(index) }
        }
        return .park
    }

    private func reach(_ index: Int, of position: Int?) -> Step {
        guard let anchor, let position, !isAtEnd, index >= anchor, index >= position, index <= frontier + Self.forwardWindow else { return .anchor(index) }
        return .read
    }
}
