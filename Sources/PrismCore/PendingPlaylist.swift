internal import LoopbackHTTP
internal import Remux
internal import Synchronization

/// A playlist that grows, once it lists something: an empty one makes GStreamer give up, where a track may only begin late.
final class PendingPlaylist: PendingResource {
    let contentType: String
    private let rendition: RenditionID
    private let producer: Producer
    private let write: @Sendable (RenditionListing, _ isEnded: Bool) -> [UInt8]
    private let isCancelled = Atomic(false)

    init(
        rendition: RenditionID, contentType: String, producer: Producer,
        write: @escaping @Sendable (RenditionListing, _ isEnded: Bool) -> [UInt8]
    ) {
        self.rendition = rendition
        self.contentType = contentType
        self.producer = producer
        self.write = write
    }

    func wait(atMost limit: Duration) -> PendingOutcome {
        guard producer.waitForListing(of: rendition, atMost: limit, isCancelled: { isCancelled.load(ordering: .acquiring) }) else { return .stillPending }
        let (listing, isEnded) = producer.listing(of: rendition)
        return .ready(Resource(contentType: contentType, body: ResourceBody(write(listing, isEnded)), isImmutable: false))
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        producer.nudge()
    }
}
