#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The source itself, where it is a plain file: what a packet holds unchanged is served from there, and need not stay in memory.
///
/// A file that is written over while it plays would be read so by the demuxer, too; one cut short ends an answer early, which its client sees.
package final class SourceFile: Sendable {
    let descriptor: Int32

    /// - Parameter path: `nil` comes back for anything but a regular file that can be read: a pipe's bytes come once.
    package init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func span(at offset: Int64, byteCount: Int) -> FileSpan {
        FileSpan(descriptor: descriptor, offset: offset, byteCount: byteCount, owner: self)
    }

    /// Up to `count` bytes at `offset`; fewer at the end of the file, and none of what cannot be read.
    package func bytes(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            filled = offset >= 0 ? max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))) : 0
        }
    }

    /// Length of the file now; `nil` where it cannot be told.
    package var byteCount: Int64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Whether the file holds exactly `bytes` at `offset`; at most 256 are compared.
    func holds(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        let count = min(bytes.count, 256)
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            guard let start = buffer.baseAddress, let wanted = bytes.baseAddress else { return count == 0 }
            return offset >= 0 && pread(descriptor, start, count, off_t(offset)) == count && memcmp(start, wanted, count) == 0
        }
    }
}
