import Testing

@testable import SoundShaping

@Suite struct ChannelFoldTests {
    private static let half = Float(0.5.squareRoot())

    private static func rows(_ source: Speakers, _ target: Speakers) -> [[Float]] {
        ChannelFold(from: source, to: target).rows.map { $0.map { ($0 * 10_000).rounded() / 10_000 } }
    }

    /// ITU-R BS.775-3, Annex 4, Table 2: downward mixing of 3/2.
    @Test func mixesDownAsTheRecommendationSays() {
        let source: Speakers = [.frontLeft, .frontRight, .centre, .sideLeft, .sideRight]
        let h: Float = 0.7071
        #expect(Self.rows(source, .stereo) == [[1, 0, h, h, 0], [0, 1, h, 0, h]])
        #expect(Self.rows(source, .mono) == [[h, h, 1, 0.5, 0.5]])
        #expect(Self.rows(source, [.frontLeft, .frontRight, .centre]) == [[1, 0, 0, h, 0], [0, 1, 0, 0, h], [0, 0, 1, 0, 0]])
        #expect(Self.rows(source, [.frontLeft, .frontRight, .sideLeft, .sideRight]) == [[1, 0, h, 0, 0], [0, 1, h, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])
        #expect(Self.rows([.frontLeft, .frontRight, .centre, .backCentre], .stereo) == [[1, 0, h, 0.5], [0, 1, h, 0.5]])
        #expect(Self.rows([.frontLeft, .frontRight, .centre, .backCentre], .mono) == [[h, h, 1, h]])
        #expect(Self.rows(.stereo, .mono) == [[h, h]])
    }

    @Test func aSecondPairJoinsTheFirstAndTheLowestChannelGoesNowhere() {
        let h: Float = 0.7071
        #expect(
            Self.rows(.sevenOne, .fiveOne) == [
                [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, h, 0, 1, 0],
                [0, 0, 0, 0, 0, h, 0, 1],
            ])
        #expect(Self.rows(.fiveOneBack, .fiveOne)[4] == [0, 0, 0, 0, 1, 0])
        #expect(Self.rows(.sixOne, .fiveOne)[4] == [0, 0, 0, 0, h, 1, 0])
        #expect(Self.rows(.fiveOne, .stereo).allSatisfy { $0[3] == 0 })
    }

    @Test func aCapNeverAddsASpeakerAndNeverHasMoreThanItSays() {
        let layouts: [Speakers] = [
            .mono, .stereo, [.frontLeft, .frontRight, .lowFrequency], [.frontLeft, .frontRight, .centre], [.frontLeft, .frontRight, .centre, .backCentre],
            .quad, [.frontLeft, .frontRight, .sideLeft, .sideRight], [.frontLeft, .frontRight, .centre, .lowFrequency], .fiveOne, .fiveOneBack, .sixOne,
            .sevenOne, .sevenOne.union([.topFrontLeft, .topFrontRight, .topBackLeft, .topBackRight]), .fiveOne.union([.leftOfCentre, .rightOfCentre]),
        ]
        for source in layouts {
            for cap in 1...16 {
                let left = source.capped(at: cap)
                #expect(left.count <= cap)
                #expect(left.isSubset(of: source) || left == .mono, "\(source) at \(cap): \(left)")
                #expect(source.count > cap || left == source)
                // Whatever is heard somewhere (the low-frequency channel alone is not) is heard after it.
                let fold = ChannelFold(from: source, to: left)
                for (input, speaker) in source.each.enumerated() where speaker != .lowFrequency {
                    #expect(fold.rows.contains { $0[input] != 0 }, "\(speaker) of \(source) at \(cap)")
                }
            }
        }
        #expect(Speakers.fiveOne.capped(at: 2) == .stereo)
        #expect(Speakers.sevenOne.capped(at: 6) == .fiveOne)
        #expect(Speakers.quad.capped(at: 3) == .stereo)
        #expect(Speakers.fiveOneBack.capped(at: 5) == [.frontLeft, .frontRight, .centre, .backLeft, .backRight])
    }

    @Test func everyArrangementFoldsToEveryOther() {
        // No chain of stand-ins runs in a circle, and no gain is above one.
        for source in [UInt64(0x1_FFFF_FFFF_FFFF), 0x3F, 0x63F, 0x70F, 0xFF, 0x1_8000_0003] {
            for target in [UInt64(0x4), 0x3, 0x7, 0x33, 0x603, 0x3F, 0x60F, 0x63F, 0x70F, 0x8] {
                for row in ChannelFold(from: Speakers(rawValue: source), to: Speakers(rawValue: target)).rows {
                    #expect(row.allSatisfy { (0...1).contains($0) })
                }
            }
        }
    }
}
