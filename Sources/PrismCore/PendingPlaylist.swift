internal import LoopbackHTTP
internal import Remux
internal import Synchronization

/// A playlist that grows, once it lists something: an empty one makes GStreamer give up, where a track may only begin late. And for some
/// seconds not before it lists two: GStreamer 1.22 does not recognise the next version of a playlist by its only segment, and ends the process.
final class PendingPlaylist: PendingResource {
    let contentType: String
    private let rendition: RenditionID
    private let producer: Producer
    private let write: @Sendable (RenditionListing, _ isEnded: Bool) -> Resource
    private let isCancelled = Atomic(false)
    private let began = ContinuousClock.now
    /// How long a second entry is waited for; a client gives a playlist more.
    private static let patience: Duration = .seconds(8)

    init(
        rendition: RenditionID, contentType: String, producer: Producer,
        write: @escaping @Sendable (RenditionListing, _ isEnded: Bool) -> Resource
    ) {
        self.rendition = rendition
        self.contentType = contentType
        self.producer = producer
        self.write = write
    }

    func wait(atMost limit: Duration) -> PendingOutcome {
        let minimum = ContinuousClock.now - began < Self.patience ? 2 : 1
        guard producer.waitForListing(of: rendition, minimum: minimum, atMost: limit, isCancelled: { isCancelled.load(ordering: .acquiring) }) else {
            return .stillPending
        }
        let (listing, isEnded) = producer.listing(of: rendition)
        return .ready(write(listing, isEnded))
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        producer.nudge()
    }
}
