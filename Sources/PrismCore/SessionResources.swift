internal import BitsAndTime
internal import LoopbackHTTP
internal import Remux
internal import Synchronization

/// What a session's server offers: exactly the names the session published, each answered from values in memory.
final class SessionResources: ResourceProvider {
    private enum Entry: Sendable {
        case fixed(Resource)
        case growingPlaylist(RenditionID)
        case segments(RenditionID, contentType: String)
    }

    private static let playlistType = "application/vnd.apple.mpegurl"

    private let fixed: [String: Resource]
    private let renditions: [String: (id: RenditionID, contentType: String)]
    private let producer: Producer
    private let plan: SegmentPlan?
    private let shape: SlidingWindow.Shape
    private let independent: Bool

    /// - Parameters:
    ///   - playlists: Multivariant playlists by name.
    ///   - supplements: Anything else the session's owner publishes, by name.
    init(
        renditions: [Rendition], playlists: [String: [UInt8]], plan: SegmentPlan?, shape: SlidingWindow.Shape, independent: Bool, producer: Producer,
        supplements: [String: Resource]
    ) {
        var fixed = supplements
        var byDirectory: [String: (id: RenditionID, contentType: String)] = [:]
        for (name, bytes) in playlists { fixed[name] = Resource(contentType: Self.playlistType, body: ResourceBody(bytes), isImmutable: plan != nil) }
        for rendition in renditions {
            let contentType = rendition.id == .video ? "video/mp4" : "audio/mp4"
            byDirectory[rendition.id.directory] = (rendition.id, contentType)
            fixed[rendition.id.directory + PlaylistBuilder.initializationName] = Resource(
                contentType: contentType, body: ResourceBody(rendition.initialization), isImmutable: true)
            if let plan {
                fixed[rendition.id.directory + PlaylistBuilder.mediaPlaylistName] = Resource(
                    contentType: Self.playlistType, body: ResourceBody(PlaylistBuilder.planned(plan, independent: independent)), isImmutable: true)
            }
        }
        self.fixed = fixed
        self.renditions = byDirectory
        self.plan = plan
        self.shape = shape
        self.independent = independent
        self.producer = producer
    }

    func resource(named name: String) -> ResourceAnswer {
        if let resource = fixed[name] { return .ready(resource) }
        let slash = name.lastIndex(of: "/")
        let directory = slash.map { String(name[...$0]) } ?? ""
        let file = slash.map { name[name.index(after: $0)...] } ?? name[...]
        guard let rendition = renditions[directory] else { return .notFound }
        if file == PlaylistBuilder.mediaPlaylistName, plan == nil { return growingPlaylist(rendition.id) }
        guard let index = segmentIndex(file) else { return .notFound }
        let key = SegmentStore.Key(rendition.id, index)
        guard let plan else {
            // Listed once it is here, and gone for good once it is not: there is nothing to wait for.
            return producer.fetch(key).map { .ready(Resource(contentType: rendition.contentType, body: ResourceBody($0), isImmutable: true)) } ?? .notFound
        }
        guard plan.segments.indices.contains(index) else { return .notFound }
        let segment = PendingSegment(key: key, contentType: rendition.contentType, producer: producer)
        if case .ready(let resource) = segment.wait(atMost: .zero) { return .ready(resource) }
        return .pending(segment)
    }

    private func segmentIndex(_ file: Substring) -> Int? {
        guard file.hasPrefix("seg"), file.hasSuffix(".m4s"), let index = Int(file.dropFirst(3).dropLast(4)), file == PlaylistBuilder.segmentName(index)
        else { return nil }
        return index
    }

    private func growingPlaylist(_ id: RenditionID) -> ResourceAnswer {
        let (shape, independent) = (shape, independent)
        let playlist = PendingPlaylist(rendition: id, contentType: Self.playlistType, producer: producer) { listing, isEnded in
            PlaylistBuilder.sequential(listing, shape: shape, isEnded: isEnded, independent: independent)
        }
        if case .ready(let resource) = playlist.wait(atMost: .zero) { return .ready(resource) }
        return .pending(playlist)
    }
}

/// A segment on its way: demanded when asked for, taken back when it was answered or nobody wants it any more.
private final class PendingSegment: PendingResource {
    private let key: SegmentStore.Key
    let contentType: String
    private let producer: Producer
    private let isCancelled = Atomic(false)

    init(key: SegmentStore.Key, contentType: String, producer: Producer) {
        self.key = key
        self.contentType = contentType
        self.producer = producer
        producer.demand(key)
    }

    deinit { producer.withdraw(key) }

    func wait(atMost limit: Duration) -> PendingOutcome {
        switch producer.wait(for: key, atMost: limit, isCancelled: { isCancelled.load(ordering: .acquiring) }) {
        case .ready(let content): .ready(Resource(contentType: contentType, body: ResourceBody(content), isImmutable: true))
        case .unavailable: .failed
        case .stillPending: .stillPending
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        producer.nudge()
    }
}
