internal import BitsAndTime
internal import Bitstreams
internal import FLV
internal import Libav
internal import MPEGTS
internal import Matroska

/// The segment openings of a local file whose container lists none that can be believed, found by its own headers.
struct UnindexedScan {
    /// How the demuxer gets to an opening.
    enum Access: Sendable, Equatable {
        /// By time, once it has been told where the keyframes are.
        case index
        /// By byte offset: the container has no place for an index.
        case byteOffset
    }

    let access: Access
    let axis: KeyframeIndex.Axis
    /// In the stream's own ticks, as libavformat counts them.
    let openings: [SegmentOpenings.Opening]
    /// Where the longest track ends: on the presentation axis, but for a decode-time container, on whose axis `end` is as the openings are.
    let end: MediaTime
    let bytesRead: Int64

    /// Whether there is a scan for this container.
    static func covers(formatName: String) -> Bool {
        let names = formatName.split(separator: ",")
        return ["matroska", "webm", "mpegts", "flv"].contains { names.contains($0) }
    }

    /// - Parameter check: Asked before each read; throws to end the scan.
    /// - Throws: `KeyframeScanError`, `ParseError`, and what `check` throws.
    init(
        file: SourceFile, formatName: String, stream: StreamInfo, streams: [StreamInfo], head: [Packet], track: TrackAnalyzer.Copyable,
        check: @escaping () throws -> Void
    ) throws {
        let window = file.window(check: check)
        let rule = Self.rule(for: stream)
        let names = formatName.split(separator: ",")
        if names.contains("matroska") || names.contains("webm") {
            let (layout, tracks, number) = try Self.matroska(window: window, stream: stream, streams: streams)
            let scan = try ClusterScanner(window: window, layout: layout, tracks: tracks, track: number, rule: rule)
            (access, axis, openings) = (.index, .presentation, scan.openings)
            end = MediaTime(ticks: scan.endNanoseconds, timescale: 1_000_000_000).converted(to: 1_000_000)
        } else if names.contains("mpegts") {
            let codec: RandomAccess.Codec
            switch track.description.codec {
            case .avc: codec = .avc
            case .hevc: codec = .hevc
            default: throw KeyframeScanError.layout("no Annex B video")
            }
            guard let pid = UInt16(exactly: stream.containerID), pid > 0, pid < 0x1FFF else { throw KeyframeScanError.layout("no PID") }
            let scan = try TransportScanner(
                window: window, pid: pid, others: streams.filter { $0.kind == .audio }.compactMap { UInt16(exactly: $0.containerID) }, rule: rule,
                isSettled: { RandomAccess.isSettled(front: $0, codec: codec, framing: .annexB) },
                isKeyframe: { Self.isKeyframe(front: $0, codec: codec) })
            // libavformat counts on from the stream's start, or below zero where that lies just before the clock's end.
            guard let first = scan.openings.first, let key = head.first(where: { $0.isKeyframe && $0.pts.map { TransportClock.unwrapped($0, near: first.time) == first.time } ?? false }),
                let pts = key.pts
            else { throw KeyframeScanError.layout("the demuxer finds another first keyframe") }
            let shift = pts - first.time
            (access, axis) = (.byteOffset, .presentation)
            openings = scan.openings.map { .init(time: $0.time + shift, position: $0.position) }
            end = MediaTime(ticks: scan.end + shift, timescale: Int32(TransportClock.ticksPerSecond))
        } else if names.contains("flv") {
            let scan = try FLVScanner(window: window, rule: rule)
            (access, axis, openings) = (.index, .decode, scan.openings)
            end = MediaTime(ticks: scan.end, timescale: 1000)
        } else {
            throw KeyframeScanError.layout("no scan for \(formatName)")
        }
        bytesRead = window.bytesRead
    }

    /// The plan's own rule, in the stream's ticks.
    private static func rule(for stream: StreamInfo) -> SegmentOpenings {
        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        return SegmentOpenings(
            first: ticks(SegmentPlan.firstTarget, base), later: ticks(SegmentPlan.target, base), largestGap: ticks(SegmentPlan.largestGap, base))
    }

    /// Whether there is a scan for this container where each read is a round trip.
    static func coversRemote(formatName: String) -> Bool {
        let names = formatName.split(separator: ",")
        return names.contains("matroska") || names.contains("webm")
    }

    /// - Parameters:
    ///   - limit: When there must be an end.
    ///   - check: Asked before each read, on every thread that reads; throws to end the scan.
    /// - Throws: As the other; and what it could not read as `LibavError`.
    init(
        remote: RangeSource, stream: StreamInfo, streams: [StreamInfo], until limit: ContinuousClock.Instant, check: @escaping @Sendable () throws -> Void
    ) throws {
        let rule = Self.rule(for: stream)
        let bound = check
        let check = { @Sendable () throws -> Void in
            try bound()
            if remote.bytesRead > RemoteClusters.byteLimit || remote.requests > RemoteClusters.requestLimit { throw SegmentPlan.Rejection.scanExpired }
        }
        // The front and the last Clusters are read on and on.
        let window = RemoteClusters.window(remote, reach: { 256 << 10 }, check: check)
        let (layout, tracks, number) = try Self.matroska(window: window, stream: stream, streams: streams)
        let clusters = RemoteClusters(source: remote, layout: layout, track: number, check: check)
        try clusters.readAhead(until: limit)
        let reader = ClusterFrontReader(window: RemoteClusters.window(remote, check: check), layout: layout, track: number)
        let scan = try ClusterFrontScanner(window: window, layout: layout, tracks: tracks, track: number, rule: rule) { try clusters.front(at: $0, otherwise: reader) }
        (access, axis, openings) = (.index, .presentation, scan.openings)
        end = MediaTime(ticks: scan.endNanoseconds, timescale: 1_000_000_000).converted(to: 1_000_000)
        bytesRead = remote.bytesRead
    }

    private static func matroska(
        window: ByteWindow, stream: StreamInfo, streams: [StreamInfo]
    ) throws -> (layout: MatroskaLayout, tracks: [TrackEntry], number: UInt64) {
        let layout = try MatroskaLayout.scan(stopsAtMedia: true) { offset, count in try window.copy(at: offset, count: count) }
        guard let place = layout.tracks, place.payloadByteCount <= tracksLimit else { throw KeyframeScanError.layout("no Tracks") }
        let tracks = try TrackEntry.parse(tracks: window.copy(at: place.payloadOffset, count: Int(place.payloadByteCount))[...])
        // libavformat's streams stand in the order of the tracks; attached pictures come behind them all.
        let pictures = streams.filter { $0.kind == .video && !$0.isAttachedPicture }
        let entries = tracks.filter { $0.kind == .video }
        guard pictures.count == entries.count, let place = pictures.firstIndex(where: { $0.index == stream.index }) else {
            throw KeyframeScanError.layout("its tracks are not the demuxer's")
        }
        return (layout, tracks, entries[place].number)
    }

    /// Real Tracks take kilobytes; fonts and covers are attachments.
    private static let tracksLimit: Int64 = 4 << 20

    /// What libavformat's parsers flag as a keyframe, and the bitstream bears out: not a picture of intra slices alone.
    private static func isKeyframe(front: ArraySlice<UInt8>, codec: RandomAccess.Codec) -> Bool {
        // A unit that begins inside a picture would hand the demuxer a piece of one first.
        guard front.starts(with: [0, 0, 1]) || front.starts(with: [0, 0, 0, 1]) else { return false }
        switch RandomAccess.classify(sample: front, codec: codec, framing: .annexB) {
        case .idr, .craOrBLA, .recoveryPoint: return true
        case .intraOnly, .none: return false
        }
    }

    /// A span in container ticks, rounded up: a keyframe that many ticks on is at least the span away.
    private static func ticks(_ span: MediaTime, _ base: TickBase) -> Int64 {
        let wide = span.ticks &* Int64(base.denominator)
        let divisor = Int64(span.timescale) &* Int64(base.numerator)
        return (wide + divisor - 1) / divisor
    }
}
