import Foundation
import TestSupport
import Testing

@testable import SoundShaping

/// What holds for every shaping there is.
@Suite struct SoundShaperTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let shaping: Shaping
        let source: Speakers
    }

    static let cases = [
        Case(description: "boost of 5.1", shaping: Shaping(bedGain: -6), source: .fiveOne),
        Case(description: "lift of 5.1", shaping: Shaping(dialogueGain: 9), source: .fiveOne),
        Case(description: "fold of 7.1", shaping: Shaping(maximumChannels: 2), source: .sevenOne),
        Case(description: "lift of stereo", shaping: Shaping(dialogueGain: 6), source: .stereo),
        Case(description: "boost of stereo", shaping: Shaping(bedGain: -12), source: .stereo),
        Case(description: "lift of quad", shaping: Shaping(dialogueGain: 6), source: .quad),
        Case(description: "night of mono", shaping: Shaping(compression: .night), source: .mono),
        Case(description: "everything of 5.1", shaping: Shaping(maximumChannels: 2, dialogueGain: 6, compression: .night), source: .fiveOne),
        Case(description: "everything of stereo", shaping: Shaping(maximumChannels: 1, dialogueGain: 12, bedGain: -6, compression: .night), source: .stereo),
    ]

    private func shaper(_ case: Case, at position: Int64 = 0, rate: Int = Sound.rate) -> SoundShaper {
        SoundShaper(`case`.shaping, sampleRate: rate, from: `case`.source, to: `case`.shaping.speakers(of: `case`.source), at: position)
    }

    private func noise(_ case: Case, _ count: Int, amplitude: Float = 0.7) -> [[Float]] {
        // Half of it in all channels alike, so that there is a centre to find.
        let common = Sound.noise(count, seed: 99, amplitude: amplitude / 2)
        return (0..<`case`.source.count).map { channel in zip(Sound.noise(count, seed: UInt64(channel + 1), amplitude: amplitude / 2), common).map { $0 + $1 } }
    }

    @Test(arguments: cases) func anImpulseComesOutWhereItWentIn(_ case: Case) {
        for place in [0, 1, 511, 512, 6000, 11_999] {
            let impulse = Sound.impulse(at: place, count: 12_000)
            // In the fronts alike, or in the one channel there is.
            let planes = `case`.source.each.map { [.frontLeft, .frontRight, .centre].contains($0) ? impulse : [Float](repeating: 0, count: 12_000) }
            for (channel, plane) in Sound.shaped(planes, by: shaper(`case`)).enumerated() where plane.contains(where: { abs($0) > 0.01 }) {
                let peak = plane.indices.max { abs(plane[$0]) < abs(plane[$1]) }
                #expect(peak == place, "channel \(channel)")
            }
        }
    }

    @Test(arguments: cases) func howSamplesAreCutIntoBlocksChangesNothing(_ case: Case) {
        let planes = noise(`case`, 9000)
        let whole = Sound.shaped(planes, by: shaper(`case`))
        for block in [1, 40, 997, 20_000] where block > 1 || `case`.source.count < 3 {
            #expect(Sound.shaped(planes, by: shaper(`case`), block: block) == whole, "blocks of \(block)")
        }
    }

    /// The law that bytes of a segment do not depend on where production began, to the bit.
    @Test(arguments: cases) func whereItBeganIsForgottenAfterItsMemory(_ case: Case) {
        var whole = shaper(`case`, at: 7)
        let memory = whole.memory
        let count = memory + 30_000
        // Loud and quiet, so that gains move all the time.
        let planes = noise(`case`, count, amplitude: 1.5).map { plane in
            plane.enumerated().map { ($0.offset / 7000) % 2 == 0 ? $0.element : $0.element * 0.02 }
        }
        let reference = whole.process(planes)
        for start in [1, 1000, 20_001] {
            var late = shaper(`case`, at: Int64(7 + start))
            let output = late.process(planes.map { Array($0[start...]) })
            for channel in reference.indices {
                #expect(output[channel].count > memory)
                #expect(Array(output[channel][memory...]) == Array(reference[channel][(start + memory)...]), "from \(start)")
            }
        }
    }

    @Test(arguments: cases) func silenceStaysSilence(_ case: Case) {
        let silence = [[Float]](repeating: [Float](repeating: 0, count: 5000), count: `case`.source.count)
        #expect(Sound.shaped(silence, by: shaper(`case`)).allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test(arguments: cases) func theSmallestNumbersAndThoseThatAreNoneHarmNothing(_ case: Case) {
        var planes = noise(`case`, 9000, amplitude: 1e-38)
        for channel in planes.indices {
            planes[channel][3000] = .nan
            planes[channel][3001] = .infinity
            planes[channel][3002] = -.infinity
            planes[channel][3003] = .greatestFiniteMagnitude
        }
        let shaper = shaper(`case`)
        let output = Sound.shaped(planes, by: shaper)
        guard shaper.lookAhead > 0 else { return }
        for plane in output { #expect(plane.allSatisfy { abs($0) <= 0.8913 }) }
    }

    @Test(arguments: cases) func worksAtEveryRate(_ case: Case) {
        for rate in [8000, 44_100, 96_000, 192_000] {
            var shaper = shaper(`case`, rate: rate)
            #expect(Double(shaper.memory) / Double(rate) < 1.7 && Double(shaper.lookAhead) / Double(rate) < 0.2)
            let planes = `case`.source.each.map { _ in Sound.tone(1000, amplitude: 0.1, count: rate / 2, rate: rate) }
            for plane in shaper.process(planes) { #expect(Sound.level(plane.suffix(rate / 10), hertz: 1000, rate: rate) > -34) }
        }
    }

    // MARK: Dialogue

    @Test(arguments: [3.0, 6, 9]) func aCentreIsRaisedBySoMuchWhereverItLands(_ gain: Double) {
        let count = 24_000
        let planes = Speakers.fiveOne.each.map { Sound.tone($0 == .centre ? 1000 : 2000, amplitude: 0.02, count: count) }
        for target in [Speakers.fiveOne, .stereo, .mono] {
            let plain = Sound.shaped(planes, Shaping(), from: .fiveOne, to: target)
            let lifted = Sound.shaped(planes, Shaping(dialogueGain: gain), from: .fiveOne, to: target)
            for channel in 0..<target.count where target.count < 3 || channel == 2 {
                #expect(abs(Sound.level(lifted[channel], hertz: 1000) - Sound.level(plain[channel], hertz: 1000) - gain) < 0.01)
            }
            #expect(abs(Sound.level(lifted[0], hertz: 2000) - Sound.level(plain[0], hertz: 2000)) < 0.01)
        }
    }

    @Test(arguments: [6.0, 12]) func aBoostLowersTheBedAndLeavesTheCentre(_ depth: Double) {
        let planes = Speakers.fiveOne.each.enumerated().map { Sound.tone(500 + 100 * Double($0.offset), amplitude: 0.5, count: 24_000) }
        let boosted = Sound.shaped(planes, Shaping(bedGain: -depth), from: .fiveOne)
        #expect(boosted[2] == planes[2], "to the bit")
        for channel in [0, 1, 3, 4, 5] {
            #expect(abs(Sound.level(boosted[channel], hertz: 500 + 100 * Double(channel)) - Sound.level(planes[channel], hertz: 500 + 100 * Double(channel)) + depth) < 0.01)
        }
    }

    /// A centred, gated tone over noise that differs between the sides.
    @Test(arguments: [3.0, 6, 9]) func dialogueWithoutACentreIsRaisedAgainstTheRest(_ gain: Double) {
        let count = 96_000
        let speech = Sound.tone(1000, amplitude: 0.1, count: count).enumerated().map { ($0.offset / 12_000) % 2 == 0 ? $0.element : 0 }
        let beds = [Sound.noise(count, seed: 1, amplitude: 0.05), Sound.noise(count, seed: 2, amplitude: 0.05)]
        let mix = beds.map { zip($0, speech).map { $0 + $1 } }
        func ratio(_ planes: [[Float]]) -> (tone: Double, bed: Double) {
            // Where the tone is; and where it is not, well away from its edges.
            (Sound.level(planes[0][27_000..<33_000], hertz: 1000), Sound.power(planes[0][39_000..<45_000]))
        }
        let plain = ratio(mix), lifted = ratio(Sound.shaped(mix, Shaping(dialogueGain: gain), from: .stereo))
        let moved = (lifted.tone - plain.tone) - (lifted.bed - plain.bed)
        #expect(moved > gain * 0.75 && moved < gain * 1.25, "\(moved)")
        let lowered = ratio(Sound.shaped(mix, Shaping(bedGain: -gain), from: .stereo))
        #expect(abs(lowered.tone - plain.tone) < 1)
        #expect(lowered.bed - plain.bed < -gain * 0.75)
    }

    @Test func whatStandsOnOneSideIsNoDialogue() {
        let silence = [Float](repeating: 0, count: 24_000)
        let tone = Sound.tone(1000, amplitude: 0.1, count: 24_000)
        let lifted = Sound.shaped([tone, silence], Shaping(dialogueGain: 12), from: .stereo)
        #expect(abs(Sound.level(lifted[0][8000..<16_000], hertz: 1000) - Sound.level(tone[8000..<16_000], hertz: 1000)) < 0.1)
        #expect(Sound.power(lifted[1]) < -90)
        let opposed = Sound.shaped([tone, tone.map { -$0 }], Shaping(dialogueGain: 12), from: .stereo)
        #expect(abs(Sound.level(opposed[0][8000..<16_000], hertz: 1000) - Sound.level(tone[8000..<16_000], hertz: 1000)) < 0.1)
        // Bass in the middle is none either.
        let bass = Sound.tone(40, amplitude: 0.1, count: 48_000)
        let below = Sound.shaped([bass, bass], Shaping(dialogueGain: 12), from: .stereo)
        #expect(abs(Sound.power(below[0][12_000..<36_000]) - Sound.power(bass[12_000..<36_000])) < 0.2)
    }

    @Test func whatOneChannelHoldsIsLeftAlone() {
        #expect(Shaping(dialogueGain: 6).isIdle(for: .mono))
        #expect(!Shaping(dialogueGain: 6).isIdle(for: .stereo))
        #expect(Shaping(maximumChannels: 6).isIdle(for: .fiveOne))
        #expect(!Shaping(maximumChannels: 2).isIdle(for: .fiveOne))
        #expect(Shaping(dialogueGain: .nan).isIdle(for: .fiveOne))
        #expect(!Shaping(compression: .night).isIdle(for: .mono))
    }

    // MARK: Dynamics

    /// −12.5, −17.5 and −30 dB by the law.
    @Test(arguments: [(0.0, -12.5), (-20, -17.5), (-40, -30), (-60, -50)]) func nightFollowsItsLaw(_ level: Double, _ expected: Double) {
        let tone = Sound.tone(1000, amplitude: pow(10, level / 20), count: 48_000)
        let output = Sound.shaped([tone, tone], Shaping(compression: .night), from: .stereo)
        #expect(abs(Sound.level(output[0][24_000..<43_200], hertz: 1000) - expected) < 0.1)
        #expect(output[0] == output[1])
    }

    @Test func aSteadyToneIsNotBent() {
        for hertz in [20.0, 50, 1000] {
            let tone = Sound.tone(hertz, amplitude: 2, count: 96_000)
            let output = Sound.shaped([tone], Shaping(maximumChannels: 1, compression: .night), from: .mono)[0][38_400..<86_400]
            let level = Sound.level(output, hertz: hertz)
            let rest = zip(output, output.indices).map { Double($0) - pow(10, level / 20) * sin(2 * .pi * hertz * Double($1) / 48_000) }
            let distortion = 10 * log10(rest.reduce(0) { $0 + $1 * $1 } / Double(rest.count)) - Sound.power(output)
            #expect(distortion < -60)
        }
    }

    @Test func nothingExceedsTheCeiling() {
        let ceiling = Float(pow(10, -1.0 / 20))
        var random = SeededRandom(seed: 5)
        for round in 0..<12 {
            let count = 20_000
            var planes = (0..<6).map { channel in Sound.noise(count, seed: UInt64(round * 6 + channel), amplitude: [0.3, 1, 4, 100][round % 4]) }
            // Bursts and single samples from silence, and full scale all at once.
            for _ in 0..<40 {
                let at = Int(random.next() % UInt64(count - 300)), length = [1, 2, 240, 300][Int(random.next() % 4)]
                let value = (random.next() & 1 == 0 ? 1 : -1) * Float(random.next() % 1000) / 100
                for channel in planes.indices { for i in at..<at + length { planes[channel][i] = value } }
            }
            for target in [Speakers.stereo, .mono, .fiveOne] {
                let output = Sound.shaped(planes, Shaping(dialogueGain: 12), from: .fiveOne, to: target)
                #expect(output.allSatisfy { $0.allSatisfy { abs($0) <= ceiling } })
            }
        }
    }

    @Test func whatIsBelowTheCeilingPassesToTheBit() {
        let planes = [Sound.noise(20_000, seed: 1, amplitude: 0.8), Sound.noise(20_000, seed: 2, amplitude: 0.8)]
        var limiter = Limiter(sampleRate: 48_000, channels: 2)
        let output = limiter.process(planes)
        #expect(output[0] == Array(planes[0].prefix(output[0].count)))
    }

    /// The gain itself is the click: it may not jump.
    @Test func aStepInLevelMakesNoClick() {
        let quiet = [Float](repeating: 0.05, count: 30_000), loud = [Float](repeating: 1, count: 10_000)
        let step = quiet + loud + quiet
        let output = Sound.shaped([step], Shaping(compression: .night), from: .mono)[0]
        for i in 1..<output.count where i != 30_000 && i != 40_000 {
            #expect(abs(output[i] / step[i] - output[i - 1] / step[i - 1]) < 0.02 * abs(output[i - 1] / step[i - 1]) + 1e-6, "at \(i)")
        }
    }
}
