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

    /// How long a manifest on this machine, read over and over, may bring nothing before what it held counts as all there is.
    private static let localGrowth = Duration.seconds(8)

    private enum Verdict {
        /// No part opens.
        case failed
        /// No part follows.
        case ended
    }

    private let interrupter: Interrupter
    private let isLocal: Bool
    private var counter: UnsafePointer<PrismListParts>?
    private var start = 0
    private var seen = 0
    private var closed: (count: Int, at: ContinuousClock.Instant)?
    private var hasParts = false
    private var changed: ContinuousClock.Instant?
    private var verdict: Verdict?

    /// - Parameter isLocal: Whether the list is a file on this machine.
    init(interrupter: Interrupter, isLocal: Bool) {
        self.interrupter = interrupter
        self.isLocal = isLocal
    }

    /// Whether parts failed since the last packet, and the rest was given up or the time for it is over.
    var hasFailed: Bool { verdict == .failed || (seen > start && interrupter.interruption == .deadlineExpired) }

    /// Whether the last part was read of a list that says that it goes on.
    var hasEnded: Bool { verdict == .ended }

    /// The list was opened, which reads a part of it, or a packet came.
    func progress() {
        (start, changed, closed, verdict) = (seen, nil, nil, nil)
        hasParts = true
    }

    /// What libav asks between reads and while it waits.
    var isOver: Bool {
        if verdict != nil || interrupter.interruption != nil { return true }
        guard let place = prism_list_parts() else { return false }
        let parts = place.pointee
        if place != counter {
            // Read on by another thread.
            counter = place
            (start, seen, changed, closed) = (parts.failed, parts.failed, nil, nil)
        }
        if parts.failed != seen {
            (seen, changed) = (parts.failed, .now)
            if seen - start >= Self.mostInRow { verdict = .failed }
        } else if isLocal, let changed, seen > start, ContinuousClock.now - changed > Self.localPatience {
            verdict = .failed
        }
        guard isLocal else { return verdict != nil }
        if let closed {
            // A live manifest none of whose fragments is due, or whose last was read: libavformat reads it again and again.
            if parts.closed - closed.count >= Self.mostInRow, !hasParts || ContinuousClock.now - closed.at > Self.localGrowth {
                verdict = hasParts ? .ended : .failed
            }
        } else {
            closed = (parts.closed, .now)
        }
        return verdict != nil
    }
}
