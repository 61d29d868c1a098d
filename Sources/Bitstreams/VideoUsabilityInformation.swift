internal import BitsAndTime

/// What the VUI of H.264 (Annex E) and H.265 (Annex E) both say of a picture's shape, colour and clock.
package struct VideoUsabilityInformation: Sendable, Equatable {
    package var sampleAspectRatio: SampleAspectRatio?
    /// ISO/IEC 23091-2 code points; `nil` where not described or 2 (unspecified).
    package var primaries: Int?
    package var transfer: Int?
    package var matrix: Int?
    package var isFullRange: Bool?
    /// num_units_in_tick and time_scale.
    package var tick: (numerator: UInt32, denominator: UInt32)?

    package init() {}

    package struct SampleAspectRatio: Sendable, Equatable {
        package var horizontal: Int32
        package var vertical: Int32
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.sampleAspectRatio == b.sampleAspectRatio && a.primaries == b.primaries && a.transfer == b.transfer && a.matrix == b.matrix
            && a.isFullRange == b.isFullRange && a.tick?.numerator == b.tick?.numerator && a.tick?.denominator == b.tick?.denominator
    }

    /// Table E-1 of both: aspect_ratio_idc 1…16.
    private static let ratios: [(Int32, Int32)] = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11), (64, 33), (160, 99),
        (4, 3), (3, 2), (2, 1),
    ]

    /// Reads from aspect_ratio_info_present_flag to the end of the colour and chroma-location fields, which both standards lay out alike.
    mutating func parsePictureDescription(_ bits: inout BitReader) throws(ParseError) {
        if try bits.readFlag() {
            let idc = Int(try bits.readBits(8))
            if idc == 255 {
                let (h, v) = (Int32(try bits.readUInt(16)), Int32(try bits.readUInt(16)))
                if h > 0, v > 0 { sampleAspectRatio = .init(horizontal: h, vertical: v) }
            } else if (1...16).contains(idc) {
                let (h, v) = Self.ratios[idc - 1]
                sampleAspectRatio = .init(horizontal: h, vertical: v)
            }
        }
        if try bits.readFlag() { try bits.skipBits(1) }  // overscan
        if try bits.readFlag() {
            try bits.skipBits(3)  // video_format
            isFullRange = try bits.readFlag()
            if try bits.readFlag() {
                func point(_ value: UInt64) -> Int? { value == 2 ? nil : Int(value) }
                primaries = point(try bits.readBits(8))
                transfer = point(try bits.readBits(8))
                matrix = point(try bits.readBits(8))
            }
        }
        if try bits.readFlag() {  // chroma location
            _ = try bits.readUE()
            _ = try bits.readUE()
        }
    }
}
