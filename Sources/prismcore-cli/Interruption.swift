import Dispatch
import Foundation
import Locks

/// SIGINT and SIGTERM as something to wait for.
///
/// `@unchecked Sendable`: `sources` is set once in `init` and only kept alive; everything else is behind `state`.
final class Interruption: @unchecked Sendable {
    private let state = Locked<(happened: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))
    private let sources: [any DispatchSourceSignal]

    init() {
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            sources.append(DispatchSource.makeSignalSource(signal: number, queue: .global()))
        }
        self.sources = sources
        for source in sources {
            source.setEventHandler { [weak self] in self?.arrive() }
            source.resume()
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
