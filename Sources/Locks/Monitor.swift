#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A value behind a lock, and the means to wait for it to change: for threads that produce and threads that serve.
///
/// `@unchecked Sendable`: `value` is touched only while `mutex` is held.
package final class Monitor<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        #if canImport(Glibc)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Budgets are spans: setting the wall clock must not stretch or end them.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #else
        pthread_cond_init(condition, nil)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock held and wakes everyone who waits.
    package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Runs `body` with the lock held.
    package func read<Result>(_ body: (borrowing Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(value)
    }

    /// Waits until `body` gives a result, at most for `limit`; `body` runs with the lock held, first at once and then after each change.
    ///
    /// - Returns: `nil` when the limit came first.
    package func wait<Result>(atMost limit: Duration, until body: (inout Value) -> Result?) -> Result? {
        let deadline = ContinuousClock.now + limit
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            let left = deadline - ContinuousClock.now
            if left <= .zero { return nil }
            waitForChange(atMost: left)
        }
    }

    private func waitForChange(atMost span: Duration) {
        let parts = min(span, .seconds(3600)).components
        var time = timespec()
        #if canImport(Glibc)
        clock_gettime(CLOCK_MONOTONIC, &time)
        time.tv_sec += Int(parts.seconds)
        time.tv_nsec += Int(parts.attoseconds / 1_000_000_000)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        pthread_cond_timedwait(condition, mutex, &time)
        #else
        time.tv_sec = Int(parts.seconds)
        time.tv_nsec = Int(parts.attoseconds / 1_000_000_000)
        pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #endif
    }
}
