internal import BitsAndTime
internal import Bitstreams
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif
package import Libav
internal import MPEGTS

/// A picture of a transport stream that is not kept: it is made again, out of the source file, whenever its bytes are wanted.
///
/// In a transport stream a picture lies in hundreds of pieces, and with start codes where the sample has lengths. What was served of it would
/// otherwise be held in memory, a whole segment at a time: 32 MB of a 42 Mbit/s film.
package final class TransportSample: Sendable, SamplePayload {
    /// How and where the stream lies in its file.
    package struct Place: Sendable, Equatable {
        let framing: PacketFraming
        let pid: UInt16

        /// `nil` for anything but a stream of start codes in a file of transport packets.
        package init?(_ file: SourceFile, formatName: String, stream: StreamInfo) {
            guard formatName.split(separator: ",").contains("mpegts"), let pid = UInt16(exactly: stream.containerID) else { return nil }
            // A file without packets at its front has none that this could be taught.
            guard let framing = try? PacketFraming.detect(ByteWindow(file.bytes(at: 0, count: 128 << 10))) else { return nil }
            (self.framing, self.pid) = (framing, pid)
        }
    }

    /// The packets of other streams between a picture's own, and what their headers take, are less than this; what lies wider stays in memory.
    private static func rawByteCount(of count: Int, stride: Int) -> Int { count / 184 * stride * 5 / 4 + (64 << 10) }

    /// A parser cuts at a start code, and leaves the zeros in front of it with the picture before: so many at most.
    private static let strayZeros = 3

    private let file: SourceFile
    private let place: Place
    private let offset: Int64
    private let rawByteCount: Int
    /// Of the picture as the stream has it, and what lies before it in its PES packet.
    private let sourceByteCount: Int
    private let skip: Int
    /// Of the sample.
    package let byteCount: Int

    /// - Parameters:
    ///   - packet: As libavformat put it together. What the file holds must be proved to give every byte of it.
    ///   - sample: What is served of it.
    /// - Returns: `nil` where the file gives anything else.
    init?(_ packet: Packet, sample: [UInt8], file: SourceFile, place: Place) {
        guard packet.position >= 0 else { return nil }
        (self.file, self.place) = (file, place)
        // libavformat names the packet's first byte, which need not be its sync byte.
        let stride = Int64(place.framing.stride)
        let aligned = place.framing.aligned(packet.position)
        offset = aligned < packet.position ? aligned + stride : aligned
        sourceByteCount = packet.byteCount
        byteCount = sample.count
        let most = packet.byteCount + Self.strayZeros
        guard let (bytes, consumed) = Self.read(file, offset, Self.rawByteCount(of: most, stride: place.framing.stride), place, atMost: most),
            let skip = packet.withUnsafeBytes({ packet in bytes.withUnsafeBytes { Self.place(of: packet, in: $0) } })
        else { return nil }
        rawByteCount = consumed
        self.skip = skip
    }

    package var pieces: [FragmentContent.Piece] { [.transport(self, 0..<byteCount)] }

    /// The sample; `nil` where the file no longer gives what it gave.
    package func bytes() -> [UInt8]? {
        guard let (bytes, _) = Self.read(file, offset, rawByteCount, place, atMost: skip + sourceByteCount), bytes.count == skip + sourceByteCount else { return nil }
        let sample = bytes[skip...].withUnsafeBytes { NALUnitSequence.convertToLengthPrefixed($0) }
        return sample.count == byteCount ? sample : nil
    }

    private static func place(of packet: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let wanted = packet.baseAddress, let held = bytes.baseAddress else { return nil }
        return (0...strayZeros).first { bytes.count >= packet.count + $0 && memcmp(held + $0, wanted, packet.count) == 0 }
    }

    private static func read(_ file: SourceFile, _ offset: Int64, _ rawByteCount: Int, _ place: Place, atMost count: Int) -> (bytes: [UInt8], consumed: Int)? {
        let raw = file.bytes(at: offset, count: rawByteCount)
        var consumed: Int?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let found = raw.withUnsafeBytes {
                ElementaryBytes.copy(from: $0, stride: place.framing.stride, pid: place.pid, into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard let found else { return }
            (consumed, filled) = (found.consumed, found.copied)
        }
        return consumed.map { (bytes, $0) }
    }
}
