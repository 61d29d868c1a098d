/// The 90 kHz clock of a program's times, which has 33 bits and begins again every 26.5 hours.
///
/// ISO/IEC 13818-1:2022 §2.4.3.7.
package enum TransportClock {
    package static let ticksPerSecond: Int64 = 90_000
    package static let period: Int64 = 1 << 33

    /// The time nearest to `near` that reads as `ticks` in 33 bits.
    package static func unwrapped(_ ticks: Int64, near: Int64) -> Int64 {
        var step = (ticks &- near) & (period - 1)
        if step >= period / 2 { step -= period }
        return near &+ step
    }

    /// The first time at or after `start` that reads as `ticks`.
    package static func unwrapped(_ ticks: Int64, from start: Int64) -> Int64 {
        start &+ ((ticks &- start) & (period - 1))
    }
}
