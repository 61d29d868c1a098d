package import BitsAndTime

/// Tone-mapping metadata of HDR Vivid (T/UWA 005.1, the message registered by CUVA: country 26, provider 0004, oriented code 0005).
///
/// Every field is read, to prove that it is one.
package struct HDRVividMetadata: Sendable, Equatable {
    /// 1…7.
    package var systemStartCode: UInt8
    /// Of the picture's brightest components, in steps of 1/4095.
    package var minimumMaxRGB: UInt16
    package var averageMaxRGB: UInt16
    package var varianceMaxRGB: UInt16
    package var maximumMaxRGB: UInt16

    /// - Parameter payload: Behind the provider oriented code; its bits behind the last field must be zero.
    package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(payload, context: "HDR Vivid")
        systemStartCode = UInt8(try bits.readBits(8))
        guard (1...7).contains(systemStartCode) else { throw ParseError(.malformed, at: 0, in: "HDR Vivid", "system_start_code \(systemStartCode)") }
        minimumMaxRGB = UInt16(try bits.readBits(12))
        averageMaxRGB = UInt16(try bits.readBits(12))
        varianceMaxRGB = UInt16(try bits.readBits(12))
        maximumMaxRGB = UInt16(try bits.readBits(12))
        if try bits.readFlag() {  // tone_mapping_mode_flag
            for _ in 0...(try bits.readBits(1)) { try Self.skipToneMapping(&bits) }
        }
        if try bits.readFlag() {  // color_saturation_mapping_flag
            for _ in 0..<(try bits.readBits(3)) { try bits.skipBits(8) }
        }
        while bits.bitsRemaining > 0 {
            guard try bits.readBits(min(bits.bitsRemaining, 64)) == 0 else {
                throw ParseError(.malformed, at: bits.bitOffset / 8, in: "HDR Vivid", "bits behind the last field")
            }
        }
    }

    private static func skipToneMapping(_ bits: inout BitReader) throws(ParseError) {
        try bits.skipBits(12)  // targeted_system_display_maximum_luminance
        guard try bits.readFlag() else { return }  // base_enable_flag
        try bits.skipBits(14 + 6 + 10 + 10 + 6)  // m_p, m_m, m_a, m_b, m_n
        try bits.skipBits(2 + 2 + 4 + 3 + 7)  // K1, K2, K3, Delta_enable_mode, Delta
        guard try bits.readFlag() else { return }  // 3Spline_enable_flag
        for _ in 0...(try bits.readBits(1)) {
            let mode = try bits.readBits(2)
            if mode == 0 || mode == 2 { try bits.skipBits(8) }
            try bits.skipBits(12 + 10 + 10 + 8)  // TH, TH_Delta1, TH_Delta2, Strength
        }
    }
}
