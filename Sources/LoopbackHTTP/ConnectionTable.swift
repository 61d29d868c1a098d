import Locks
import Synchronization

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
        let activity: ActivityCell
        var pending: (any PendingResource)?
        /// Had to make room: shut down, its thread on the way out.
        var isLeaving = false
    }

    private struct State {
        var isStopping = false
        /// `stopAll` ran out of time; who ends later cleans up after itself.
        var isAbandoned = false
        var nextID = 0
        var entries: [Int: Entry] = [:]
        var leaving = 0
        var liveThreads = 0
        var lastEnded: WorkThread.Handle?
    }

    /// Whether a new connection gets a place.
    enum Admission {
        case admitted(id: Int, ActivityCell)
        /// All are at work. The descriptor is still the caller's.
        case full
        /// The server stops; the descriptor is closed.
        case stopping
    }

    private let state = Locked(State())
    /// `State.isStopping`, for threads that look often.
    private let stopping = Atomic(false)
    /// Whose request was the last.
    private let lastAsker = Atomic(-1)
    private let capacity: Int
    private let yieldAfterStall: Duration
    /// Raised when a flood has been cleared and when the server stops.
    let listenerWake: WakePipe
    private let drained: WakePipe

    /// Nil when there are no descriptors left; `errno` tells.
    init?(capacity: Int, yieldAfterStall: Duration) {
        self.capacity = max(1, capacity)
        self.yieldAfterStall = yieldAfterStall
        guard let listenerWake = WakePipe(), let drained = WakePipe() else { return nil }
        self.listenerWake = listenerWake
        self.drained = drained
    }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// As many as may be served are on their way out. Lasts as long as their threads need to be scheduled, and keeps a flood from having more
    /// than twice `capacity` of them.
    var isClearing: Bool { state.withLock { $0.leaving >= capacity } }

    /// Connections that have a place.
    var connectionCount: Int { state.withLock { $0.entries.count - $0.leaving } }

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

    /// Takes over `descriptor` if there is a place, or one whose connection has nothing to do.
    func admit(_ descriptor: Int32) -> Admission {
        state.withLock { state in
            guard !state.isStopping else {
                closeDescriptor(descriptor)
                return .stopping
            }
            let now = ContinuousClock.now
            if state.entries.count - state.leaving >= capacity, !makeRoom(&state, now: now) { return .full }
            let id = state.nextID
            state.nextID += 1
            let activity = ActivityCell(now: now)
            state.entries[id] = Entry(descriptor: descriptor, activity: activity)
            return .admitted(id: id, activity)
        }
    }

    /// Ends one connection that has nothing to do, for the sake of its descriptor. False when there is none.
    func makeRoom() -> Bool {
        state.withLock { !$0.isStopping && makeRoom(&$0, now: .now) }
    }

    private func makeRoom(_ state: inout State, now: ContinuousClock.Instant) -> Bool {
        let candidates = state.entries.lazy.filter { !$0.value.isLeaving }.map { (id: $0.key, activity: $0.value.activity.activity) }
        guard let id = ConnectionActivity.leastUseful(of: candidates, now: now, yieldAfterStall: yieldAfterStall),
            let descriptor = state.entries[id]?.descriptor
        else { return false }
        shutdown(descriptor, Int32(SHUT_RDWR))
        state.entries[id]?.isLeaving = true
        state.leaving += 1
        return true
    }

    /// Notes a request of connection `id`; true when the one before was its own as well.
    func noteRequest(of id: Int) -> Bool {
        if lastAsker.load(ordering: .relaxed) == id { return true }
        lastAsker.store(id, ordering: .relaxed)
        return false
    }

    /// Closes the connection.
    func retire(_ id: Int) {
        let wasClearing = state.withLock { state in
            let wasClearing = state.leaving >= capacity
            if let entry = state.entries.removeValue(forKey: id) {
                closeDescriptor(entry.descriptor)
                if entry.isLeaving { state.leaving -= 1 }
            }
            return wasClearing
        }
        if wasClearing { listenerWake.raise() }
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
            stopping.store(true, ordering: .releasing)
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
