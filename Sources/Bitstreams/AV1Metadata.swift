package import BitsAndTime

/// The content of an AV1 metadata OBU (AV1 specification §5.8, §6.7.1).
package enum AV1Metadata: Sendable, Equatable {
    case contentLight(ContentLightLevelInformation)
    case masteringDisplay(MasteringDisplayColourVolume)
    case registeredUserData(RegisteredUserData)
    /// Scalability, time code and what is not defined.
    case other(type: UInt64)

    /// metadata_type.
    private enum MetadataType {
        static let contentLight: UInt64 = 1
        static let masteringDisplay: UInt64 = 2
        static let registeredUserData: UInt64 = 4
    }

    /// - Parameter payload: The OBU behind its header, trailing bits included.
    package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "metadata_obu")
        var type: UInt64 = 0
        for shift in 0..<8 {
            let byte = try reader.readUInt8()
            type |= UInt64(byte & 0x7F) << UInt64(7 * shift)
            if byte & 0x80 == 0 { break }
        }
        var content = reader.readRemaining()
        switch type {
        case MetadataType.contentLight: self = .contentLight(try ContentLightLevelInformation(parsing: content))
        case MetadataType.masteringDisplay: self = .masteringDisplay(try MasteringDisplayColourVolume(av1Metadata: content))
        case MetadataType.registeredUserData:
            // What trailing_bits adds is the last byte that is not zero: a T.35 message fills whole bytes (§5.8.2).
            while content.last == 0 { content.removeLast() }
            guard content.last == 0x80 else { throw ParseError(.malformed, at: payload.count, in: "metadata_obu", "no trailing bits") }
            content.removeLast()
            self = .registeredUserData(try RegisteredUserData(parsing: content))
        default: self = .other(type: type)
        }
    }
}
