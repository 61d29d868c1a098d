package import BitsAndTime
internal import Bitstreams
package import Libav

/// Asks a source for its keyframe index and turns it into a plan, within a budget.
package struct PlanLoader {
    /// Loading an index may cost this much. A tail request for Matroska Cues behind a slow proxy takes longer; the session then plays sequentially.
    package static let indexLoadBudget = Duration.seconds(3)
    /// Planned boundaries that are read to see whether the index tells the truth.
    package static let spotChecks = 4

    package struct Planned: Sendable {
        package let plan: SegmentPlan
        /// Peak bits a second over one segment, where the index says where its entries lie.
        package let peakBitRate: Int64?
        /// Whether every checked segment opens with a picture that nothing after it reaches behind.
        package let isIndependent: Bool
    }

    private let reader: SourceReader
    private let stream: StreamInfo
    private let track: TrackAnalyzer.Copyable
    private let deadline: ContinuousClock.Instant?

    /// - Parameter deadline: The caller's own, in force again when loading is over.
    package init(reader: SourceReader, stream: StreamInfo, track: TrackAnalyzer.Copyable, deadline: ContinuousClock.Instant?) {
        self.deadline = deadline
        self.reader = reader
        self.stream = stream
        self.track = track
    }

    /// - Parameter end: Where the longest track ends on the presentation axis; `nil` where the container does not say.
    package func load(sourceEnd: MediaTime?) throws(SegmentPlan.Rejection) -> Planned {
        guard reader.demuxer.isSeekable else { throw .notSeekable }
        guard let axis = KeyframeIndex.axis(ofFormat: reader.demuxer.formatName) else { throw .noIndex }
        guard let sourceEnd else { throw .unknownDuration }
        let start = ContinuousClock.now
        reader.interrupter.setDeadline(min(start + Self.indexLoadBudget, deadline ?? start + Self.indexLoadBudget))
        defer { reader.interrupter.setDeadline(deadline) }

        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        let entries: [IndexEntry]
        do throws(LibavError) {
            try reader.demuxer.loadIndex(streamIndex: stream.index)
            entries = reader.demuxer.indexEntries(streamIndex: stream.index)
        } catch {
            throw error.kind == .deadlineExpired ? .budgetExpired : .noIndex
        }
        let keys = entries.filter(\.isKeyframe)
        guard !keys.isEmpty, base.numerator == 1 || axis == .decode || axis == .presentation else { throw .noIndex }
        try checkHeadAgainst(keys: keys, axis: axis, base: base)

        let scale = base.denominator
        let index = KeyframeIndex(axis: axis, times: keys.map { $0.timestamp &* Int64(base.numerator) }, timescale: scale, entryCount: entries.count)
        let shift = axis == .presentation ? 0 : presentationShift(base: base)
        let plan = try SegmentPlan(index: index, presentationShift: shift, sourceEnd: sourceEnd)
        let kinds = try spotCheck(plan, base: base)
        var positions: [Int64: Int64] = [:]
        for key in keys { positions[key.timestamp &* Int64(base.numerator)] = key.position }
        return Planned(plan: plan, peakBitRate: peak(plan, positions: positions), isIndependent: kinds.allSatisfy { $0 == .idr })
    }

    /// Pictures at the head that the container calls keyframes and the bitstream does not: an index made of the same flags lies too.
    private func checkHeadAgainst(keys: [IndexEntry], axis: KeyframeIndex.Axis, base: TickBase) throws(SegmentPlan.Rejection) {
        for packet in reader.head[stream.index] ?? [] where packet.isKeyframe {
            guard track.description.codec.randomAccessKind(of: packet, framing: track.framing) == RandomAccessKind.none else { continue }
            throw .notRandomAccess(at: base.time(packet.pts ?? packet.dts ?? 0))
        }
    }

    /// Presentation minus decode time of the first keyframe, in plan ticks.
    private func presentationShift(base: TickBase) -> Int64 {
        guard let key = (reader.head[stream.index] ?? []).first(where: \.isKeyframe), let pts = key.pts, let dts = key.dts else { return 0 }
        return (pts &- dts) &* Int64(base.numerator)
    }

    /// Reads the opening picture of a few planned segments, spread over the film.
    private func spotCheck(_ plan: SegmentPlan, base: TickBase) throws(SegmentPlan.Rejection) -> [RandomAccessKind] {
        let count = plan.segments.count
        let picks = Set((0..<min(Self.spotChecks, count)).map { count <= Self.spotChecks ? $0 : $0 * (count - 1) / (Self.spotChecks - 1) })
        var kinds: [RandomAccessKind] = []
        for pick in picks.sorted() {
            let time = plan.segments[pick].indexTime / Int64(base.numerator)
            do throws(LibavError) {
                try reader.seek(stream: stream.index, timestamp: time)
                kinds.append(try kindOfPicture(at: time, axis: plan.axis, start: plan.segments[pick].start))
            } catch {
                if error.kind == .deadlineExpired { throw .budgetExpired }
                throw .end(last: plan.segments[pick].start, duration: plan.end)
            }
            if kinds.last == RandomAccessKind.none { throw .notRandomAccess(at: plan.segments[pick].start) }
        }
        return kinds
    }

    /// The first picture at or after `time`, which the index says is a keyframe at exactly that time.
    private func kindOfPicture(at time: Int64, axis: KeyframeIndex.Axis, start: MediaTime) throws(LibavError) -> RandomAccessKind {
        for _ in 0..<SourceReader.HeadLimit.packetCount {
            guard let packet = try reader.next() else { return .none }
            guard packet.streamIndex == stream.index else { continue }
            guard let found = axis == .presentation ? packet.pts : packet.dts ?? packet.pts else { continue }
            if found < time { continue }
            guard found == time, packet.isKeyframe else { return .none }
            return track.description.codec.randomAccessKind(of: packet, framing: track.framing)
        }
        return .none
    }

    private func peak(_ plan: SegmentPlan, positions: [Int64: Int64]) -> Int64? {
        var peak: Int64 = 0
        let offsets = plan.segments.map { positions[$0.indexTime] ?? -1 }
        let end = reader.demuxer.containerByteCount ?? -1
        for (k, segment) in plan.segments.enumerated() {
            let from = offsets[k]
            let to = k + 1 < offsets.count ? offsets[k + 1] : end
            guard from >= 0, to > from, segment.duration.ticks > 0 else { continue }
            peak = max(peak, Int64(Double(to - from) * 8 / segment.duration.seconds))
        }
        return peak > 0 ? peak : nil
    }
}
