internal import BitsAndTime
internal import Locks
internal import LoopbackHTTP
internal import Remux
internal import SubtitleRenditions
internal import Synchronization
internal import TimedText

/// Playlists and segments of a session's subtitle renditions.
final class SubtitleResources: Sendable {
    /// Where the segments are cut: where the picture's are.
    enum Cut: Sendable {
        case planned(SegmentPlan)
        case sequential(Producer, SlidingWindow.Shape)
    }

    private static let contentType = "text/vtt"

    private struct Delay {
        var value: MediaTime
        /// Whether it was another when the session began: addresses are then no longer what they stood for.
        var isChanged = false
    }

    private let count: Int
    private let finders: [Int: CueFinder]
    private let cut: Cut
    private let identity: SessionIdentity
    /// Where the media timeline begins, source axis: what X-TIMESTAMP-MAP maps to.
    private let origin: MediaTime
    private let delay: Locked<Delay>

    /// - Parameters:
    ///   - count: Renditions.
    ///   - finders: By the number of the rendition.
    init(count: Int, finders: [Int: CueFinder], cut: Cut, identity: SessionIdentity, origin: MediaTime, delay: MediaTime) {
        self.count = count
        self.finders = finders
        self.cut = cut
        self.identity = identity
        self.origin = origin
        self.delay = Locked(Delay(value: delay))
    }

    /// Segments that are fetched from now on show their words so much later.
    func setDelay(_ value: MediaTime) {
        delay.withLock { delay in
            guard delay.value != value else { return }
            delay = Delay(value: value, isChanged: true)
        }
    }

    /// - Parameters:
    ///   - directory, file: The two parts of the resource's name.
    ///   - isFinal: Whether it was asked for at an address that is good for ever.
    /// - Returns: `nil` for what is none of these.
    func resource(directory: String, file: Substring, isFinal: Bool) -> ResourceAnswer? {
        guard let number = (0..<count).first(where: { SubtitleListing.directory($0) == directory }) else { return nil }
        if file == PlaylistBuilder.mediaPlaylistName { return playlist(directory, isFinal: isFinal) }
        guard file.hasPrefix("seg"), file.hasSuffix(".vtt"), let index = Int(file.dropFirst(3).dropLast(4)), file == PlaylistBuilder.Content.words.name(index)
        else { return .notFound }
        guard let finder = finders[number] else { return span(index) == nil ? .notFound : answer([], moved: .zero) }
        return segment(index, of: finder, name: directory + file, isFinal: isFinal)
    }

    private func playlist(_ directory: String, isFinal: Bool) -> ResourceAnswer {
        switch cut {
        case .planned(let plan):
            let name = directory + PlaylistBuilder.mediaPlaylistName
            return .ready(
                Resource(
                    contentType: SessionResources.playlistType, body: ResourceBody(PlaylistBuilder.planned(plan, independent: false, content: .words)),
                    isImmutable: isFinal, etag: identity.etag(name)))
        case .sequential(let producer, let shape):
            let identity = identity
            let playlist = PendingPlaylist(rendition: .video, contentType: SessionResources.playlistType, producer: producer) { listing, isEnded in
                let body = ResourceBody(
                    PlaylistBuilder.sequential(
                        listing, shape: shape, isEnded: isEnded, independent: false, renewals: producer.renewals.map(\.segment), content: .words))
                return Resource(contentType: SessionResources.playlistType, body: body, isImmutable: isEnded && isFinal, etag: identity.etag(of: body))
            }
            if case .ready(let resource) = playlist.wait(atMost: .zero) { return .ready(resource) }
            return .pending(playlist)
        }
    }

    private func segment(_ index: Int, of finder: CueFinder, name: String, isFinal: Bool) -> ResourceAnswer {
        guard let span = span(index) else { return .notFound }
        let delay = delay.withLock { $0 }
        let (start, end) = (span.start - delay.value, span.end - delay.value)
        switch finder {
        case .reader(let reader, let track):
            let (origin, plan) = (origin, reader.configuration.plan)
            let isImmutable = isFinal && !delay.isChanged
            let etag = delay.isChanged ? identity.etag("\(name)@\(delay.value)") : identity.etag(name)
            let pending = PendingCues(
                reader: reader, track: track, segments: reader.configuration.window.segments(index, of: plan, delay: delay.value), span: (start, end),
                isImmutable: isImmutable, etag: etag
            ) { cues in
                Resource(contentType: Self.contentType, body: Self.body(cues, moved: delay.value, origin: origin), isImmutable: isImmutable, etag: etag)
            }
            if case .ready(let resource) = pending.wait(atMost: .zero) { return .ready(resource) }
            return .pending(pending)
        case .sequential(let cues, let stream, let lane):
            // A cue may come later than the picture it goes with: the next time it is here.
            return answer(cues.cues(ofStream: stream, lane: lane, shownIn: start, end), moved: delay.value)
        case .file(let file):
            // A player holds the picture back for what it waits for; what is not there it asks for again.
            switch file.cues(shownIn: start - origin, end - origin) {
            case .loading: return .notFound
            case .cues(let cues): return answer(cues.map { $0.later(by: origin) }, moved: delay.value)
            case .reading(let reading):
                let (origin, identity) = (origin, identity)
                return .pending(
                    PendingPictures(reading) { cues in
                        let body = Self.body(cues.map { $0.later(by: origin) }, moved: delay.value, origin: origin)
                        return Resource(contentType: Self.contentType, body: body, isImmutable: false, etag: identity.etag(of: body))
                    })
            }
        }
    }

    private func answer(_ cues: [TextCue], moved delay: MediaTime) -> ResourceAnswer {
        let body = Self.body(cues, moved: delay, origin: origin)
        return .ready(Resource(contentType: Self.contentType, body: body, isImmutable: false, etag: identity.etag(of: body)))
    }

    private static func body(_ cues: [TextCue], moved delay: MediaTime, origin: MediaTime) -> ResourceBody {
        // Times as the media has them, where WebVTT can write those: players that do not read the map (FFmpeg's) show them in time as well.
        guard origin > .zero else { return ResourceBody(WebVTTSegment.written(cues.map { $0.later(by: delay - origin) }, origin: origin)) }
        let local = MediaTime(ticks: WebVTTTimestamp.milliseconds(origin), timescale: 1000)
        return ResourceBody(WebVTTSegment.written(cues.map { $0.later(by: delay) }, origin: origin, local: local))
    }

    private func span(_ index: Int) -> (start: MediaTime, end: MediaTime)? {
        switch cut {
        case .planned(let plan): plan.segments.indices.contains(index) ? (plan.segments[index].start, plan.segments[index].end) : nil
        case .sequential(let producer, _): producer.listedEntry(index, of: .video).map { ($0.start, $0.end) }
        }
    }
}

/// Cues on their way: demanded when asked for, taken back when they were answered or nobody wants them any more.
private final class PendingCues: PendingResource {
    /// Players hold the picture back for a subtitle segment they wait for: better none than one so late.
    static let patience = Duration.seconds(8)

    let contentType = "text/vtt"
    let isImmutable: Bool
    let etag: String?
    private let reader: CueReader
    private let demand: CueSchedule.Demand
    private let span: (start: MediaTime, end: MediaTime)
    private let write: @Sendable ([TextCue]) -> Resource
    private let isCancelled = Atomic(false)
    private let began = ContinuousClock.now

    init(
        reader: CueReader, track: Int, segments: ClosedRange<Int>, span: (MediaTime, MediaTime), isImmutable: Bool, etag: String,
        write: @escaping @Sendable ([TextCue]) -> Resource
    ) {
        self.reader = reader
        demand = .init(track: track, segments: segments)
        self.span = span
        self.isImmutable = isImmutable
        self.etag = etag
        self.write = write
        reader.demand(demand)
    }

    deinit { reader.withdraw(demand) }

    func wait(atMost limit: Duration) -> PendingOutcome {
        switch reader.wait(for: demand, showing: span.start, span.end, atMost: limit, isCancelled: { isCancelled.load(ordering: .acquiring) }) {
        case .ready(let cues): .ready(write(cues))
        case .unavailable: .failed
        case .stillPending: ContinuousClock.now - began < Self.patience ? .stillPending : .failed
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        reader.nudge()
    }
}

/// Pictures of words that are being read.
private final class PendingPictures: PendingResource {
    let contentType = "text/vtt"
    private let reading: PictureReading
    private let write: @Sendable ([TextCue]) -> Resource
    private let isCancelled = Atomic(false)
    private let began = ContinuousClock.now

    init(_ reading: PictureReading, write: @escaping @Sendable ([TextCue]) -> Resource) {
        self.reading = reading
        self.write = write
    }

    func wait(atMost limit: Duration) -> PendingOutcome {
        if let cues = reading.wait(atMost: limit, isCancelled: { isCancelled.load(ordering: .acquiring) }) { return .ready(write(cues)) }
        return isCancelled.load(ordering: .acquiring) || ContinuousClock.now - began >= PendingCues.patience ? .failed : .stillPending
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        reading.nudge()
    }
}
