package import BitsAndTime

/// The form of AV1: metadata of ITU-T T.35 that holds an EMDF container (ETSI TS 102 366 V1.4.1 Annex H), and that the unit without its first byte.
///
/// Dolby Vision Profiles and Levels, profile 10; AV1 Bitstream & Decoding Process Specification §5.8.2.
extension ReferenceProcessingUnit {
    /// United States, Dolby, and its code for this.
    private static let t35Header: [UInt8] = [0xB5, 0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]

    /// Whether a T.35 payload is one of Dolby Vision's, by its codes alone.
    package static func isT35Payload(_ payload: ArraySlice<UInt8>) -> Bool { t35HeaderLength(payload) != nil }

    private static func t35HeaderLength(_ payload: ArraySlice<UInt8>) -> Int? {
        payload.starts(with: t35Header) ? t35Header.count : payload.starts(with: t35Header.dropFirst()) ? t35Header.count - 1 : nil
    }

    /// - Parameter payload: From itu_t_t35_country_code on, or from the byte behind it: readers of metadata OBUs hand out either.
    package init(parsingT35 payload: ArraySlice<UInt8>) throws(ParseError) {
        guard let base = Self.t35HeaderLength(payload) else { throw ParseError(.malformed, at: 0, in: "t35", "not of Dolby Vision") }
        do throws(ParseError) {
            let content = try EMDFContainer.payload(of: payload.dropFirst(base))
            try self.init(parsingUnit: ([0x19] + content)[...])
        } catch { throw error.nested(in: "t35", base: base) }
    }

    /// The whole payload, from the country code on; zeros behind the unit are left out, bits behind the container are ones.
    package func t35Payload() -> [UInt8] {
        let unit = serialized()
        return Self.t35Header + EMDFContainer.wrapping(unit.dropFirst().dropLast(trailingZeroCount))
    }
}
