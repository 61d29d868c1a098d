/// The front of a packetised elementary stream packet: its times, and where the stream's own bytes begin.
///
/// ISO/IEC 13818-1:2022 §2.4.3.6.
package struct PESHeader: Sendable, Equatable {
    /// Bytes that hold the header as far as it is read here.
    package static let readByteCount = 19

    package let streamID: UInt8
    /// 90 kHz, 33 bits; nil where the packet has none.
    package let presentationTime: Int64?
    /// Equal to the presentation time where only that is written.
    package let decodeTime: Int64?
    /// Header bytes before the payload.
    package let byteCount: Int

    /// - Parameter bytes: from packet_start_code_prefix on. `nil` where there is none, where the header has no optional part, or where
    ///   it ends before its times do.
    package init?(_ bytes: some Collection<UInt8>) {
        var head: [UInt8] = []
        head.reserveCapacity(Self.readByteCount)
        head.append(contentsOf: bytes.prefix(Self.readByteCount))
        guard head.count >= 9, head[0] == 0, head[1] == 0, head[2] == 1 else { return nil }
        streamID = head[3]
        // Stream map, padding, private 2, ECM, EMM, directory, DSM-CC and H.222.1 type E have no optional header.
        guard ![0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xFF, 0xF2, 0xF8].contains(streamID), head[6] & 0xC0 == 0x80 else { return nil }
        byteCount = 9 + Int(head[8])
        let flags = head[7] >> 6
        guard flags & 2 != 0 else {
            (presentationTime, decodeTime) = (nil, nil)
            return
        }
        guard head[8] >= (flags == 3 ? 10 : 5), head.count >= (flags == 3 ? 19 : 14) else { return nil }
        let shown = Self.time(head[9...])
        presentationTime = shown
        decodeTime = flags == 3 ? Self.time(head[14...]) : shown
    }

    /// 3, 15 and 15 bits, each followed by a marker bit; the markers are not looked at.
    private static func time(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let b = bytes.startIndex
        return Int64(bytes[b] >> 1 & 7) << 30 | Int64(bytes[b + 1]) << 22 | Int64(bytes[b + 2] >> 1) << 15 | Int64(bytes[b + 3]) << 7 | Int64(bytes[b + 4] >> 1)
    }
}
