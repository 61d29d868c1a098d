#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Joinable threads for blocking work. Whoever starts one sees to it that it is joined (or detached) once.
enum WorkThread {
    /// A thread that runs or has ended and was not joined yet.
    struct Handle: @unchecked Sendable {  // A pthread_t is an identifier; any thread may use it.
        private let raw: pthread_t

        static var current: Handle { Handle(raw: pthread_self()) }

        private init(raw: pthread_t) { self.raw = raw }

        func join() { _ = pthread_join(raw, nil) }
        func detach() { _ = pthread_detach(raw) }
    }

    /// The provider's `wait` runs on these threads; the defaults differ from 512 KiB to 8 MiB between systems.
    private static let stackBytes = 1 << 20

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// False when the system has no thread to give; `errno` tells.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)

        let context = Unmanaged.passRetained(Work(body)).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        let result = pthread_create(&thread, &attributes, { WorkThread.enter($0) }, context)
        #else
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, { WorkThread.enter($0) }, context)
        #endif
        guard result == 0 else {
            Unmanaged<Work>.fromOpaque(context).release()
            errno = result
            return false
        }
        return true
    }

    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // sendfile has no MSG_NOSIGNAL. A write to a closed socket signals the writing thread, so blocking the signal here is enough.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
}
