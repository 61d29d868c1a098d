internal import BitsAndTime
internal import Libav
internal import Locks
internal import LoopbackHTTP
internal import Remux
internal import SubtitleRenditions
internal import Synchronization
internal import TimedText

/// Playlists and segments of a session's subtitle renditions.
final class SubtitleResources: Sendable {
    /// Who finds the cues.
    enum Cues: Sendable {
        case planned(CueReader, SegmentPlan)
        case sequential(SequentialCues, Producer, SlidingWindow.Shape)
    }

    private static let contentType = "text/vtt"

    private struct Delay {
        var value: MediaTime
        /// Whether it was another when the session began: addresses are then no longer what they stood for.
        var isChanged = false
    }

    private let offers: [SubtitleAssembly.Offer]
    private let cues: Cues
    private let identity: SessionIdentity
    /// Where the media timeline begins: what X-TIMESTAMP-MAP maps to.
    private let origin: MediaTime
    private let delay: Locked<Delay>

    init(offers: [SubtitleAssembly.Offer], cues: Cues, identity: SessionIdentity, origin: MediaTime, delay: MediaTime) {
        self.offers = offers
        self.cues = cues
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

    /// Says where the viewer is: who listens to the words hears them from there on.
    func follow(viewerIn segment: Int) {
        if case .planned(let reader, _) = cues { reader.follow(viewerIn: segment) }
    }

    /// - Parameters:
    ///   - directory, file: The two parts of the resource's name.
    ///   - isFinal: Whether it was asked for at an address that is good for ever.
    /// - Returns: `nil` for what is none of these.
    func resource(directory: String, file: Substring, isFinal: Bool) -> ResourceAnswer? {
        guard let offer = offers.first(where: { SubtitleListing.directory($0.listing.number) == directory }) else { return nil }
        if file == PlaylistBuilder.mediaPlaylistName { return playlist(directory, isFinal: isFinal) }
        guard file.hasPrefix("seg"), file.hasSuffix(".vtt"), let index = Int(file.dropFirst(3).dropLast(4)), file == PlaylistBuilder.Content.words.name(index)
        else { return .notFound }
        return segment(index, of: offer, name: directory + file, isFinal: isFinal)
    }

    private func playlist(_ directory: String, isFinal: Bool) -> ResourceAnswer {
        switch cues {
        case .planned(_, let plan):
            let name = directory + PlaylistBuilder.mediaPlaylistName
            return .ready(
                Resource(
                    contentType: SessionResources.playlistType, body: ResourceBody(PlaylistBuilder.planned(plan, independent: false, content: .words)),
                    isImmutable: isFinal, etag: identity.etag(name)))
        case .sequential(_, let producer, let shape):
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

    private func segment(_ index: Int, of offer: SubtitleAssembly.Offer, name: String, isFinal: Bool) -> ResourceAnswer {
        let delay = delay.withLock { $0 }
        switch cues {
        case .planned(let reader, let plan):
            guard plan.segments.indices.contains(index) else { return .notFound }
            let span = plan.segments[index]
            let (origin, identity) = (origin, identity)
            let isImmutable = isFinal && !delay.isChanged
            let etag = delay.isChanged ? identity.etag("\(name)@\(delay.value)") : identity.etag(name)
            let pending = PendingCues(
                reader: reader, track: offer.listing.number, segments: reader.configuration.window.segments(index, of: plan, delay: delay.value),
                span: (span.start - delay.value, span.end - delay.value), isImmutable: isImmutable, etag: etag
            ) { cues in
                Resource(
                    contentType: Self.contentType, body: ResourceBody(WebVTTSegment.bytes(cues.map { $0.later(by: delay.value) }, origin: origin)), isImmutable: isImmutable,
                    etag: etag)
            }
            if case .ready(let resource) = pending.wait(atMost: .zero) { return .ready(resource) }
            return .pending(pending)
        case .sequential(let cues, let producer, _):
            guard let entry = producer.listedEntry(index, of: .video) else { return .notFound }
            let found = cues.cues(ofStream: offer.stream.index, shownIn: entry.start - delay.value, entry.end - delay.value)
            let body = ResourceBody(WebVTTSegment.bytes(found.map { $0.later(by: delay.value) }, origin: origin))
            // A cue may come later than the picture it goes with: the next time it is here.
            return .ready(Resource(contentType: Self.contentType, body: body, isImmutable: false, etag: identity.etag(of: body)))
        }
    }
}

/// Cues on their way: demanded when asked for, taken back when they were answered or nobody wants them any more.
private final class PendingCues: PendingResource {
    /// Players hold the picture back for a subtitle segment they wait for: better none than one so late.
    private static let patience = Duration.seconds(8)

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
