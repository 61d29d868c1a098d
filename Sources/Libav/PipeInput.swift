internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A named pipe, read forward only. libav's own `file` protocol would block in `open` until a writer comes and in `read`
/// until it writes, out of reach of any interrupt; this one waits in slices of 20 ms.
final class PipeInput: DemuxerInput {
    private let descriptor: Int32
    private let interrupter: Interrupter
    private var hasHadWriter = false

    init(path: String, interrupter: Interrupter) throws(LibavError) {
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        self.interrupter = interrupter
        guard descriptor >= 0 else { throw LibavError(errno: errno, operation: "open") }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    var byteCount: Int64? { nil }
    var isSeekable: Bool { false }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibavError) -> Int {
        while interrupter.interruption == nil {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, 20)
            guard ready >= 0 || errno == EINTR else { throw LibavError(errno: errno, operation: "read") }
            guard ready > 0 else { continue }
            if entry.revents & Int16(POLLHUP) != 0 { hasHadWriter = true }
            let count = readDescriptor(buffer)
            if count > 0 {
                hasHadWriter = true
                return count
            }
            if count == 0 {
                if hasHadWriter { return 0 }
                continue
            }
            guard errno == EAGAIN || errno == EINTR else { throw LibavError(errno: errno, operation: "read") }
        }
        throw LibavError(code: PRISM_AVERROR_EXIT, operation: "read", interrupter: interrupter)
    }

    func seek(to offset: Int64) throws(LibavError) { throw LibavError(errno: ESPIPE, operation: "seek") }

    private func readDescriptor(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}
