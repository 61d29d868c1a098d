#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Descriptor modes. (Sockets and pipes get them after they are made: the one-step calls are not on every system.)
enum DescriptorFlags {
    static func setNonBlocking(_ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }

    static func setCloseOnExec(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}

/// `close`, for use where a method of that name hides it. Not repeated on EINTR: the descriptor is gone by then.
func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

/// `errno`, for files that need nothing else of the C library.
func lastErrorNumber() -> Int32 { errno }
