#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif
internal import Locks

/// Bytes moved out of memory, in one file that has no name: it is unlinked as soon as it is open, so that nothing is left on the
/// disk whatever happens to the process. Ranges given back are written over.
final class SpillFile: Sendable {
    enum Failure: Error, Equatable { case create(errno: Int32), write(errno: Int32) }

    let descriptor: Int32
    /// Unused ranges before the end, in order, none touching another.
    private let free = Locked<(holes: [Range<Int64>], end: Int64)>(([], 0))

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

    /// Writes `bytes` into the first hole that holds them, or at the end.
    func store(_ bytes: [UInt8]) throws(Failure) -> FileSpan {
        let count = Int64(bytes.count)
        let offset = free.withLock { state -> Int64 in
            if let fit = state.holes.firstIndex(where: { $0.upperBound - $0.lowerBound >= count }) {
                let hole = state.holes.remove(at: fit)
                if hole.lowerBound + count < hole.upperBound { state.holes.insert((hole.lowerBound + count)..<hole.upperBound, at: fit) }
                return hole.lowerBound
            }
            state.end += count
            return state.end - count
        }
        let range = SpilledRange(file: self, offset: offset, byteCount: bytes.count)
        var done = 0
        while done < bytes.count {
            let n = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done)) }
            if n < 0 {
                if errno == EINTR { continue }
                throw .write(errno: errno)
            }
            done += n
        }
        return FileSpan(descriptor: descriptor, offset: offset, byteCount: bytes.count, owner: range)
    }

    fileprivate func release(_ range: Range<Int64>) {
        free.withLock { state in
            let at = state.holes.firstIndex { $0.lowerBound > range.lowerBound } ?? state.holes.endIndex
            state.holes.insert(range, at: at)
            if at + 1 < state.holes.count, state.holes[at].upperBound == state.holes[at + 1].lowerBound {
                state.holes[at] = state.holes[at].lowerBound..<state.holes.remove(at: at + 1).upperBound
            }
            if at > 0, state.holes[at - 1].upperBound == state.holes[at].lowerBound {
                state.holes[at - 1] = state.holes[at - 1].lowerBound..<state.holes.remove(at: at).upperBound
            }
        }
    }
}

/// One range of a ``SpillFile``; given back when the last reader lets go.
private final class SpilledRange: Sendable {
    private let file: SpillFile
    private let offset: Int64
    private let byteCount: Int

    init(file: SpillFile, offset: Int64, byteCount: Int) {
        self.file = file
        self.offset = offset
        self.byteCount = byteCount
    }

    deinit { file.release(offset..<(offset + Int64(byteCount))) }
}
