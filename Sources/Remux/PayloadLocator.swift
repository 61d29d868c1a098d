internal import Libav

/// Finds where in the source file a packet's bytes lie, so that they can be served from there.
///
/// libavformat says where a packet begins, and means the frame's bytes (MP4), the block around them (Matroska) or the chunk's head (AVI, FLV),
/// so the place is looked for and then proved for each packet: its first and last bytes must be there. What was split on the way (transport
/// streams) can be put together again (``TransportSample``); what was joined or unpacked (laced or compressed blocks) stays in memory.
package struct PayloadLocator: Sendable {
    /// Below this, copying costs less than another call to the system and a place in the list of pieces.
    static let smallestByteCount = 16 << 10
    /// What containers put between the place libavformat names and the frame: nothing; a block's track number, time and flags (with two bytes
    /// for tracks past 127); a chunk's name and size; an FLV tag's head with its codec bytes.
    private static let heads: [Int64] = [0, 4, 5, 8, 16]
    /// Packets in a row that were found nowhere, after which looking ends.
    private static let patience = 32
    /// Bytes compared at either end.
    private static let proof = 64

    private let file: SourceFile
    private var head: Int64?
    private var misses = 0

    private let transport: TransportSample.Place?

    /// - Parameter transport: Where the file is a transport stream.
    package init(file: SourceFile, transport: TransportSample.Place? = nil) {
        self.file = file
        self.transport = transport
    }

    /// A picture with start codes that became `sample`.
    mutating func locate(_ packet: Packet, madeInto sample: [UInt8]) -> TransportSample? {
        guard let transport, packet.byteCount >= Self.smallestByteCount, misses < Self.patience else { return nil }
        guard let found = TransportSample(packet, sample: sample, file: file, place: transport) else {
            misses += 1
            return nil
        }
        misses = 0
        return found
    }

    mutating func locate(_ packet: Packet) -> FileSpan? {
        guard packet.byteCount >= Self.smallestByteCount, packet.position >= 0, misses < Self.patience else { return nil }
        if let head, isAt(packet.position &+ head, packet) { return file.span(at: packet.position &+ head, byteCount: packet.byteCount) }
        if let found = Self.heads.first(where: { $0 != head && isAt(packet.position &+ $0, packet) }) {
            head = found
            misses = 0
            return file.span(at: packet.position &+ found, byteCount: packet.byteCount)
        }
        misses += 1
        return nil
    }

    private func isAt(_ offset: Int64, _ packet: Packet) -> Bool {
        packet.withUnsafeBytes { bytes in
            let last = bytes.count - Self.proof
            return last >= 0 && file.holds(UnsafeRawBufferPointer(rebasing: bytes[..<Self.proof]), at: offset)
                && file.holds(UnsafeRawBufferPointer(rebasing: bytes[last...]), at: offset &+ Int64(last))
        }
    }
}
