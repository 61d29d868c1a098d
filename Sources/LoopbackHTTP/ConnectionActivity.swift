import Synchronization

/// What a connection is at, as far as giving up its place goes.
package enum ConnectionActivity: Sendable, Equatable {
    /// An answer is being produced or sent.
    case busy
    /// Nothing to do until the client sends: between requests, inside a request head, or after the last answer.
    case idle(since: ContinuousClock.Instant)
    /// The client has taken nothing of its answer since then.
    case stalled(since: ContinuousClock.Instant)

    /// Which of `connections` has to make room for a new one: the one idle longest; failing that, the one stalled longest, if for at least
    /// `yieldAfterStall`. Nil when all are at work.
    ///
    /// A flood of connections that ask for nothing so only ever displaces itself: who sends a request is busy, and who has just come is last in line.
    package static func leastUseful<ID>(
        of connections: some Sequence<(id: ID, activity: ConnectionActivity)>, now: ContinuousClock.Instant, yieldAfterStall: Duration
    ) -> ID? {
        var idle: (id: ID, since: ContinuousClock.Instant)?
        var stalled: (id: ID, since: ContinuousClock.Instant)?
        for (id, activity) in connections {
            switch activity {
            case .busy: continue
            case .idle(let since):
                if idle.map({ since < $0.since }) ?? true { idle = (id, since) }
            case .stalled(let since):
                if now - since >= yieldAfterStall, stalled.map({ since < $0.since }) ?? true { stalled = (id, since) }
            }
        }
        return idle?.id ?? stalled?.id
    }
}

/// A connection's activity: its thread writes, the listener's reads when it needs a place. One word and no lock, since it is written twice
/// for every request.
final class ActivityCell: Sendable {
    /// Nanoseconds after `epoch`, and the kind in the lowest two bits: 0 busy, 1 idle, 2 stalled.
    private let word: Atomic<UInt64>
    private let epoch: ContinuousClock.Instant

    /// Begins idle.
    init(now: ContinuousClock.Instant = .now) {
        epoch = now
        word = Atomic(1)
    }

    func setBusy() { word.store(0, ordering: .relaxed) }
    func setIdle(since now: ContinuousClock.Instant) { word.store(stamp(now) | 1, ordering: .relaxed) }
    func setStalled(since now: ContinuousClock.Instant) { word.store(stamp(now) | 2, ordering: .relaxed) }

    var activity: ConnectionActivity {
        let value = word.load(ordering: .relaxed)
        let since = epoch + .nanoseconds(Int64(value >> 2))
        return switch value & 3 {
        case 1: .idle(since: since)
        case 2: .stalled(since: since)
        default: .busy
        }
    }

    private func stamp(_ now: ContinuousClock.Instant) -> UInt64 {
        let (seconds, attoseconds) = max(now - epoch, .zero).components
        // 62 bits of nanoseconds are 146 years.
        return (UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)) << 2
    }
}
