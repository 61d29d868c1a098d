internal import BitsAndTime

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension SourceFile {
    /// A window on the file, apart from the demuxer, whose place it leaves alone.
    ///
    /// Read by `pread` and not mapped: a file that a recorder or a network share cuts short while it is looked at would end the process.
    ///
    /// - Parameter check: Asked before each read; throws to end the scan.
    func window(check: @escaping () throws -> Void) -> ByteWindow {
        var status = stat()
        let length = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
        return ByteWindow(byteCount: length) { offset, buffer in
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
