#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Bytes moved out of memory, in one file that has no name: it is unlinked as soon as it is open, so that nothing is left on the
/// disk whatever happens to the process.
final class SpillFile: Sendable {
    enum Failure: Error, Equatable { case create(errno: Int32), write(errno: Int32) }

    let descriptor: Int32

    /// - Parameter directory: Where the file's blocks are to live.
    init(directory: String) throws(Failure) {
        var path = Array("\(directory)/prism-XXXXXX".utf8CString)
        let opened = mkstemp(&path)
        guard opened >= 0 else { throw .create(errno: errno) }
        unlink(path)
        _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: Int64) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let n = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done)) }
            if n < 0 {
                if errno == EINTR { continue }
                throw .write(errno: errno)
            }
            done += n
        }
    }

    /// Gives the blocks of a range back to the file system; what was there reads as zeros.
    func release(offset: Int64, byteCount: Int) {
        #if canImport(Glibc)
        // FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE; a file system that cannot keeps the blocks until the session ends.
        _ = fallocate(descriptor, 1 | 2, off_t(offset), off_t(byteCount))
        #else
        var hole = fpunchhole_t(fp_flags: 0, reserved: 0, fp_offset: offset, fp_length: off_t(byteCount))
        _ = fcntl(descriptor, F_PUNCHHOLE, &hole)
        #endif
    }
}

/// One segment's range of a ``SpillFile``; its blocks are freed when the last reader lets go.
package final class SpilledRange: Sendable {
    private let file: SpillFile
    package let offset: Int64
    package let byteCount: Int

    init(file: SpillFile, offset: Int64, byteCount: Int) {
        self.file = file
        self.offset = offset
        self.byteCount = byteCount
    }

    package var descriptor: Int32 { file.descriptor }

    deinit { file.release(offset: offset, byteCount: byteCount) }
}
