import BitsAndTime
import Testing

@Suite struct MediaTimeTests {
    @Test func comparesExactlyAcrossTimescales() {
        #expect(MediaTime(ticks: 1001, timescale: 24000) < MediaTime(ticks: 42, timescale: 1000))
        #expect(MediaTime(ticks: 90000, timescale: 90000) == MediaTime(ticks: 1, timescale: 1))
        #expect(MediaTime(ticks: .max, timescale: 1) > MediaTime(ticks: .max, timescale: 2))
        #expect(MediaTime(ticks: .min, timescale: 1) < MediaTime(ticks: .min, timescale: 2))
    }

    @Test func equalTimesHashEqual() {
        #expect(Set([MediaTime(ticks: 2, timescale: 4), MediaTime(ticks: 1, timescale: 2), MediaTime(ticks: 0, timescale: 7), .zero]).count == 2)
    }

    @Test(arguments: [(1, 3, 2, 1), (-1, 3, 2, -1), (1, 2, 1, 1), (-1, 2, 1, -1), (333, 1000, 90000, 29970)] as [(Int64, Int32, Int32, Int64)])
    func rescaleRoundsToNearestHalvesAwayFromZero(ticks: Int64, from: Int32, to: Int32, want: Int64) {
        #expect(MediaTime.rescale(ticks, from: from, to: to) == want)
    }

    @Test func rescaleSaturatesInsteadOfTrapping() {
        #expect(MediaTime.rescale(.max, from: 1, to: 90000) == .max)
        #expect(MediaTime.rescale(.min, from: 1, to: 90000) == .min)
        #expect(MediaTime(ticks: .max, timescale: 1) + MediaTime(ticks: 1, timescale: 1) == MediaTime(ticks: .max, timescale: 1))
        #expect(MediaTime(seconds: .infinity, timescale: 10).ticks == .max)
        #expect(MediaTime(seconds: .nan, timescale: 10).ticks == 0)
    }
}
