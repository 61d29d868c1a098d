#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
package import SubtitlePictures

/// Colours of a Presentation Graphics stream on a film in PQ, as UHD Blu-ray codes them, brought to sRGB.
package enum PQPalette {
    /// Luminance of graphics white in an HDR picture, in cd/m² (Report ITU-R BT.2408): what becomes SDR's white.
    package static let graphicsWhite = 203.0

    /// 0xAARRGGBB, not multiplied by alpha. What is brighter than graphics white, or outside of BT.709, is clipped.
    package static func argb(_ colour: CodedColour) -> UInt32 {
        let (red, green, blue) = colour.components(.bt2020)
        let (r, g, b) = (nits(red) / graphicsWhite, nits(green) / graphicsWhite, nits(blue) / graphicsWhite)
        // Recommendation ITU-R BT.2087: BT.2020 to BT.709 in linear light.
        return CodedColour.argb(
            alpha: colour.alpha, red: encode(1.660491 * r - 0.587641 * g - 0.072850 * b), green: encode(-0.124550 * r + 1.132900 * g - 0.008349 * b),
            blue: encode(-0.018151 * r - 0.100579 * g + 1.118730 * b))
    }

    /// The EOTF of SMPTE ST 2084, in cd/m².
    package static func nits(_ signal: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let power = pow(max(signal, 0), 1 / m2)
        return 10000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    /// IEC 61966-2-1.
    private static func encode(_ linear: Double) -> Double {
        let linear = min(max(linear, 0), 1)
        return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }
}
