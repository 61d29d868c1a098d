/// The header of one transport packet, and where its payload lies.
///
/// ISO/IEC 13818-1:2022 §2.4.3.2, §2.4.3.4.
package struct TransportPacket: Sendable, Equatable {
    /// Sync byte to the last byte of payload; time codes before and parity behind it are not the packet's.
    package static let byteCount = 188
    package static let syncByte: UInt8 = 0x47

    package let pid: UInt16
    package let hasError: Bool
    package let startsUnit: Bool
    package let isScrambled: Bool
    package let continuityCounter: UInt8
    package let hasDiscontinuity: Bool
    /// random_access_indicator: a promise, which many encoders never make.
    package let isRandomAccess: Bool
    /// Of the packet's bytes; empty without payload.
    package let payload: Range<Int>

    /// - Parameter bytes: from the sync byte on. `nil` for fewer than ``byteCount`` bytes, no sync byte, or an adaptation field that
    ///   passes the packet's end.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.byteCount, bytes[0] == Self.syncByte else { return nil }
        hasError = bytes[1] & 0x80 != 0
        startsUnit = bytes[1] & 0x40 != 0
        pid = UInt16(bytes[1] & 0x1F) << 8 | UInt16(bytes[2])
        isScrambled = bytes[3] & 0xC0 != 0
        continuityCounter = bytes[3] & 0x0F
        let hasField = bytes[3] & 0x20 != 0
        let hasPayload = bytes[3] & 0x10 != 0
        var start = 4
        var flags: UInt8 = 0
        if hasField {
            let length = Int(bytes[4])
            guard length <= Self.byteCount - 5 else { return nil }
            if length > 0 { flags = bytes[5] }
            start = 5 + length
        }
        hasDiscontinuity = flags & 0x80 != 0
        isRandomAccess = flags & 0x40 != 0
        payload = hasPayload ? start..<Self.byteCount : start..<start
    }
}
