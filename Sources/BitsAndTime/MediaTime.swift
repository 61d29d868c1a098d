/// A point or span of time as whole ticks of `1 / timescale` seconds. Never a floating-point number inside the engine.
///
/// Comparison is exact across timescales. Which axis a value lives on (source presentation, source decode, player) is
/// said by the name that holds it.
public struct MediaTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let ticks: Int64
    /// Ticks a second; always above zero.
    public let timescale: Int32

    public init(ticks: Int64, timescale: Int32) {
        precondition(timescale > 0, "a timescale is positive")
        self.ticks = ticks
        self.timescale = timescale
    }

    public static let zero = MediaTime(ticks: 0, timescale: 1)

    /// The nearest whole tick to `seconds`; not-a-number becomes zero, the infinities the largest span.
    public init(seconds: Double, timescale: Int32) {
        let scaled = (seconds * Double(timescale)).rounded()
        let ticks: Int64 = scaled.isNaN ? 0 : scaled >= 9.2e18 ? .max : scaled <= -9.2e18 ? .min : Int64(scaled)
        self.init(ticks: ticks, timescale: timescale)
    }

    /// For the API's edge and for messages only.
    public var seconds: Double { Double(ticks) / Double(timescale) }

    /// The same time in another timescale, rounded to the nearest tick, halves away from zero; saturates at the ends of `Int64`.
    public func converted(to newTimescale: Int32) -> MediaTime {
        newTimescale == timescale ? self : MediaTime(ticks: MediaTime.rescale(ticks, from: timescale, to: newTimescale), timescale: newTimescale)
    }

    /// `ticks · to / from`, rounded to the nearest, halves away from zero, without overflow in between.
    public static func rescale(_ ticks: Int64, from: Int32, to: Int32) -> Int64 {
        precondition(from > 0 && to > 0)
        if from == to { return ticks }
        let product = ticks.magnitude.multipliedFullWidth(by: UInt64(to))
        let divisor = UInt64(from)
        guard product.high < divisor else { return ticks < 0 ? .min : .max }
        var (quotient, remainder) = divisor.dividingFullWidth(product)
        if remainder >= divisor - remainder, quotient < .max { quotient += 1 }
        guard quotient <= UInt64(Int64.max) else { return ticks < 0 ? .min : .max }
        return ticks < 0 ? -Int64(quotient) : Int64(quotient)
    }

    public static func < (a: MediaTime, b: MediaTime) -> Bool { a.compare(b) < 0 }
    public static func == (a: MediaTime, b: MediaTime) -> Bool { a.compare(b) == 0 }

    public func hash(into hasher: inout Hasher) {
        var (a, b) = (ticks.magnitude, UInt64(timescale))
        while b != 0 { (a, b) = (b, a % b) }
        hasher.combine(ticks / Int64(a))
        hasher.combine(UInt64(timescale) / a)
    }

    private func compare(_ other: MediaTime) -> Int {
        let left = ticks.multipliedFullWidth(by: Int64(other.timescale))
        let right = other.ticks.multipliedFullWidth(by: Int64(timescale))
        if left.high != right.high { return left.high < right.high ? -1 : 1 }
        return left.low == right.low ? 0 : left.low < right.low ? -1 : 1
    }

    /// Sum in the finer of the two timescales when one divides the other, else rounded to the finer; saturating.
    public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
        let scale = max(a.timescale, b.timescale)
        let (sum, overflow) = a.converted(to: scale).ticks.addingReportingOverflow(b.converted(to: scale).ticks)
        return MediaTime(ticks: overflow ? (a.ticks < 0 ? .min : .max) : sum, timescale: scale)
    }

    public static prefix func - (a: MediaTime) -> MediaTime { MediaTime(ticks: a.ticks == .min ? .max : -a.ticks, timescale: a.timescale) }
    public static func - (a: MediaTime, b: MediaTime) -> MediaTime { a + (-b) }

    public var description: String { "\(ticks)/\(timescale)" }
}
