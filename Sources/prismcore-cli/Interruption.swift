import Foundation
import Locks
import Synchronization

/// SIGINT and SIGTERM as something to wait for.
///
/// A signal source of libdispatch would do, but on Linux it loses a signal that another thread takes first, and a server that was
/// interrupted once must end. So a handler writes a byte, and a thread waits for it.
final class Interruption: Sendable {
    private let state = Locked<(happened: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        interruptionPipe.store(ends[1], ordering: .releasing)
        let readEnd = ends[0]
        let thread = Thread { [weak self] in
            var byte: UInt8 = 0
            while true {
                let count = read(readEnd, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1, let self else { return }
                arrive()
            }
        }
        thread.name = "prism.interruption"
        thread.stackSize = 1 << 19
        thread.start()
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in
                // Nothing but a write may be done here (POSIX.1-2017 §2.4.3).
                let saved = errno
                var byte: UInt8 = 1
                _ = write(interruptionPipe.load(ordering: .acquiring), &byte, 1)
                errno = saved
            }
        }
    }

    var happened: Bool { state.withLock { $0.happened } }

    private func arrive() {
        let waiters = state.withLock { state in
            state.happened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when a signal has come.
    func wait() async {
        await withCheckedContinuation { continuation in
            let already = state.withLock { state in
                if !state.happened { state.waiters.append(continuation) }
                return state.happened
            }
            if already { continuation.resume() }
        }
    }
}

/// The end of the pipe that signal handlers write to; they capture nothing.
private let interruptionPipe = Atomic<Int32>(-1)
