/// The header of an FLV tag, and of the picture in it.
///
/// Adobe Flash Video File Format Specification 10.1, annex E.4; Enhanced RTMP v1 for code points beyond it.
package struct FLVTag: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case audio
        case video(Picture)
        /// Metadata, or a tag nobody knows.
        case other
    }

    package struct Picture: Sendable, Equatable {
        package let isKeyframe: Bool
        /// A coded picture, not a decoder configuration or an end of sequence.
        package let isCoded: Bool
    }

    /// Bytes of the tag's header.
    package static let headerByteCount = 11
    /// Header and what is read of the payload.
    package static let readByteCount = 13

    package let kind: Kind
    package let payloadByteCount: Int
    /// Milliseconds: a decode time.
    package let timestamp: Int32

    /// Tag and the length that follows it.
    package var byteCount: Int { Self.headerByteCount + payloadByteCount + 4 }

    /// - Parameter bytes: from the tag's type on. `nil` where they hold no tag: types other than 8, 9 and 18, or a stream number.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerByteCount else { return nil }
        let type = bytes[0] & 0x1F
        guard bytes[0] & 0xC0 == 0, type == 8 || type == 9 || type == 18, bytes[8] == 0, bytes[9] == 0, bytes[10] == 0 else { return nil }
        payloadByteCount = Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3])
        timestamp = Int32(bitPattern: UInt32(bytes[7]) << 24 | UInt32(bytes[4]) << 16 | UInt32(bytes[5]) << 8 | UInt32(bytes[6]))
        switch type {
        case 8: kind = .audio
        case 9:
            guard bytes.count >= Self.readByteCount, payloadByteCount >= 2 else {
                kind = .other
                return
            }
            let first = bytes[11]
            let isExtended = first & 0x80 != 0
            // Packet types: AVC in the byte behind, extended ones in the same.
            let packet = isExtended ? first & 0x0F : first & 0x0F == 7 ? bytes[12] : 1
            let frame = first >> 4 & 7
            kind = frame == 5 ? .other : .video(Picture(isKeyframe: frame == 1, isCoded: packet == 1 || (isExtended && packet == 3)))
        default: kind = .other
        }
    }
}
