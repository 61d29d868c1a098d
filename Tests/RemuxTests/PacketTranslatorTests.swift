import BitsAndTime
import Foundation
import Libav
import Testing

@testable import Remux

@Suite struct PacketTranslatorTests {
    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    /// Frames that lie in one block of Matroska, with one time for all and no duration, follow each other.
    @Test(.enabled(if: media != nil)) func lacedFramesWithoutADurationFollowEachOther() throws {
        let path = (Self.media ?? "") + "/matroska/music-metadata/matroska/alac-in-matroska-short.mka"
        let demuxer = try Demuxer(url: path)
        try demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first { $0.codecName == "alac" })
        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        let grid = SampleGrid(firstPTS: 0, leadingSkip: 0, frameLength: 4096, timescale: stream.sampleRate, timeBase: base)
        var translator = PacketTranslator(
            rendition: .audio(0), codec: .alac, timescale: stream.sampleRate, timeBase: base, framing: .passthrough, grid: grid)
        var positions: [Int64] = []
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == stream.index, case .audio(let sample)? = translator.sample(from: packet) else { continue }
            positions.append(sample.position)
        }
        #expect(positions.count > 20)
        #expect(positions == positions.indices.map { Int64($0) * 4096 })
    }

    /// A coarse clock's times are right to its tick, and some are wrong altogether: what most agree on is where the samples are.
    @Test func whatMostTimesAgreeOnIsBelieved() {
        #expect(ClockFit.agreed([], tolerance: 45) == 0)
        #expect(ClockFit.agreed([-20, 10, 30, -12], tolerance: 45) == 5)
        // The first of all is half a frame off, and three others are.
        #expect(ClockFit.agreed([900, -20, 10, 910, 5, 30, -12, -900], tolerance: 45) == 5)
        #expect(ClockFit.agreed([Int64.min / 4, Int64.max / 4, 7], tolerance: 0) == Int64.min / 4)
    }
}
