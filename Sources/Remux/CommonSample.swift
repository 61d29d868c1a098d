/// The first sample at or behind a place that lies on the samples of two clocks.
struct CommonSample {
    /// Samples of the first clock before it.
    let skip: Int64
    /// Where it is on the second.
    let position: Int64

    init(atOrAfter place: Int64, from rate: Int32, to other: Int32) {
        var (divisor, b) = (rate, other)
        while b != 0 { (divisor, b) = (b, divisor % b) }
        divisor = max(divisor, 1)
        let step = max(Int64(rate / divisor), 1), rest = place % step
        skip = rest == 0 ? 0 : rest > 0 ? step - rest : -rest
        position = (place + skip) / step * Int64(other / divisor)
    }
}
