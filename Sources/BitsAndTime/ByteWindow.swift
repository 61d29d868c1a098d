/// A long file seen through a small window that moves: what walks over headers read from it, without the payloads in between.
///
/// A read after a jump is small; one that goes on where the last ended is twice as large as that was, up to the window's size. So
/// headers far apart cost a page each, and a stretch of small elements is read in a few large pieces.
///
/// Not for two threads at once.
package final class ByteWindow {
    /// Fills the front of the buffer (never empty) from `offset` and returns how many bytes; 0 is the end of the file.
    package typealias Read = (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    package static let smallestRead = 4 << 10
    package static let largestRead = 256 << 10

    /// Length of the file when it was opened.
    package let byteCount: Int64
    /// What was read so far, for reports and tests.
    package private(set) var bytesRead: Int64 = 0
    package private(set) var reads = 0

    private let read: Read
    private let buffer: UnsafeMutableRawBufferPointer
    private var base: Int64 = 0
    private var count = 0
    private var reach = ByteWindow.smallestRead

    package init(byteCount: Int64, read: @escaping Read) {
        self.byteCount = max(0, byteCount)
        self.read = read
        buffer = .allocate(byteCount: Self.largestRead, alignment: 16)
    }

    /// A file in memory.
    package convenience init(_ bytes: [UInt8]) {
        self.init(byteCount: Int64(bytes.count)) { offset, buffer in
            guard offset >= 0, offset < Int64(bytes.count) else { return 0 }
            let from = Int(offset)
            let taken = min(buffer.count, bytes.count - from)
            bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[from..<(from + taken)])) }
            return taken
        }
    }

    deinit { buffer.deallocate() }

    /// The bytes from `offset` on that the window holds, at least `count` of them (1…``largestRead``); fewer only where the file ends.
    ///
    /// Valid until the next call.
    package func run(at offset: Int64, atLeast count: Int) throws -> UnsafeRawBufferPointer {
        let count = min(max(count, 1), Self.largestRead)
        guard offset >= 0, offset < byteCount else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        if let held = held(offset, count) { return held }
        let end = base + Int64(self.count)
        let goesOn = self.count > 0 && offset >= base && offset - end < Int64(reach)
        reach = goesOn ? min(reach * 2, Self.largestRead) : Self.smallestRead
        let wanted = Int(min(Int64(max(count, reach)), byteCount - offset))
        // What is held of it already is not read again: where reads cost a round trip, a step back of three bytes would be one.
        let kept = offset >= base && offset < end ? Int(end - offset) : 0
        if kept > 0, let start = buffer.baseAddress { start.copyMemory(from: start + Int(offset - base), byteCount: kept) }
        base = offset
        self.count = kept
        while self.count < min(count, wanted) {
            let got = try read(offset + Int64(self.count), UnsafeMutableRawBufferPointer(rebasing: buffer[self.count..<wanted]))
            reads += 1
            if got <= 0 { break }
            self.count += min(got, wanted - self.count)
            bytesRead += Int64(got)
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<self.count])
    }

    /// Exactly `count` bytes (up to ``largestRead``) from `offset`; `nil` where the file ends before. Valid until the next call.
    package func bytes(at offset: Int64, count: Int) throws -> UnsafeRawBufferPointer? {
        let run = try run(at: offset, atLeast: count)
        return run.count >= count ? UnsafeRawBufferPointer(rebasing: run[..<count]) : nil
    }

    /// A copy of `count` bytes from `offset`, of any length; fewer where the file ends.
    package func copy(at offset: Int64, count: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            let run = try run(at: offset + Int64(result.count), atLeast: min(count - result.count, Self.largestRead))
            if run.isEmpty { break }
            result.append(contentsOf: run.prefix(count - result.count))
        }
        return result
    }

    private func held(_ offset: Int64, _ count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= base, offset < base + Int64(self.count) else { return nil }
        let start = Int(offset - base)
        guard self.count - start >= count || base + Int64(self.count) >= byteCount else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[start..<self.count])
    }
}
