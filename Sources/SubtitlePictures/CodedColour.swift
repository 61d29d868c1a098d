/// A colour as palettes code it: luma and colour differences of eight bits in the narrow range, and an alpha of 0 (transparent) to 255.
package struct CodedColour: Sendable, Hashable {
    package var luma, cr, cb, alpha: UInt8

    package static let transparent = CodedColour(luma: 16, cr: 128, cb: 128, alpha: 0)

    package init(luma: UInt8, cr: UInt8, cb: UInt8, alpha: UInt8) {
        (self.luma, self.cr, self.cb, self.alpha) = (luma, cr, cb, alpha)
    }

    /// What luma and colour differences were made from: the luma coefficients of red and blue.
    package enum Matrix: Sendable, Hashable {
        /// Recommendation ITU-R BT.601.
        case bt601
        /// BT.709.
        case bt709
        /// BT.2020, non-constant luminance.
        case bt2020

        var red: Double { self == .bt601 ? 0.299 : self == .bt709 ? 0.2126 : 0.2627 }
        var blue: Double { self == .bt601 ? 0.114 : self == .bt709 ? 0.0722 : 0.0593 }
    }

    /// Red, green and blue by that matrix, 0 to 1, clipped; still in the transfer characteristic they were coded in.
    package func components(_ matrix: Matrix) -> (red: Double, green: Double, blue: Double) {
        let y = (Double(luma) - 16) / 219
        let (pr, pb) = ((Double(cr) - 128) / 224, (Double(cb) - 128) / 224)
        let (kr, kb) = (matrix.red, matrix.blue)
        let (red, blue) = (y + 2 * (1 - kr) * pr, y + 2 * (1 - kb) * pb)
        let green = (y - kr * red - kb * blue) / (1 - kr - kb)
        func clip(_ value: Double) -> Double { min(max(value, 0), 1) }
        return (clip(red), clip(green), clip(blue))
    }

    /// 0xAARRGGBB by that matrix, not multiplied by alpha.
    package func argb(_ matrix: Matrix) -> UInt32 {
        let (red, green, blue) = components(matrix)
        return Self.argb(alpha: alpha, red: red, green: green, blue: blue)
    }

    /// Components of 0 to 1, rounded.
    package static func argb(alpha: UInt8, red: Double, green: Double, blue: Double) -> UInt32 {
        func eight(_ value: Double) -> UInt32 { UInt32(min(max(value, 0), 1) * 255 + 0.5) }
        return UInt32(alpha) << 24 | eight(red) << 16 | eight(green) << 8 | eight(blue)
    }

    /// The coded form of a colour: the inverse of ``argb(_:)`` up to the rounding of eight bits.
    package init(argb: UInt32, matrix: Matrix = .bt709) {
        func part(_ shift: UInt32) -> Double { Double(argb >> shift & 0xFF) / 255 }
        let (red, green, blue) = (part(16), part(8), part(0))
        let y = matrix.red * red + (1 - matrix.red - matrix.blue) * green + matrix.blue * blue
        func eight(_ value: Double) -> UInt8 { UInt8(min(max(value + 0.5, 0), 255)) }
        luma = eight(16 + 219 * y)
        cr = eight(128 + 224 * (red - y) / (2 * (1 - matrix.red)))
        cb = eight(128 + 224 * (blue - y) / (2 * (1 - matrix.blue)))
        alpha = UInt8(truncatingIfNeeded: argb >> 24)
    }
}
