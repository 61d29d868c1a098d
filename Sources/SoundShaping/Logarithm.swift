/// Logarithms, powers and sines by sums and products alone: the standard library has none, and those of C libraries differ in their last bits
/// from machine to machine, while what is shaped here must be the same bytes everywhere.
enum Logarithm {
    private static let ln2 = 0.693_147_180_559_945_3
    private static let log2e = 1.442_695_040_888_963_4
    /// Decibels (20 · log₁₀) a doubling.
    static let decibelsPerDoubling = 6.020_599_913_279_624

    /// Of a positive finite value; exact to 10⁻¹².
    @inline(__always) static func base2(_ value: Double) -> Double {
        var exponent = Double(value.exponent)
        var significand = value.significand
        if significand > 1.414_213_562_373_095 {
            significand /= 2
            exponent += 1
        }
        // 2 · artanh((m − 1) ÷ (m + 1)), whose argument is below 0.172 here.
        let t = (significand - 1) / (significand + 1), square = t * t
        let sum =
            1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9 + square * (1.0 / 11 + square * (1.0 / 13 + square / 15))))))
        return exponent + 2 * t * sum * log2e
    }

    /// 2 to the power of a value between −1000 and 1000; exact to 10⁻¹².
    @inline(__always) static func power2(_ value: Double) -> Double {
        let whole = value.rounded(), x = (value - whole) * ln2
        // e to the power of at most 0.347.
        let sum =
            1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6 * (1 + x / 7 * (1 + x / 8 * (1 + x / 9 * (1 + x / 10)))))))))
        return Double(sign: .plus, exponent: Int(whole), significand: sum)
    }

    /// A factor of amplitude for so many decibels.
    static func amplitude(decibels: Double) -> Double { power2(min(max(decibels, -600), 600) / decibelsPerDoubling) }

    /// The sine and cosine of `numerator / denominator` of a full turn; exact to 10⁻¹⁵.
    static func turn(_ numerator: Int, of denominator: Int) -> (sine: Double, cosine: Double) {
        var part = numerator % denominator
        if part < 0 { part += denominator }
        // Into the first eighth of a turn, in eighths of the denominator so that nothing is rounded.
        let eighth = 8 * part / denominator
        let octant = eighth % 8
        let quarterTurns = (octant + 1) / 2
        let rest = Double(4 * part - quarterTurns * denominator) / Double(4 * denominator) * 2 * Double.pi
        let square = rest * rest
        var (sine, cosine) = (0.0, 0.0)
        for k in stride(from: 10, through: 1, by: -1) {
            sine = (1 - sine) * square / Double(2 * k * (2 * k + 1))
            cosine = (1 - cosine) * square / Double(2 * k * (2 * k - 1))
        }
        (sine, cosine) = (rest * (1 - sine), 1 - cosine)
        return switch quarterTurns % 4 {
        case 0: (sine, cosine)
        case 1: (cosine, -sine)
        case 2: (-sine, -cosine)
        default: (-cosine, sine)
        }
    }
}
