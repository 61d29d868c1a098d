internal import Libav

/// Places a stretch of samples whose frames differ in length by a clock too coarse to place one of them.
///
/// Each told time is right to the clock's resolution; the sample count between frames is exact. Every frame therefore narrows down where the
/// stretch begins, and a second of frames narrows it to about a sample.
struct ClockFit {
    private(set) var frames: [(frame: Frame, position: Int64, count: Int64)] = []
    private let length: Int64
    private let tolerance: Int64
    /// What each told time says the positions are off by.
    private var shifts: [Int64] = []

    /// - Parameter length: Samples to wait for.
    init(length: Int64, tolerance: Int64) {
        self.length = length
        self.tolerance = max(tolerance, 0)
    }

    /// - Parameters:
    ///   - position: Where counting from the first frame puts it.
    ///   - told: Where the container does.
    mutating func append(_ frame: Frame, position: Int64, told: Int64?, count: Int64) {
        frames.append((frame, position, count))
        if let told { shifts.append(told &- position) }
    }

    var isSettled: Bool {
        guard let first = frames.first, let last = frames.last else { return false }
        return last.position + last.count - first.position >= length
    }

    /// What to add to the positions: the middle of what the most told times agree on. One that contradicts the others is an error of the
    /// author's, not of the clock, be it the first.
    var shift: Int64 { Self.agreed(shifts, tolerance: tolerance) }

    /// The middle of where the most of `shifts` lie within `tolerance`, the lowest such place; 0 for none.
    static func agreed(_ shifts: [Int64], tolerance: Int64) -> Int64 {
        let sorted = shifts.sorted()
        var best = (count: 0, first: 0, last: 0)
        var last = 0
        for first in sorted.indices {
            while last + 1 < sorted.count, sorted[last + 1] &- sorted[first] <= 2 * tolerance { last += 1 }
            if last - first + 1 > best.count { best = (last - first + 1, first, last) }
        }
        guard best.count > 0 else { return 0 }
        // Each of them is within the tolerance of what is true: so is this from the one and from the other end.
        return (sorted[best.first] &+ sorted[best.last]) >> 1
    }
}
