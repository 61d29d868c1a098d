internal import CFFmpeg

/// Sees when a list's parts (an HLS playlist's segments, a DASH manifest's fragments) do not open, one after another, and ends it.
///
/// libavformat goes on to the next part, of a live list for ever: of DASH it counts the numbers up or reads the manifest over and over, of HLS it
/// waits for the list to grow. It gives no sign of it but lines in its log, said on the thread that reads. Asked by libav as its interrupt
/// callback, on that thread.
///
/// `@unchecked Sendable`: owned by one demuxer, and so used by one thread at a time.
final class PartWatch: @unchecked Sendable {
    /// Parts in a row after which no later one is tried.
    private static let mostInRow = 1000
    /// How long a list on this machine may then say nothing new: its parts are files beside it, which are there or are not.
    private static let localPatience = Duration.milliseconds(500)

    private let interrupter: Interrupter
    private let isLocal: Bool
    private var counter: UnsafePointer<PrismListParts>?
    private var start = 0
    private var seen = 0
    private var closed: Int?
    private var hasPacket = false
    private var changed: ContinuousClock.Instant?
    private var gaveUp = false

    /// - Parameter isLocal: Whether the list is a file on this machine.
    init(interrupter: Interrupter, isLocal: Bool) {
        self.interrupter = interrupter
        self.isLocal = isLocal
    }

    /// Whether parts failed since the last packet, and the rest was given up or the time for it is over.
    var hasFailed: Bool { gaveUp || (seen > start && interrupter.interruption == .deadlineExpired) }

    /// A packet came.
    func progress() {
        (start, changed) = (seen, nil)
        gaveUp = false
        hasPacket = true
    }

    /// What libav asks between reads and while it waits.
    var isOver: Bool {
        if gaveUp || interrupter.interruption != nil { return true }
        guard let now = prism_list_parts() else { return false }
        let parts = now.pointee
        if now != counter {
            // Read on by another thread.
            counter = now
            (start, seen, changed) = (parts.failed, parts.failed, nil)
            closed = parts.closed
        }
        if parts.failed != seen {
            (seen, changed) = (parts.failed, .now)
            gaveUp = seen - start >= Self.mostInRow
        } else if isLocal, let changed, seen > start {
            gaveUp = ContinuousClock.now - changed > Self.localPatience
        }
        // A live manifest none of whose fragments is due. At its end, later, reading it again is how it goes on.
        if isLocal, !hasPacket, let closed, parts.closed - closed >= Self.mostInRow { gaveUp = true }
        return gaveUp
    }
}
