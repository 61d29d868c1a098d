/// How far a gain is turned down, sample by sample, from how far it has to be: at once or sooner, held, then let go evenly.
///
/// In whole numbers, 2⁻²⁰ of a doubling each, so that sums that run on are exact; and with an end to its memory: sample *n* follows from what is
/// asked from `n − memory` to `n + lookAhead` and from nothing else, so that two rides begun apart agree to the bit once both have
/// run as long as that. It is never less than asked.
///
/// - what is asked is spread by its greatest over `hold` before and `lookAhead` after: a tone, whose peaks are asked for one by one, asks evenly;
/// - it falls by `release` a sample at most;
/// - the mean of the last `lookAhead + 1` of that begins to rise `lookAhead` before what is asked and has risen when it comes.
struct GainRide: Sendable {
    /// A doubling.
    static let unit = Int32(1) << 20

    let lookAhead: Int
    /// The most that is ever asked.
    let limit: Int32
    private let window: Int
    private let release: Int32

    /// Candidates for the greatest: places rising, values falling.
    private var greatest: [(place: Int, value: Int32)] = []
    private var head = 0
    private var place = 0
    private var falling: Int32 = 0
    /// The last `lookAhead + 1` values, and their sum.
    private var recent: [Int32]
    private var slot = 0
    private var sum: Int64 = 0

    /// - Parameters:
    ///   - release: Decibels a second.
    ///   - limit: Decibels.
    init(sampleRate: Int, lookAheadMilliseconds: Int, holdMilliseconds: Int, release: Int, limit: Int) {
        lookAhead = max(sampleRate * lookAheadMilliseconds / 1000, 1)
        window = lookAhead + sampleRate * holdMilliseconds / 1000
        self.release = max(Int32(Double(release) / Logarithm.decibelsPerDoubling * Double(Self.unit) / Double(max(sampleRate, 1))), 1)
        self.limit = Int32(Double(limit) / Logarithm.decibelsPerDoubling * Double(Self.unit))
        recent = [Int32](repeating: 0, count: lookAhead + 1)
    }

    /// Samples of the past that matter.
    var memory: Int { window + lookAhead + Int(limit / release) + 1 }

    /// - Parameter asked: For the sample `lookAhead` after the one that is answered for.
    /// - Returns: For that one; the first `lookAhead` answers are for samples before the first.
    @inline(__always) mutating func next(_ asked: Int32) -> Int32 {
        let asked = min(max(asked, 0), limit)
        if asked > 0 || head < greatest.count {
            while greatest.count > head, greatest[greatest.count - 1].value <= asked { greatest.removeLast() }
            greatest.append((place, asked))
            if greatest[head].place < place - window { head += 1 }
            if head > 4096 {
                greatest.removeFirst(head)
                head = 0
            }
        }
        place += 1
        falling = max(head < greatest.count ? greatest[head].value : 0, falling - release, 0)
        sum += Int64(falling - recent[slot])
        recent[slot] = falling
        slot = slot == lookAhead ? 0 : slot + 1
        guard sum > 0 else { return 0 }
        return Int32((sum + Int64(lookAhead)) / Int64(lookAhead + 1))
    }
}
