internal import Libav
internal import LoopbackHTTP
internal import Remux

extension ResourceBody {
    /// A fragment's pieces as the server's, none copied.
    init(_ content: FragmentContent) {
        self.init(
            pieces: content.pieces.map { piece in
                switch piece {
                case .bytes(let bytes): .bytes(bytes)
                case .packet(let packet, let range): range.count == packet.byteCount ? .shared(packet) : .shared(PacketStretch(packet, range))
                case .transport(let sample, let range): .shared(TransportStretch(sample, range))
                case .file(let span): .file(FileRegion(descriptor: span.descriptor, offset: span.offset, byteCount: span.byteCount, owner: span.owner))
                }
            })
    }
}

extension Packet: SharedBytes {}

/// Bytes of a packet, of which others are left out.
private final class PacketStretch: SharedBytes {
    private let packet: Packet
    private let range: Range<Int>
    var byteCount: Int { range.count }

    init(_ packet: Packet, _ range: Range<Int>) {
        self.packet = packet
        self.range = range
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try packet.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

/// Bytes of a picture that is made again each time it is sent; none where its source is gone, which ends the answer.
private final class TransportStretch: SharedBytes {
    private let sample: TransportSample
    private let range: Range<Int>
    var byteCount: Int { range.count }

    init(_ sample: TransportSample, _ range: Range<Int>) {
        self.sample = sample
        self.range = range
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        guard let bytes = sample.bytes() else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
