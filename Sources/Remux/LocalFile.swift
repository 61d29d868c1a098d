package import BitsAndTime

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A regular file, read at any offset: apart from the demuxer, whose place it leaves alone.
///
/// Read by `pread` and not mapped: a file that a recorder or a network share cuts short while it is looked at would end the process.
final class LocalFile {
    private let descriptor: Int32
    let byteCount: Int64

    /// `nil` for what is not a regular file, or cannot be opened.
    init?(path: String) {
        var status = stat()
        // Looked at before it is opened: opening a named pipe waits for somebody who writes to it.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            return nil
        }
        descriptor = opened
        byteCount = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// - Parameter check: Asked before each read; throws to end the scan.
    func window(check: @escaping () throws -> Void) -> ByteWindow {
        ByteWindow(byteCount: byteCount) { offset, buffer in
            try check()
            while true {
                let got = pread(self.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                if got >= 0 { return got }
                // What cannot be read counts as the file's end: the plan's witnesses judge what was found up to there.
                guard errno == EINTR else { return 0 }
            }
        }
    }
}
