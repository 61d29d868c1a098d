package import BitsAndTime

/// How transport packets lie in a file: plain, behind four bytes of arrival time (BDAV), or before sixteen of parity.
///
/// ISO/IEC 13818-1:2022 §2.4.3.2; Blu-ray BDAV source packets have 192 bytes, ATSC and DVB interfaces 204.
package struct PacketFraming: Sendable, Equatable {
    /// From one sync byte to the next.
    package let stride: Int
    /// Of the first packet's sync byte in the file.
    package let firstSync: Int64

    package static let strides = [188, 192, 204]
    /// Sync bytes in a row that make a framing.
    private static let run = 8
    /// Bytes looked through for the first packet.
    private static let searchByteCount = 64 << 10

    package init(stride: Int, firstSync: Int64) {
        self.stride = max(TransportPacket.byteCount, stride)
        self.firstSync = firstSync
    }

    /// Reads the framing off the front of a file; `nil` where it holds no packets. A file shorter than a few packets must be all packets.
    package static func detect(_ window: ByteWindow) throws -> PacketFraming? {
        let head = try window.run(at: 0, atLeast: searchByteCount + 204 * run)
        let limit = min(searchByteCount, head.count)
        for start in 0..<limit where head[start] == TransportPacket.syncByte {
            for stride in strides {
                let count = min(run, (head.count - start - TransportPacket.byteCount) / stride + 1)
                guard count >= (Int64(head.count) == window.byteCount ? 2 : run), start + TransportPacket.byteCount <= head.count else { continue }
                if (0..<count).allSatisfy({ head[start + $0 * stride] == TransportPacket.syncByte }) {
                    return PacketFraming(stride: stride, firstSync: Int64(start))
                }
            }
        }
        return nil
    }

    /// The last place at or before `offset` where a sync byte is due.
    package func aligned(_ offset: Int64) -> Int64 {
        let distance = max(0, offset - firstSync)
        return firstSync + distance / Int64(stride) * Int64(stride)
    }
}
