package import BitsAndTime

/// User data registered by ITU-T T.35: SEI payload type 4 (ITU-T H.265 §D.2.6) and metadata_itut_t35 of AV1 (AV1 specification §5.8.2).
package struct RegisteredUserData: Sendable, Equatable {
    /// What is known of the sender's format. A message counts as one only where its whole structure is that format's: the same first bytes
    /// inside another message are no metadata.
    package enum Content: Sendable, Equatable {
        /// SMPTE ST 2094-40.
        case hdr10Plus(HDR10PlusMetadata)
        /// T/UWA 005.1.
        case hdrVivid(HDRVividMetadata)
        /// An AV1 stream's Dolby Vision metadata, told by its prefix alone (ETSI TS 103 572 §6).
        case dolbyVision
        case other
    }

    /// itu_t_t35_country_code: B5 the United States, 26 China.
    package var countryCode: UInt8
    /// Behind the country code (and behind its extension byte, which FF announces).
    package var payload: [UInt8]

    package init(countryCode: UInt8, payload: [UInt8]) {
        self.countryCode = countryCode
        self.payload = payload
    }

    package init(parsing bytes: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(bytes, context: "itu_t_t35")
        countryCode = try reader.readUInt8()
        if countryCode == 0xFF { try reader.skip(1) }
        payload = Array(reader.readRemaining())
    }

    /// Provider code, provider oriented code, and what tells formats of one provider apart.
    private static let hdr10PlusPrefix: [UInt8] = [0x00, 0x3C, 0x00, 0x01, 0x04]
    private static let hdrVividPrefix: [UInt8] = [0x00, 0x04, 0x00, 0x05]
    private static let dolbyVisionPrefix: [UInt8] = [0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]

    package var content: Content {
        do throws(ParseError) {
            switch countryCode {
            case 0xB5 where payload.starts(with: Self.hdr10PlusPrefix):
                return .hdr10Plus(try HDR10PlusMetadata(parsing: payload.dropFirst(Self.hdr10PlusPrefix.count)))
            case 0xB5 where payload.starts(with: Self.dolbyVisionPrefix): return .dolbyVision
            case 0x26 where payload.starts(with: Self.hdrVividPrefix):
                return .hdrVivid(try HDRVividMetadata(parsing: payload.dropFirst(Self.hdrVividPrefix.count)))
            default: return .other
            }
        } catch {
            return .other
        }
    }
}
