/// Bytes a ``Demuxer`` reads through a custom AVIO context. Called on the demuxer's thread only, one call at a time.
package protocol DemuxerInput: AnyObject {
    /// Whole length in bytes, when known.
    var byteCount: Int64? { get }
    /// False makes libav read forward only; `seek` is then never called.
    var isSeekable: Bool { get }
    /// Fills the front of `buffer` (never empty) and returns how many bytes; 0 is the end. May block, then must return
    /// soon after the demuxer's ``Interrupter`` fires.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibavError) -> Int
    /// Moves to `offset` from the start, 0 or above; past the end is allowed and reads as the end.
    func seek(to offset: Int64) throws(LibavError)
}

/// A whole source in memory.
final class MemoryInput: DemuxerInput {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var byteCount: Int64? { Int64(bytes.count) }
    var isSeekable: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibavError) -> Int {
        let count = max(0, min(buffer.count, bytes.count - offset))
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[min(offset, $0.count)..<min(offset, $0.count) + count])) }
        offset += count
        return count
    }

    func seek(to newOffset: Int64) throws(LibavError) {
        offset = Int(clamping: newOffset)
    }
}
