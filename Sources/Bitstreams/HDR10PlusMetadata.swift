package import BitsAndTime

/// Tone-mapping metadata of one scene or picture, application 4 (SMPTE ST 2094-40; the message's syntax in CTA-861-H Annex S).
///
/// Every field is read, to prove that it is one; kept is what hosts ask for.
package struct HDR10PlusMetadata: Sendable, Equatable {
    /// 0 or 1.
    package var applicationVersion: UInt8
    /// 1…3.
    package var windowCount: Int
    /// cd/m².
    package var targetedSystemDisplayMaximumLuminance: UInt32
    /// Of the first window, in steps of 0.1 cd/m²: red, green and blue at their brightest, and the average of the brightest component.
    package var maxSCL: [UInt32]
    package var averageMaxRGB: UInt32
    /// Of the first window.
    package var hasToneMappingCurve: Bool

    private static let luminanceLimit: UInt32 = 10_000
    /// maxscl, average_maxrgb and percentiles are of 0…1 in steps of 0.00001.
    private static let fractionLimit: UInt32 = 100_000

    /// - Parameter payload: Behind application_identifier.
    package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(payload, context: "ST 2094-40")
        applicationVersion = UInt8(try bits.readBits(8))
        guard applicationVersion <= 1 else { throw ParseError(.unsupported, at: 0, in: "ST 2094-40", "application_version \(applicationVersion)") }
        windowCount = Int(try bits.readBits(2))
        guard windowCount >= 1 else { throw ParseError(.malformed, at: 1, in: "ST 2094-40", "num_windows 0") }
        for _ in 1..<windowCount { try bits.skipBits(6 * 16 + 8 + 3 * 16 + 1) }
        targetedSystemDisplayMaximumLuminance = try Self.read(&bits, 27, upTo: Self.luminanceLimit)
        try Self.skipPeakLuminances(&bits)
        (maxSCL, averageMaxRGB, hasToneMappingCurve) = ([], 0, false)
        for window in 0..<windowCount {
            var components: [UInt32] = []
            for _ in 0..<3 { components.append(try Self.read(&bits, 17, upTo: Self.fractionLimit)) }
            let average = try Self.read(&bits, 17, upTo: Self.fractionLimit)
            if window == 0 { (maxSCL, averageMaxRGB) = (components, average) }
            for _ in 0..<(try bits.readBits(4)) {
                _ = try Self.read(&bits, 7, upTo: 100)
                _ = try Self.read(&bits, 17, upTo: Self.fractionLimit)
            }
            try bits.skipBits(10)  // fraction_bright_pixels
        }
        try Self.skipPeakLuminances(&bits)
        for window in 0..<windowCount {
            let hasCurve = try bits.readFlag()
            if window == 0 { hasToneMappingCurve = hasCurve }
            if hasCurve {
                try bits.skipBits(24)  // knee point
                for _ in 0..<(try bits.readBits(4)) { try bits.skipBits(10) }
            }
            if try bits.readFlag() { try bits.skipBits(6) }
        }
    }

    private static func read(_ bits: inout BitReader, _ count: Int, upTo limit: UInt32) throws(ParseError) -> UInt32 {
        let value = try bits.readUInt(count)
        guard value <= limit else { throw ParseError(.malformed, at: bits.bitOffset / 8, in: "ST 2094-40", "\(value) where \(limit) is the most") }
        return value
    }

    /// A flag, and a matrix of 2…25 rows and columns where it is set.
    private static func skipPeakLuminances(_ bits: inout BitReader) throws(ParseError) {
        guard try bits.readFlag() else { return }
        let (rows, columns) = (Int(try bits.readBits(5)), Int(try bits.readBits(5)))
        guard (2...25).contains(rows), (2...25).contains(columns) else {
            throw ParseError(.malformed, at: bits.bitOffset / 8, in: "ST 2094-40", "\(rows)×\(columns) peak luminances")
        }
        try bits.skipBits(rows * columns * 4)
    }
}
