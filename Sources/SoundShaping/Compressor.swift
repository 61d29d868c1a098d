/// Makes what is loud quieter and then all louder: one gain for all channels, so that nothing moves.
///
/// The law, in decibels of full scale for the greatest sample of any channel within 30 ms: below the threshold `out = in + makeUp`, above it
/// `out = threshold + (in − threshold) ÷ ratio + makeUp`.
struct Compressor: Sendable {
    private let threshold: Float
    private let logThreshold: Double
    private let slope: Double
    private let makeUp: Double
    private var ride: GainRide
    private var delay: SampleDelay
    private var skip: Int

    init(_ law: Shaping.Compression, sampleRate: Int, channels: Int) {
        let amplitude = Logarithm.amplitude(decibels: law.threshold)
        threshold = Float(amplitude)
        logThreshold = Logarithm.base2(amplitude)
        slope = 1 - 1 / max(law.ratio, 1)
        makeUp = Logarithm.amplitude(decibels: law.makeUp)
        // Half a period of 20 Hz and more is held, so that no tone is bent; film sound breathes back within half a second.
        ride = GainRide(sampleRate: sampleRate, lookAheadMilliseconds: 20, holdMilliseconds: 30, release: 40, limit: 30)
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
            if peak > threshold { asked = Int32(min((Logarithm.base2(Double(peak)) - logThreshold) * slope, 1000) * Double(GainRide.unit)) }
            let reduction = ride.next(asked)
            if skip > 0 {
                skip -= 1
                continue
            }
            gains.append(Float(reduction == 0 ? makeUp : makeUp * Logarithm.power2(-Double(reduction) / Double(GainRide.unit))))
        }
        delay.append(planes)
        return Peaks.scaled(delay.take(gains.count), by: gains)
    }
}

/// What stages with one gain for all channels have in common.
enum Peaks {
    /// The greatest magnitude of each sample over all channels. What is no number counts as silence.
    static func of(_ planes: [[Float]]) -> [Float] {
        let count = planes.first?.count ?? 0
        return [Float](unsafeUninitializedCapacity: count) { peaks, filled in
            peaks.update(repeating: 0)
            for plane in planes {
                plane.withUnsafeBufferPointer { plane in
                    var i = 0
                    while i < count {
                        let magnitude = abs(plane[i])
                        if magnitude > peaks[i] { peaks[i] = min(magnitude, .greatestFiniteMagnitude) }
                        i += 1
                    }
                }
            }
            filled = count
        }
    }

    static func scaled(_ planes: [[Float]], by gains: [Float]) -> [[Float]] {
        planes.map { plane in
            var plane = plane
            plane.withUnsafeMutableBufferPointer { plane in
                gains.withUnsafeBufferPointer { gains in
                    var i = 0
                    while i < gains.count {
                        plane[i] *= gains[i]
                        i += 1
                    }
                }
            }
            return plane
        }
    }
}
