#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A value that is reached only while its lock is held: `Synchronization.Mutex` over a pthread mutex.
///
/// The standard library's takes its lock by a futex on Linux, which thread sanitizer cannot see: it then reports a race for every
/// value behind one. Pthread mutexes it knows, and so it can be run over all of this package. Not recursive.
///
/// `@unchecked Sendable`: `value` is touched only while `mutex` is held.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held; others wait. What it does must be short, and must not take this lock again.
    package func withLock<Result, Failure: Error>(_ body: (inout sending Value) throws(Failure) -> sending Result) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
