import BitsAndTime
import HLS
import Testing
import TestSupport

struct DecimalSecondsTests {
    @Test(arguments: [
        (MediaTime(ticks: 6, timescale: 1), "6.000"), (MediaTime(ticks: 1001, timescale: 24_000), "0.041708"), (MediaTime(ticks: 1, timescale: 3), "0.333333"),
        (MediaTime(ticks: 2, timescale: 3), "0.666667"), (MediaTime(ticks: 1, timescale: 2_000_000), "0.000001"), (MediaTime(ticks: 1, timescale: 4_000_000), "0.000"),
        (MediaTime(ticks: 59_999_999, timescale: 10_000_000), "6.000"), (MediaTime(ticks: 5_999_999, timescale: 1_000_000), "5.999999"),
        (MediaTime(ticks: -3, timescale: 2), "-1.500"), (MediaTime(ticks: -1, timescale: 10_000_000), "0.000"), (MediaTime(ticks: 0, timescale: 90_000), "0.000"),
        (MediaTime(ticks: 6_006_000, timescale: 1_000_000), "6.006"), (MediaTime(ticks: 359_999_990_000, timescale: 1_000_000), "359999.990"),
    ])
    func text(time: MediaTime, text: String) { #expect(DecimalSeconds.text(time) == text) }

    @Test func whatIsWrittenReads() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let time = MediaTime(ticks: Int64.random(in: 0...10_000_000_000, using: &random), timescale: [1, 1000, 24_000, 44_100, 90_000, 1_000_000].randomElement(using: &random) ?? 1)
            let read = try #require(DecimalSeconds.time(DecimalSeconds.text(time)))
            #expect(read == time.converted(to: 1_000_000))
        }
    }

    @Test func whatIsNoDecimalIsRefused() {
        for text in ["", ".", "1.", ".5", "-1", "-0.5", "+1", "1.5s", "1,5", "1e3", "nan", "1.2.3", " 1", "0x1", "9223372036854775807.5", "99999999999999999999", "1.123456789x", "１"] {
            #expect(DecimalSeconds.time(text) == nil, "\(text)")
        }
        #expect(DecimalSeconds.time("10") == MediaTime(ticks: 10, timescale: 1))
        #expect(DecimalSeconds.time("0.5") == MediaTime(ticks: 1, timescale: 2))
        #expect(DecimalSeconds.time("1.1234567899") == MediaTime(ticks: 1_123_456_789, timescale: 1_000_000_000))
    }
}
