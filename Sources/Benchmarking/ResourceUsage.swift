#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What this process has used.
enum ResourceUsage {
    /// User and system time of the whole process, seconds.
    static var processSeconds: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// Of the calling thread.
    static var threadSeconds: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

    /// Highest resident size since the process began, bytes.
    static var peakResidentBytes: Int {
        var usage = rusage()
        // RUSAGE_SELF, which the C libraries' modules give different types.
        getrusage(0, &usage)
        #if canImport(Glibc)
        return usage.ru_maxrss * 1024
        #else
        return usage.ru_maxrss
        #endif
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
