internal import BitsAndTime
internal import LoopbackHTTP
internal import Remux
internal import Synchronization

/// What a session's server offers: exactly the names the session published, each answered from values in memory.
///
/// Each name but the multivariant playlists' is served at two addresses. The one the playlists give holds the session's identity and may be kept by any
/// cache for ever; the bare one (`seg0.m4s`) is for people and scripts, says the same and has to be asked again each time. See ``SessionIdentity``.
final class SessionResources: ResourceProvider {
    static let playlistType = "application/vnd.apple.mpegurl"

    private let identity: SessionIdentity
    private let fixed: [String: Resource]
    private let renditions: [String: (id: RenditionID, contentType: String)]
    private let producer: Producer
    private let plan: SegmentPlan?
    private let shape: SlidingWindow.Shape
    private let independent: Bool
    private let subtitles: SubtitleResources?
    private let viewerIsIn: @Sendable (Int) -> Void
    private let answering: @Sendable (String) -> ResourceAnswer

    /// - Parameters:
    ///   - playlists: Multivariant playlists by name.
    ///   - supplements: Anything else the session's owner publishes, by name.
    ///   - answering: Its answer to any other name.
    init(
        identity: SessionIdentity, renditions: [Rendition], playlists: [String: [UInt8]], plan: SegmentPlan?, shape: SlidingWindow.Shape,
        independent: Bool, producer: Producer, subtitles: SubtitleResources?, viewerIsIn: @escaping @Sendable (_ segment: Int) -> Void,
        supplements: [String: Resource], answering: @escaping @Sendable (String) -> ResourceAnswer
    ) {
        self.identity = identity
        var fixed = supplements.mapValues { supplement in
            var resource = supplement
            if resource.etag == nil { resource.etag = identity.etag(of: supplement.body) }
            return resource
        }
        func publish(_ name: String, _ contentType: String, _ bytes: [UInt8]) {
            let body = ResourceBody(bytes)
            for (address, isImmutable) in [(identity.directory + name, true), (name, false)] {
                fixed[address] = Resource(contentType: contentType, body: body, isImmutable: isImmutable, etag: identity.etag(name))
            }
        }
        var byDirectory: [String: (id: RenditionID, contentType: String)] = [:]
        // The front door has an address that can be guessed, and another session may stand behind it tomorrow.
        for (name, bytes) in playlists {
            fixed[name] = Resource(contentType: Self.playlistType, body: ResourceBody(bytes), isImmutable: false, etag: identity.etag(name))
        }
        // The same cut for all of them.
        let listed = plan.map { PlaylistBuilder.planned($0, independent: independent) }
        for rendition in renditions {
            let contentType = rendition.id == .video ? "video/mp4" : "audio/mp4"
            byDirectory[rendition.id.directory] = (rendition.id, contentType)
            publish(rendition.id.directory + PlaylistBuilder.initializationName, contentType, rendition.initialization)
            if let listed { publish(rendition.id.directory + PlaylistBuilder.mediaPlaylistName, Self.playlistType, listed) }
        }
        self.fixed = fixed
        self.renditions = byDirectory
        self.plan = plan
        self.shape = shape
        self.independent = independent
        self.producer = producer
        self.subtitles = subtitles
        self.viewerIsIn = viewerIsIn
        self.answering = answering
    }

    func resource(named name: String) -> ResourceAnswer {
        if let resource = fixed[name] { return .ready(resource) }
        let isFinal = name.hasPrefix(identity.directory)
        let name = isFinal ? String(name.dropFirst(identity.directory.count)) : name
        let slash = name.lastIndex(of: "/")
        let directory = slash.map { String(name[...$0]) } ?? ""
        let file = slash.map { name[name.index(after: $0)...] } ?? name[...]
        if let words = subtitles?.resource(directory: directory, file: file, isFinal: isFinal) { return words }
        guard let rendition = renditions[directory] else { return isFinal ? .notFound : answering(name) }
        if file == PlaylistBuilder.mediaPlaylistName, plan == nil { return growingPlaylist(rendition.id, isFinalAddress: isFinal) }
        if rendition.id == .video, let renewed = renewedInitialization(file, name: name, isFinalAddress: isFinal) { return .ready(renewed) }
        guard let index = segmentIndex(file) else { return .notFound }
        let key = SegmentStore.Key(rendition.id, index)
        // Sound whose delay was changed on the way is not what its address stood for: no cache may keep it for a session that begins with another.
        let epoch = producer.holdsSound(rendition.id) ? producer.soundEpoch : 0
        let etag = epoch == 0 ? identity.etag(name) : identity.etag("\(name)@\(epoch)")
        guard let plan else {
            // Listed once it is here, and gone for good once it is not: there is nothing to wait for.
            guard let content = producer.fetch(key) else { return .notFound }
            return .ready(Resource(contentType: rendition.contentType, body: ResourceBody(content), isImmutable: isFinal, etag: etag))
        }
        guard plan.segments.indices.contains(index) else { return .notFound }
        viewerIsIn(index)
        let segment = PendingSegment(
            key: key, contentType: rendition.contentType, isImmutable: isFinal && epoch == 0, etag: etag, epoch: epoch, producer: producer)
        if case .ready(let resource) = segment.wait(atMost: .zero) { return .ready(resource) }
        return .pending(segment)
    }

    private func segmentIndex(_ file: Substring) -> Int? {
        guard file.hasPrefix("seg"), file.hasSuffix(".m4s"), let index = Int(file.dropFirst(3).dropLast(4)), file == PlaylistBuilder.segmentName(index)
        else { return nil }
        return index
    }

    /// An init segment after the first: the picture's configuration changed on the way.
    private func renewedInitialization(_ file: Substring, name: String, isFinalAddress: Bool) -> Resource? {
        guard file.hasPrefix("init"), file.hasSuffix(".mp4"), let number = Int(file.dropFirst(4).dropLast(4)), file == PlaylistBuilder.initializationName(number)
        else { return nil }
        let renewals = producer.renewals
        guard number > 0, number <= renewals.count else { return nil }
        return Resource(
            contentType: "video/mp4", body: ResourceBody(renewals[number - 1].initialization), isImmutable: isFinalAddress, etag: identity.etag(name))
    }

    private func growingPlaylist(_ id: RenditionID, isFinalAddress: Bool) -> ResourceAnswer {
        let (shape, independent, identity, producer) = (shape, independent, identity, producer)
        let playlist = PendingPlaylist(rendition: id, contentType: Self.playlistType, producer: producer) { listing, isEnded in
            let body = ResourceBody(
                PlaylistBuilder.sequential(
                    listing, shape: shape, isEnded: isEnded, independent: independent, renewals: producer.renewals.map(\.segment), renewsInitialization: id == .video))
            // Until its end is listed it has to be asked for again each time; from then on no other bytes come.
            return Resource(contentType: Self.playlistType, body: body, isImmutable: isEnded && isFinalAddress, etag: identity.etag(of: body))
        }
        if case .ready(let resource) = playlist.wait(atMost: .zero) { return .ready(resource) }
        return .pending(playlist)
    }
}

/// A segment on its way: demanded when asked for, taken back when it was answered or nobody wants it any more.
private final class PendingSegment: PendingResource {
    private let key: SegmentStore.Key
    let contentType: String
    let isImmutable: Bool
    let etag: String?
    private let epoch: Int
    private let producer: Producer
    private let isCancelled = Atomic(false)

    init(key: SegmentStore.Key, contentType: String, isImmutable: Bool, etag: String, epoch: Int, producer: Producer) {
        self.key = key
        self.epoch = epoch
        self.contentType = contentType
        self.isImmutable = isImmutable
        self.etag = etag
        self.producer = producer
        producer.demand(key)
    }

    deinit { producer.withdraw(key) }

    func wait(atMost limit: Duration) -> PendingOutcome {
        let outcome = producer.wait(for: key, atMost: limit, isCancelled: { isCancelled.load(ordering: .acquiring) })
        // What was promised is no longer made: the client asks again.
        guard !producer.holdsSound(key.rendition) || producer.soundEpoch == epoch else { return .failed }
        switch outcome {
        case .ready(let content): return .ready(Resource(contentType: contentType, body: ResourceBody(content), isImmutable: isImmutable, etag: etag))
        case .unavailable: return .failed
        case .stillPending: return .stillPending
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        producer.nudge()
    }
}
