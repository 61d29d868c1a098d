import Testing

@testable import SoundShaping

/// What must hold of sums of channels, whatever is done to each.
@Suite struct ShapingSumTests {
    private func noises(_ count: Int) -> [[Float]] { [Sound.noise(count, seed: 11, amplitude: 0.1), Sound.noise(count, seed: 12, amplitude: 0.1)] }

    /// The centre is taken from both sides alike, so it cannot be in their difference.
    @Test func whatDiffersBetweenTheSidesGetsTheBedsGainAlone() {
        let planes = noises(24_000)
        let output = Sound.shaped(planes, Shaping(dialogueGain: 6, bedGain: -6), from: .stereo)
        let bed = Float(Logarithm.amplitude(decibels: -6))
        var worst: Float = 0
        for i in 0..<24_000 { worst = max(worst, abs((output[0][i] - output[1][i]) - bed * (planes[0][i] - planes[1][i]))) }
        #expect(worst < 1e-5)
    }

    /// Mono by way of stereo is mono.
    @Test func mixingDownInTwoStepsIsMixingDownInOne() {
        let sources: [Speakers] = [.fiveOne, .sevenOne, .sixOne, .quad, [.frontLeft, .frontRight, .centre, .backCentre]]
        for source in sources {
            let planes = source.each.indices.map { Sound.noise(100, seed: UInt64($0 + 1), amplitude: 0.1) }
            let direct = ChannelFold(from: source, to: .mono).mix(planes)[0]
            let stepped = ChannelFold(from: .stereo, to: .mono).mix(ChannelFold(from: source, to: .stereo).mix(planes))[0]
            for i in 0..<100 { #expect(abs(direct[i] - stepped[i]) < 1e-5) }
        }
    }

    /// Several voices at once over wide music of many tones: raised against it, and what is between the frames is not torn.
    @Test func speechLikeSoundIsRaisedAgainstWideMusic() {
        let count = 96_000
        var sides = [[Float]](repeating: [Float](repeating: 0, count: count), count: 2)
        for (number, hertz) in [220.0, 277, 330, 440, 554, 660, 880, 1109, 1320].enumerated() {
            // Each tone on one side, the next on the other.
            let tone = Sound.tone(hertz, amplitude: 0.03, count: count)
            for i in 0..<count { sides[number % 2][i] += tone[i] }
        }
        let voices = [310.0, 620, 930, 1240, 2480].map { Sound.tone($0, amplitude: 0.03, count: count) }
        for voice in voices { for i in 0..<count { for side in 0..<2 { sides[side][i] += voice[i] } } }
        let output = Sound.shaped(sides, Shaping(dialogueGain: 6), from: .stereo)
        func moved(_ hertz: Double, _ side: Int) -> Double {
            Sound.level(output[side][24_000..<72_000], hertz: hertz) - Sound.level(sides[side][24_000..<72_000], hertz: hertz)
        }
        let speech = moved(2480, 0), music = moved(440, 1)
        #expect(speech > 5.5 && speech < 6.1)
        #expect(speech - music > 5)
    }
}
