import Remux
import TestSupport
import Testing

@Suite struct SampleGridTests {
    static let milliseconds = TickBase(numerator: 1, denominator: 1000)

    @Test(arguments: [(48_000, 1024), (44_100, 1024), (48_000, 1536), (32_000, 256), (96_000, 4096)] as [(Int32, Int64)])
    func framesOfAMillisecondClockLieOnTheSampleGrid(rate: Int32, length: Int64) {
        for first: Int64 in [0, 21, 5003] {
            let grid = SampleGrid(firstPTS: first, leadingSkip: 0, frameLength: length, timescale: rate, timeBase: Self.milliseconds)
            for n in stride(from: Int64(0), through: 400_000, by: 997) {
                let exact = grid.origin + n * length
                // As a muxer writes it: rounded to the millisecond from its own start.
                let written = first + Int64((Double(n * length) * 1000 / Double(rate)).rounded())
                #expect(grid.position(ofPTS: written) == exact)
            }
        }
    }

    @Test func aGapIsTakenAtItsWord() {
        let grid = SampleGrid(firstPTS: 0, leadingSkip: 0, frameLength: 1024, timescale: 48_000, timeBase: Self.milliseconds)
        #expect(grid.position(ofPTS: 10) == 480)
        #expect(grid.position(ofPTS: 1_000_010) == 48_000_480)
    }

    @Test func primingIsExactThoughItsTimeWasRounded() {
        // 1024 samples before time zero, written as -21 ms.
        let grid = SampleGrid(firstPTS: -21, leadingSkip: 1024, frameLength: 1024, timescale: 48_000, timeBase: Self.milliseconds)
        #expect(grid.origin == -1024)
        #expect(grid.position(ofPTS: 0) == 0)
    }

    @Test func theRuleLooksAtOnePacketAtATime() {
        var random = SeededRandom(seed: 11)
        let grid = SampleGrid(firstPTS: 7, leadingSkip: 0, frameLength: 1536, timescale: 48_000, timeBase: TickBase(numerator: 1, denominator: 90_000))
        let times = (0..<500).map { _ in Int64.random(in: -1000...9_000_000, using: &random) }
        let forward = times.map(grid.position)
        let backward: [Int64] = times.reversed().map(grid.position).reversed()
        #expect(forward == backward)
    }

    @Test func ticksConvertToTheNearest() {
        let ntsc = TickBase(numerator: 1001, denominator: 30_000)
        #expect(ntsc.ticks(30, at: 90_000) == 90_090)
        #expect(ntsc.sourceTicks(90_090, at: 90_000) == 30)
        #expect(TickBase(numerator: 0, denominator: 0).denominator == 1_000_000)
        #expect(TickBase(numerator: 1, denominator: 1).ticks(.max, at: 90_000) == .max)
    }
}
