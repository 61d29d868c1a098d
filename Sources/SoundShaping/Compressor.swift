/// Makes what is loud quieter and then all louder: one gain for all channels, so that nothing moves.
///
/// The law, in decibels of full scale for the greatest sample of any channel within 30 ms: below the threshold `out = in + makeUp`, above it
/// `out = threshold + (in − threshold) ÷ ratio + makeUp`.
struct Compressor: Sendable {
    private let threshold: Float
    private let logThreshold: Double
    private let slope: Double
    private var stage: GainStage

    init(_ law: Shaping.Compression, sampleRate: Int, channels: Int) {
        let amplitude = Logarithm.amplitude(decibels: law.threshold)
        threshold = Float(amplitude)
        logThreshold = Logarithm.base2(amplitude)
        slope = 1 - 1 / max(law.ratio, 1)
        // Half a period of 20 Hz and more is held, so that no tone is bent; film sound breathes back within half a second.
        stage = GainStage(
            GainRide(sampleRate: sampleRate, lookAheadMilliseconds: 20, holdMilliseconds: 30, release: 40, limit: 30), channels: channels,
            level: Logarithm.amplitude(decibels: law.makeUp))
    }

    var lookAhead: Int { stage.lookAhead }
    var memory: Int { stage.memory }

    mutating func process(_ planes: [[Float]]) -> [[Float]] {
        let (threshold, logThreshold, slope) = (threshold, logThreshold, slope)
        return stage.process(planes) { peak in
            peak > threshold ? Int32(min((Logarithm.base2(Double(peak)) - logThreshold) * slope, 1000) * Double(GainRide.unit)) : 0
        }
    }
}
