package import BitsAndTime

/// How bright a film gets, in cd/m²; 0 where unknown (CTA-861.3; payload type 144, ITU-T H.265 §D.2.35; metadata_hdr_cll,
/// AV1 specification §5.8.3).
package struct ContentLightLevelInformation: Sendable, Equatable {
    /// MaxCLL: the brightest sample.
    package var maximumContent: UInt16
    /// MaxFALL: the brightest picture's average.
    package var maximumPictureAverage: UInt16

    package init(maximumContent: UInt16, maximumPictureAverage: UInt16) {
        self.maximumContent = maximumContent
        self.maximumPictureAverage = maximumPictureAverage
    }

    /// - Parameter payload: Of the SEI message or the metadata OBU behind its type: both have the same four bytes.
    package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "content_light_level_info")
        maximumContent = try reader.readUInt16()
        maximumPictureAverage = try reader.readUInt16()
    }

    package func serialized() -> [UInt8] {
        [maximumContent, maximumPictureAverage].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    /// Whether anything is said: two zeros say that nothing is known.
    package var isKnown: Bool { maximumContent > 0 || maximumPictureAverage > 0 }
}
