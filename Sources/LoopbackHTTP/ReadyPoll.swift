#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// `poll` on one descriptor, with a deadline that signals do not extend.
enum ReadyPoll {
    /// True when the descriptor reports anything, hang-ups and errors included (`revents` tells); false when the deadline passed.
    static func wait(_ entry: inout pollfd, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let result = poll(&entry, 1, milliseconds(until: deadline))
            if result > 0 { return true }
            if result < 0, errno != EINTR { return true }  // Let the read or write that follows find out what is wrong.
            if ContinuousClock.now >= deadline { return false }
        }
    }

    /// One look at several, at most until `deadline` (nil: however long). Also returns early, for nothing.
    static func wait(_ entries: inout [pollfd], until deadline: ContinuousClock.Instant?) {
        if poll(&entries, nfds_t(entries.count), deadline.map { milliseconds(until: $0) } ?? -1) < 0 {
            for index in entries.indices { entries[index].revents = 0 }
        }
    }

    /// Rounded up, so that a poll never returns just short of its deadline again and again.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let (seconds, attoseconds) = (deadline - ContinuousClock.now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 86_400 else { return 86_400_000 }
        return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
