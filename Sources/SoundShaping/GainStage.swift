/// One gain for all channels, so that nothing moves: ridden ahead of the greatest sample of any of them.
struct GainStage: Sendable {
    /// The factor of what is not turned down.
    private let level: Double
    private var ride: GainRide
    private var delay: SampleDelay
    /// Answers still to come for samples before the first.
    private var skip: Int

    init(_ ride: GainRide, channels: Int, level: Double = 1) {
        self.level = level
        self.ride = ride
        delay = SampleDelay(channels: channels)
        skip = ride.lookAhead
    }

    var lookAhead: Int { ride.lookAhead }
    var memory: Int { ride.memory }

    /// - Parameter asked: How far a peak has to come down, in ``GainRide/unit``.
    @inline(__always) mutating func process(_ planes: [[Float]], asked: (Float) -> Int32) -> [[Float]] {
        let peaks = Self.peaks(of: planes)
        var gains: [Float] = []
        gains.reserveCapacity(peaks.count)
        for peak in peaks {
            let reduction = ride.next(asked(peak))
            if skip > 0 {
                skip -= 1
                continue
            }
            gains.append(Float(reduction == 0 ? level : level * Logarithm.power2(-Double(reduction) / Double(GainRide.unit))))
        }
        delay.append(planes)
        return Self.scaled(delay.take(gains.count), by: gains)
    }

    /// The greatest magnitude of each sample over all channels. What is no number counts as silence.
    private static func peaks(of planes: [[Float]]) -> [Float] {
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

    private static func scaled(_ planes: [[Float]], by gains: [Float]) -> [[Float]] {
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
