import Foundation
import TestSupport

@testable import SoundShaping

/// Samples made for a test, and what is measured of those that come back.
enum Sound {
    static let rate = 48_000

    static func tone(_ hertz: Double, amplitude: Double = 1, count: Int, rate: Int = Sound.rate) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / Double(rate))) }
    }

    static func noise(_ count: Int, seed: UInt64, amplitude: Float = 1) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in amplitude * (Float(random.next() >> 40) / Float(1 << 23) - 1) }
    }

    static func impulse(at place: Int, of amplitude: Float = 0.5, count: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        samples[place] = amplitude
        return samples
    }

    /// All of it, with the silence behind that the look-ahead asks for.
    static func shaped(_ planes: [[Float]], by shaper: SoundShaper, block: Int = 1536) -> [[Float]] {
        var shaper = shaper
        let count = planes[0].count
        let padded = planes.map { $0 + [Float](repeating: 0, count: shaper.lookAhead) }
        var output = [[Float]](repeating: [], count: shaper.target.count)
        for start in stride(from: 0, to: padded[0].count, by: block) {
            let more = shaper.process(padded.map { Array($0[start..<min(start + block, $0.count)]) })
            for channel in output.indices { output[channel] += more[channel] }
        }
        precondition(output.allSatisfy { $0.count == count })
        return output
    }

    static func shaped(_ planes: [[Float]], _ shaping: Shaping, from source: Speakers, to target: Speakers? = nil, rate: Int = Sound.rate) -> [[Float]] {
        shaped(planes, by: SoundShaper(shaping, sampleRate: rate, from: source, to: target ?? shaping.speakers(of: source), at: 0))
    }

    /// dB of full scale of a tone.
    static func level(_ samples: some Collection<Float>, hertz: Double, rate: Int = Sound.rate) -> Double {
        var (re, im) = (0.0, 0.0)
        for (i, sample) in samples.enumerated() {
            let phase = 2 * Double.pi * hertz * Double(i) / Double(rate)
            re += Double(sample) * cos(phase)
            im += Double(sample) * sin(phase)
        }
        return 20 * log10(max(2 * (re * re + im * im).squareRoot() / Double(samples.count), 1e-12))
    }

    /// dB of the root of the mean square.
    static func power(_ samples: some Collection<Float>) -> Double {
        10 * log10(max(samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count), 1e-24))
    }
}

extension Speakers {
    static let fiveOne: Speakers = [.frontLeft, .frontRight, .centre, .lowFrequency, .sideLeft, .sideRight]
    static let fiveOneBack: Speakers = [.frontLeft, .frontRight, .centre, .lowFrequency, .backLeft, .backRight]
    static let sevenOne = fiveOne.union([.backLeft, .backRight])
    static let sixOne = fiveOne.union(.backCentre)
    static let quad: Speakers = [.frontLeft, .frontRight, .backLeft, .backRight]
}
