import Locks

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Which connections and threads are alive; the one place that closes a connection's descriptor and that ends them all.
///
/// Descriptors are closed and shut down under one lock, so a shutdown never hits a descriptor that was given out again. Ended threads
/// join their predecessor: at most one ended thread is ever left to join, and `stopAll` joins that.
final class ConnectionTable: Sendable {
    private struct Entry {
        let descriptor: Int32
        var pending: (any PendingResource)?
    }

    private struct State {
        var isStopping = false
        /// `stopAll` ran out of time; who ends later cleans up after itself.
        var isAbandoned = false
        var nextID = 0
        var entries: [Int: Entry] = [:]
        var liveThreads = 0
        var lastEnded: WorkThread.Handle?
    }

    private let state = Locked(State())
    private let capacity: Int
    /// Raised when a place comes free and when the server stops.
    let listenerWake: WakePipe
    private let drained: WakePipe

    /// Nil when there are no descriptors left; `errno` tells.
    init?(capacity: Int) {
        self.capacity = max(1, capacity)
        guard let listenerWake = WakePipe(), let drained = WakePipe() else { return nil }
        self.listenerWake = listenerWake
        self.drained = drained
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }
    var isFull: Bool { state.withLock { $0.entries.count >= capacity } }

    // MARK: Threads

    /// Runs `body` on a thread that `stopAll` waits for. False when there is no thread to be had or the server stops.
    func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        let mayStart = state.withLock { state in
            guard !state.isStopping else { return false }
            state.liveThreads += 1
            return true
        }
        guard mayStart else { return false }
        let started = WorkThread.start {
            body()
            self.threadEnds()
        }
        if !started {
            state.withLock { $0.liveThreads -= 1 }
            if isStopping { drained.raise() }
        }
        return started
    }

    private func threadEnds() {
        let previous: WorkThread.Handle? = state.withLock { state in
            state.liveThreads -= 1
            if state.isAbandoned {
                WorkThread.Handle.current.detach()
                return nil
            }
            let previous = state.lastEnded
            state.lastEnded = .current
            if state.isStopping, state.liveThreads == 0 { drained.raise() }
            return previous
        }
        previous?.join()
    }

    // MARK: Connections

    /// Takes over `descriptor`. Nil (and closed) when the server stops.
    func admit(_ descriptor: Int32) -> Int? {
        state.withLock { state in
            guard !state.isStopping else {
                closeDescriptor(descriptor)
                return nil
            }
            let id = state.nextID
            state.nextID += 1
            state.entries[id] = Entry(descriptor: descriptor)
            return id
        }
    }

    /// Closes the connection.
    func retire(_ id: Int) {
        let hadNoRoom = state.withLock { state in
            let wasFull = state.entries.count >= capacity
            if let entry = state.entries.removeValue(forKey: id) { closeDescriptor(entry.descriptor) }
            return wasFull
        }
        if hadNoRoom { listenerWake.raise() }
    }

    /// Notes what connection `id` is about to wait for, so that `stopAll` can cancel it. False when the server stops: do not wait.
    func beginWaiting(_ id: Int, for pending: any PendingResource) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.entries[id]?.pending = pending
            return true
        }
    }

    func endWaiting(_ id: Int) {
        state.withLock { $0.entries[id]?.pending = nil }
    }

    // MARK: Stopping

    /// Shuts every socket, cancels every wait, and joins every thread that ends within `bound`.
    func stopAll(within bound: Duration) {
        let (waits, isIdle): ([any PendingResource], Bool) = state.withLock { state in
            state.isStopping = true
            for entry in state.entries.values { shutdown(entry.descriptor, Int32(SHUT_RDWR)) }
            return (state.entries.values.compactMap(\.pending), state.liveThreads == 0)
        }
        listenerWake.raise()
        // Outside the lock: the provider's code may take its time, or ask the server something.
        for pending in waits { pending.cancel() }
        if !isIdle { _ = drained.wait(atMost: bound) }

        let last: WorkThread.Handle? = state.withLock { state in
            state.isAbandoned = state.liveThreads > 0
            defer { state.lastEnded = nil }
            return state.lastEnded
        }
        last?.join()
        // A thread that is still out there closes over this table and finds its pipes closed, which they can be told.
        listenerWake.close()
        drained.close()
    }
}
