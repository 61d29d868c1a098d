package import BitsAndTime
internal import Bitstreams
package import Libav

/// Asks a source for its keyframe index and turns it into a plan, within a budget.
package struct PlanLoader {
    /// Loading an index may cost this much. A tail request for Matroska Cues behind a slow proxy takes longer; the session then plays sequentially.
    package static let indexLoadBudget = Duration.seconds(3)
    /// Planned boundaries that are read to see whether the index tells the truth.
    package static let spotChecks = 4

    /// A file of this many bytes at most is read through.
    private static let smallFile: Int64 = 8 << 20

    /// What a plan was made of.
    package enum Evidence: Sendable, Equatable {
        /// The container's own index.
        case index
        /// The headers of the container's packets, of which this many bytes were read.
        case scan(bytesRead: Int64, elapsed: Duration)
    }

    package struct Planned: Sendable {
        package let plan: SegmentPlan
        package let evidence: Evidence
        /// Peak bits a second over one segment, where the index says where its entries lie.
        package let peakBitRate: Int64?
        /// Of what is served alone; `nil` where the index does not tell it from what is not.
        package let servedBitRate: ServedBitRate?
        /// Whether every checked segment opens with a picture that nothing after it reaches behind.
        package let isIndependent: Bool
    }

    private let reader: SourceReader
    private let stream: StreamInfo
    private let track: TrackAnalyzer.Copyable
    private let deadline: ContinuousClock.Instant?
    private let file: SourceFile?
    private let remote: RangeSource?
    private let audio: [StreamInfo]

    /// - Parameters:
    ///   - deadline: The caller's own, in force again when loading is over.
    ///   - file, remote: The source, where it is a file here or one that can be read in pieces: its headers are scanned where it has no index that
    ///     holds up.
    ///   - audio: What else is served.
    package init(
        reader: SourceReader, stream: StreamInfo, track: TrackAnalyzer.Copyable, deadline: ContinuousClock.Instant?, file: SourceFile? = nil,
        remote: RangeSource? = nil, audio: [StreamInfo] = []
    ) {
        self.audio = audio
        self.file = file
        self.remote = remote
        self.deadline = deadline
        self.reader = reader
        self.stream = stream
        self.track = track
    }

    /// - Parameter end: Where the longest track ends on the presentation axis; `nil` where the container does not say.
    package func load(sourceEnd: MediaTime?) throws(SegmentPlan.Rejection) -> Planned {
        guard reader.demuxer.isSeekable else { throw .notSeekable }
        let start = ContinuousClock.now
        let limit = min(start + Self.indexLoadBudget, deadline ?? start + Self.indexLoadBudget)
        reader.interrupter.setDeadline(limit)
        defer { reader.interrupter.setDeadline(deadline) }
        do throws(SegmentPlan.Rejection) {
            let planned = try planIndex(sourceEnd: sourceEnd)
            try checkEverySet()
            return planned
        } catch {
            // An index that is missing, cut short or wrong: the source itself knows better, if it can be asked.
            switch error {
            case .encrypted, .parameterSets: throw error
            default: break
            }
            guard error != .budgetExpired, let planned = try planScan(from: start, limit: limit) else { throw error }
            try checkEverySet()
            return planned
        }
    }

    /// A plan from the source's own headers; `nil` where there is no scan for it or the scan finds nothing to plan.
    private func planScan(from start: ContinuousClock.Instant, limit: ContinuousClock.Instant) throws(SegmentPlan.Rejection) -> Planned? {
        let demuxer = reader.demuxer
        guard UnindexedScan.covers(formatName: demuxer.formatName) else { return nil }
        let check = { @Sendable [interrupter = reader.interrupter] () throws -> Void in
            if interrupter.isCancelled || ContinuousClock.now >= limit { throw SegmentPlan.Rejection.scanExpired }
        }
        let scan: UnindexedScan
        do {
            if let file {
                scan = try UnindexedScan(
                    file: file, formatName: demuxer.formatName, stream: stream, streams: demuxer.streams, head: reader.head[stream.index] ?? [], track: track,
                    check: check)
            } else if let remote, UnindexedScan.coversRemote(formatName: demuxer.formatName) {
                scan = try UnindexedScan(remote: remote, stream: stream, streams: demuxer.streams, until: limit, check: check)
            } else {
                return nil
            }
        } catch let rejection as SegmentPlan.Rejection {
            throw rejection
        } catch let error as KeyframeScanError {
            switch error {
            case .clockJumps(let ticks): throw .clockJumps(at: base.time(ticks))
            case .gap(let ticks): throw .gap(base.time(ticks))
            case .noKeyframe, .layout: return nil
            }
        } catch let error as LibavError where error.kind == .deadlineExpired {
            throw .scanExpired
        } catch {
            return nil
        }
        let shift = scan.axis == .presentation ? 0 : presentationShift(base: base)
        let end = scan.axis == .presentation ? scan.end : scan.end + MediaTime(ticks: shift, timescale: base.denominator)
        let plan = try SegmentPlan(
            openings: scan.openings, axis: scan.axis, base: base, presentationShift: shift, sourceEnd: end, keepsPositions: scan.access == .byteOffset)
        if scan.access == .index {
            let entries = scan.openings.map { IndexEntry(timestamp: $0.time, position: $0.position, byteCount: 0, isKeyframe: true) }
            demuxer.addIndexEntries(entries, streamIndex: stream.index)
        }
        let evidence = Evidence.scan(bytesRead: scan.bytesRead, elapsed: ContinuousClock.now - start)
        let kinds = try spotCheck(plan, base: base)
        return Planned(
            plan: plan, evidence: evidence, peakBitRate: peak(plan, offsets: scan.openings.map(\.position)), servedBitRate: nil,
            isIndependent: kinds.allSatisfy { $0 == .idr })
    }

    private var base: TickBase { TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator) }

    private func planIndex(sourceEnd: MediaTime?) throws(SegmentPlan.Rejection) -> Planned {
        guard let axis = KeyframeIndex.axis(ofFormat: reader.demuxer.formatName) else { throw .noIndex }
        guard let sourceEnd else { throw .unknownDuration }
        let entries: [IndexEntry]
        do throws(LibavError) {
            try reader.demuxer.loadIndex(streamIndex: stream.index)
            entries = reader.demuxer.indexEntries(streamIndex: stream.index)
        } catch {
            throw error.kind == .deadlineExpired ? .budgetExpired : .noIndex
        }
        if entries.contains(where: \.isDiscard), zip(entries, entries.dropFirst()).contains(where: { $1.timestamp < $0.timestamp }) { throw .editList }
        let keys = entries.filter(\.isKeyframe)
        guard !keys.isEmpty, base.numerator == 1 || axis == .decode || axis == .presentation else { throw .noIndex }
        try checkHeadAgainst(keys: keys, axis: axis, base: base)

        let scale = base.denominator
        let index = KeyframeIndex(axis: axis, times: keys.map { $0.timestamp &* Int64(base.numerator) }, timescale: scale, entryCount: entries.count)
        let shift = axis == .presentation ? 0 : presentationShift(base: base)
        var plan = try SegmentPlan(index: index, presentationShift: shift, sourceEnd: sourceEnd)
        if let start = shownStart { plan = try plan.opening(at: base.time(start)) }
        let kinds = try spotCheck(plan, base: base)
        var positions: [Int64: Int64] = [:]
        for key in keys { positions[key.timestamp &* Int64(base.numerator)] = key.position }
        let offsets = plan.segments.map { positions[$0.indexTime] ?? -1 }
        return Planned(
            plan: plan, evidence: .index, peakBitRate: peak(plan, offsets: offsets),
            servedBitRate: ServedBitRate(demuxer: reader.demuxer, plan: plan, video: stream, audio: audio), isIndependent: kinds.allSatisfy { $0 == .idr })
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

    /// Reads a small file here through: looks at a few segments miss what changes between them, and this costs less than one of them elsewhere.
    private func checkEverySet() throws(SegmentPlan.Rejection) {
        guard let size = file?.byteCount, size <= Self.smallFile,
            var watch = ParameterSetWatch(track, stream: stream, timescale: 1, presentationOffset: 0)
        else { return }
        do throws(LibavError) {
            try reader.rewind()
            while let packet = try reader.next() {
                guard packet.streamIndex == stream.index, packet.isKeyframe,
                    track.description.codec.randomAccessKind(of: packet, framing: track.framing) != RandomAccessKind.none,
                    watch.change(at: packet, framing: track.framing) != nil
                else { continue }
                throw LibavError.inputChanged(operation: "read")
            }
        } catch {
            switch error.kind {
            case .inputChanged: throw .parameterSets(at: nil)
            case .encrypted: throw .encrypted(at: nil)
            case .deadlineExpired: throw .budgetExpired
            // What cannot be read is the producer's to report.
            default: break
            }
        }
    }

    /// Where the film begins that opens on pictures an edit list hides, in container ticks; `nil` for any other.
    private var shownStart: Int64? {
        let pictures = reader.head[stream.index] ?? []
        guard pictures.first?.isDiscard ?? false else { return nil }
        return pictures.filter { !$0.isDiscard }.compactMap { $0.pts ?? $0.dts }.min()
    }

    /// Reads the opening picture of a few planned segments, spread over the film.
    private func spotCheck(_ plan: SegmentPlan, base: TickBase) throws(SegmentPlan.Rejection) -> [RandomAccessKind] {
        let count = plan.segments.count
        let picks = Set((0..<min(Self.spotChecks, count)).map { count <= Self.spotChecks ? $0 : $0 * (count - 1) / (Self.spotChecks - 1) })
        var kinds: [RandomAccessKind] = []
        for pick in picks.sorted() {
            let time = plan.segments[pick].indexTime / Int64(base.numerator)
            var hasNewSets = false
            do throws(LibavError) {
                try reader.seek(to: pick, of: plan, stream: stream.index, timeBase: base)
                kinds.append(try kindOfPicture(at: time, axis: plan.axis) { packet in
                    var watch = ParameterSetWatch(track, stream: stream, timescale: 1, presentationOffset: 0)
                    hasNewSets = watch?.change(at: packet, framing: track.framing) != nil
                })
            } catch {
                if error.kind == .deadlineExpired { throw .budgetExpired }
                if error.kind == .encrypted { throw .encrypted(at: plan.segments[pick].start) }
                throw .end(last: plan.segments[pick].start, duration: plan.end)
            }
            if hasNewSets { throw .parameterSets(at: plan.segments[pick].start) }
            if kinds.last == RandomAccessKind.none { throw .notRandomAccess(at: plan.segments[pick].start) }
        }
        return kinds
    }

    /// The first picture at or after `time`, which the index says is a keyframe at exactly that time.
    private func kindOfPicture(at time: Int64, axis: KeyframeIndex.Axis, inspect: (Packet) -> Void) throws(LibavError) -> RandomAccessKind {
        for _ in 0..<SourceReader.HeadLimit.packetCount {
            guard let packet = try reader.next() else { return .none }
            guard packet.streamIndex == stream.index else { continue }
            guard let found = axis == .presentation ? packet.pts : packet.dts ?? packet.pts else { continue }
            if found < time { continue }
            guard found == time, packet.isKeyframe else { return .none }
            inspect(packet)
            return track.description.codec.randomAccessKind(of: packet, framing: track.framing)
        }
        return .none
    }

    private func peak(_ plan: SegmentPlan, offsets: [Int64]) -> Int64? {
        var peak: Int64 = 0
        let end = reader.demuxer.containerByteCount ?? -1
        for (k, segment) in plan.segments.enumerated() {
            let from = offsets[k]
            let to = k + 1 < offsets.count ? offsets[k + 1] : end
            guard from >= 0, to > from, segment.duration.ticks > 0 else { continue }
            // How long the source is its origin says, and may say anything.
            peak = max(peak, Int64(min(Double(to - from) * 8 / segment.duration.seconds, 1e15)))
        }
        return peak > 0 ? peak : nil
    }
}
