/// Keeps every sample of every channel at or below a ceiling by turning all channels down together before one exceeds it.
///
/// The ceiling is for samples, not for the wave between them (which may rise above it by a fraction of a decibel; −1 dBFS leaves
/// room for that). What stays below it passes bit for bit. More than 48 dB too loud is cut off at the ceiling.
struct Limiter: Sendable {
    /// dBFS.
    static let ceiling = -1.0

    private let ceiling: Float
    private let logCeiling: Double
    private var ride: GainRide
    private var delay: SampleDelay
    private var skip: Int

    init(sampleRate: Int, channels: Int) {
        let amplitude = Logarithm.amplitude(decibels: Self.ceiling)
        ceiling = Float(amplitude).nextDown
        logCeiling = Logarithm.base2(Double(ceiling))
        ride = GainRide(sampleRate: sampleRate, lookAheadMilliseconds: 5, holdMilliseconds: 25, release: 120, limit: 48)
        delay = SampleDelay(channels: channels)
        skip = ride.lookAhead
    }

    var lookAhead: Int { ride.lookAhead }
    var memory: Int { ride.memory }

    mutating func process(_ planes: [[Float]]) -> [[Float]] {
        let peaks = Peaks.of(planes)
        var gains: [Float] = []
        gains.reserveCapacity(peaks.count)
        for peak in peaks {
            var asked: Int32 = 0
            // A hair more than needed, for the rounding of the product.
            if peak > ceiling { asked = Int32(min(Logarithm.base2(Double(peak)) - logCeiling, 1000) * Double(GainRide.unit)) + 1 }
            let reduction = ride.next(asked)
            if skip > 0 {
                skip -= 1
                continue
            }
            gains.append(reduction == 0 ? 1 : Float(Logarithm.power2(-Double(reduction) / Double(GainRide.unit))))
        }
        delay.append(planes)
        return Peaks.scaled(delay.take(gains.count), by: gains).map { plane in
            var plane = plane
            plane.withUnsafeMutableBufferPointer { plane in
                var i = 0
                while i < plane.count {
                    let sample = plane[i]
                    // Not a number is nothing to hear.
                    if !(abs(sample) <= ceiling) { plane[i] = sample > 0 ? ceiling : sample < 0 ? -ceiling : 0 }
                    i += 1
                }
            }
            return plane
        }
    }
}
