package import BitsAndTime

/// Places audio frames to the sample, although the container may count in milliseconds.
///
/// Frame *n* of a stream whose frames all last `frameLength` samples starts at `origin + n · frameLength`. A container time
/// that agrees with that grid within its own clock's resolution *is* that grid position; one that does not (a gap, a recording
/// whose clock drifts) is taken at its word. The rule looks at one packet at a time: where reading began cannot change it.
package struct AudioGrid: Sendable, Equatable {
    /// Position of the stream's first frame, in samples.
    package let origin: Int64
    /// Samples a frame; 0 where frames differ in length, and every time is taken at its word.
    package let frameLength: Int64
    package let sampleRate: Int32
    /// How far a container time may lie from the grid: one tick of its clock, and one sample for its rounding.
    package let tolerance: Int64
    private let timeBase: TickBase

    /// - Parameters:
    ///   - firstPTS: The stream's first packet's time, in container ticks.
    ///   - leadingSkip: Samples the container says to drop from the stream's start (priming, pre-skip). Their length is exact
    ///     where the time that accounts for them was rounded, so the first audible sample, not the first frame, is what the
    ///     container's clock is believed about.
    package init(firstPTS: Int64, leadingSkip: Int64, frameLength: Int64, sampleRate: Int32, timeBase: TickBase) {
        self.frameLength = frameLength
        self.sampleRate = sampleRate
        self.timeBase = timeBase
        tolerance = timeBase.ticks(1, at: sampleRate) + 1
        let skipTicks = timeBase.sourceTicks(leadingSkip, at: sampleRate)
        origin = timeBase.ticks(firstPTS &+ skipTicks, at: sampleRate) &- leadingSkip
    }

    /// The position of a packet, in samples on the source's presentation axis.
    package func position(ofPTS pts: Int64) -> Int64 {
        let told = timeBase.ticks(pts, at: sampleRate)
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
