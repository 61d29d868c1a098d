/// Keeps every sample of every channel at or below a ceiling by turning all channels down together before one exceeds it.
///
/// The ceiling is for samples, not for the wave between them (which may rise above it by a fraction of a decibel; −1 dBFS leaves
/// room for that). What stays below it passes bit for bit. More than 48 dB too loud is cut off at the ceiling.
struct Limiter: Sendable {
    /// dBFS.
    static let ceiling = -1.0

    private let ceiling: Float
    private let logCeiling: Double
    private var stage: GainStage

    init(sampleRate: Int, channels: Int) {
        let amplitude = Logarithm.amplitude(decibels: Self.ceiling)
        ceiling = Float(amplitude).nextDown
        logCeiling = Logarithm.base2(Double(ceiling))
        stage = GainStage(GainRide(sampleRate: sampleRate, lookAheadMilliseconds: 5, holdMilliseconds: 25, release: 120, limit: 48), channels: channels)
    }

    var lookAhead: Int { stage.lookAhead }
    var memory: Int { stage.memory }

    mutating func process(_ planes: [[Float]]) -> [[Float]] {
        let (ceiling, logCeiling) = (ceiling, logCeiling)
        return stage.process(planes) { peak in
            // A hair more than needed, for the rounding of the product.
            peak > ceiling ? Int32(min(Logarithm.base2(Double(peak)) - logCeiling, 1000) * Double(GainRide.unit)) + 1 : 0
        }.map { plane in
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
