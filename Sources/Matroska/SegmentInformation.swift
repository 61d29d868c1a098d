package import BitsAndTime

/// The clock of a Segment and, where declared, its length.
///
/// RFC 9559 §5.1.2.
package struct SegmentInformation: Sendable, Equatable {
    /// Nanoseconds a tick of every timestamp in the Segment; above zero. 1,000,000 when the file does not say.
    package let timestampScale: Int64
    /// In ticks, as written; nil when absent, zero, negative or not a number: a live muxer's placeholders are no lengths.
    package let durationTicks: Double?

    package init(timestampScale: Int64 = 1_000_000, durationTicks: Double? = nil) {
        self.timestampScale = max(1, timestampScale)
        self.durationTicks = durationTicks
    }

    /// Parses the payload of an Info element.
    ///
    /// - Throws: `.malformed` (a scale of zero or past `Int64` included), `.truncated`.
    package init(parsing payload: ArraySlice<UInt8>) throws(ParseError) {
        var scale: Int64 = 1_000_000
        var duration: Double?
        try Element.forEach(in: payload, context: "Info") { (element) throws(ParseError) in
            switch element.id {
            case .timestampScale:
                guard let value = Int64(exactly: try element.unsignedInteger()), value > 0 else {
                    throw ParseError(.malformed, at: 0, in: "TimestampScale", "zero or past 63 bits")
                }
                scale = value
            case .duration:
                let value = try element.float()
                duration = value.isFinite && value > 0 ? value : nil
            default: break
            }
        }
        timestampScale = scale
        durationTicks = duration
    }

    /// The declared length; nil when there is none or it does not fit.
    package var duration: MediaTime? {
        guard let durationTicks, durationTicks < 9.2e18 else { return nil }
        let whole = durationTicks.rounded()
        // Ticks of a millisecond are too coarse for lengths some muxers write with a fraction.
        if whole == durationTicks { return time(ticks: Int64(whole)) }
        let nanoseconds = durationTicks * Double(timestampScale)
        return nanoseconds < 9.2e18 ? MediaTime(ticks: Int64(nanoseconds.rounded()), timescale: 1_000_000_000) : nil
    }

    /// A timestamp of the Segment as a time on the source's presentation axis; exact. Nil when it does not fit.
    package func time(ticks: Int64) -> MediaTime? {
        let (rate, remainder) = Int64(1_000_000_000).quotientAndRemainder(dividingBy: timestampScale)
        if remainder == 0, let timescale = Int32(exactly: rate), timescale > 0 { return MediaTime(ticks: ticks, timescale: timescale) }
        let (nanoseconds, overflow) = ticks.multipliedReportingOverflow(by: timestampScale)
        return overflow ? nil : MediaTime(ticks: nanoseconds, timescale: 1_000_000_000)
    }
}
