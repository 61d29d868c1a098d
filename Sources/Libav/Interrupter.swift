internal import Synchronization

/// Ends blocking libav calls: at once on ``cancel()``, or when a deadline passes. One may serve several demuxers.
///
/// libav asks between reads and while it waits on a socket (at most every 100 ms); a pipe is asked every 20 ms. A name
/// look-up inside libav's own `tcp` protocol, and a read of a regular file whose disk does not answer, cannot be ended.
package final class Interrupter: Sendable {
    /// Why a call was ended.
    enum Interruption: Sendable { case cancelled, deadlineExpired }

    private let cancelled = Atomic<Bool>(false)
    /// Nanoseconds after `epoch`; the largest value means no deadline.
    private let deadline = Atomic<Int64>(.max)
    private let epoch = ContinuousClock.now

    package init() {}

    /// Ends the call in progress, and refuses every later one. Cannot be undone.
    package func cancel() { cancelled.store(true, ordering: .releasing) }

    package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Calls in progress and later ones end when `instant` has passed; nil lifts the limit.
    package func setDeadline(_ instant: ContinuousClock.Instant?) {
        guard let instant else { return deadline.store(.max, ordering: .releasing) }
        deadline.store(nanoseconds(epoch.duration(to: instant)), ordering: .releasing)
    }

    /// What ends a call now, if anything does.
    var interruption: Interruption? {
        if isCancelled { return .cancelled }
        let limit = deadline.load(ordering: .acquiring)
        guard limit != .max else { return nil }
        return nanoseconds(epoch.duration(to: .now)) >= limit ? .deadlineExpired : nil
    }

    private func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max - 1 }
        let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (whole < 0 ? .min : .max - 1) : sum
    }
}
