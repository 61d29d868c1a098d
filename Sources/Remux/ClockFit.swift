internal import Libav

/// Places a stretch of samples whose frames differ in length by a clock too coarse to place one of them.
///
/// Each told time is right to the clock's resolution; the sample count between frames is exact. Every frame therefore narrows down where the
/// stretch begins, and a second of frames narrows it to about a sample.
struct ClockFit {
    private(set) var frames: [(frame: Frame, position: Int64, count: Int64)] = []
    private let length: Int64
    private let tolerance: Int64
    private var low = Int64.min / 4
    private var high = Int64.max / 4

    /// - Parameter length: Samples to wait for.
    init(length: Int64, tolerance: Int64) {
        self.length = length
        self.tolerance = tolerance
    }

    /// - Parameters:
    ///   - position: Where counting from the first frame puts it.
    ///   - told: Where the container does.
    mutating func append(_ frame: Frame, position: Int64, told: Int64?, count: Int64) {
        frames.append((frame, position, count))
        guard let told else { return }
        let (least, most) = (told &- tolerance &- position, told &+ tolerance &- position)
        // A time that contradicts the others is an error of the author's, not of the clock.
        guard least <= high, most >= low else { return }
        low = max(low, least)
        high = min(high, most)
    }

    var isSettled: Bool {
        guard let first = frames.first, let last = frames.last else { return false }
        return last.position + last.count - first.position >= length
    }

    /// What to add to the positions.
    var shift: Int64 { high - low > 4 * tolerance ? 0 : low + (high - low) / 2 }
}
