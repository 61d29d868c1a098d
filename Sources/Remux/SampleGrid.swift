package import BitsAndTime

/// Places frames exactly, although the container may count in milliseconds.
///
/// Frame *n* of a stream whose frames all last `frameLength` ticks (samples of audio; one picture's share of a second of video)
/// starts at `origin + n · frameLength`. A container time
/// that agrees with that grid within its own clock's resolution *is* that grid position; one that does not (a gap, a recording
/// whose clock drifts) is taken at its word. The rule looks at one packet at a time: where reading began cannot change it.
package struct SampleGrid: Sendable, Equatable {
    /// Position of the stream's first frame, in ticks.
    package let origin: Int64
    /// Ticks a frame; 0 where frames differ in length, and every time is taken at its word.
    package let frameLength: Int64
    /// Ticks a second: the sample rate of audio.
    package let timescale: Int32
    /// How far a container time may lie from the grid: one tick of its clock, and one of the grid's for its rounding.
    package let tolerance: Int64
    private let timeBase: TickBase

    /// - Parameters:
    ///   - firstPTS: The stream's first packet's time, in container ticks.
    ///   - leadingSkip: Samples the container says to drop from the stream's start (priming, pre-skip). Their length is exact
    ///     where the time that accounts for them was rounded, so the first audible sample, not the first frame, is what the
    ///     container's clock is believed about.
    package init(firstPTS: Int64, leadingSkip: Int64, frameLength: Int64, timescale: Int32, timeBase: TickBase) {
        self.frameLength = frameLength
        self.timescale = timescale
        self.timeBase = timeBase
        tolerance = timeBase.ticks(1, at: timescale) + 1
        let skipTicks = timeBase.sourceTicks(leadingSkip, at: timescale)
        origin = timeBase.ticks(firstPTS &+ skipTicks, at: timescale) &- leadingSkip
    }

    /// The position of a packet, in ticks on the source's presentation axis.
    package func position(ofPTS pts: Int64) -> Int64 {
        let told = timeBase.ticks(pts, at: timescale)
        guard frameLength > 0 else { return told }
        let distance = told &- origin
        let half = frameLength / 2
        let frames = (distance >= 0 ? distance &+ half : distance &- half) / frameLength
        let snapped = origin &+ frames &* frameLength
        return (snapped &- told).magnitude <= UInt64(tolerance) ? snapped : told
    }
}

/// A container clock: each tick lasts `numerator / denominator` seconds.
package struct TickBase: Sendable, Equatable {
    package let numerator: Int32
    package let denominator: Int32

    /// A clock that is not one (zero or negative, as broken headers have it) counts in microseconds.
    package init(numerator: Int32, denominator: Int32) {
        let valid = numerator > 0 && denominator > 0
        self.numerator = valid ? numerator : 1
        self.denominator = valid ? denominator : 1_000_000
    }

    /// Whether a tick is too long to tell frames' places apart by: a millisecond clock, or coarser.
    package var isCoarse: Bool { Int64(denominator) <= 2000 * Int64(numerator) }

    /// Container ticks in another timescale, to the nearest.
    package func ticks(_ value: Int64, at timescale: Int32) -> Int64 {
        let (wide, overflow) = value.multipliedReportingOverflow(by: Int64(numerator))
        return MediaTime.rescale(overflow ? (value < 0 ? .min : .max) : wide, from: denominator, to: timescale)
    }

    /// Ticks of `timescale` on this clock, to the nearest.
    package func sourceTicks(_ value: Int64, at timescale: Int32) -> Int64 {
        let scaled = MediaTime.rescale(value, from: timescale, to: denominator)
        let half = Int64(numerator) / 2
        return (scaled >= 0 ? scaled &+ half : scaled &- half) / Int64(numerator)
    }

    /// The time as one value; exact.
    package func time(_ value: Int64) -> MediaTime { MediaTime(ticks: ticks(value, at: denominator), timescale: denominator) }
}
