import Foundation
import PrismCore
import TestSupport
import Testing

/// The bridge to AAC, for players that take no E-AC-3: the same laws as for the others.
@Suite(.fewAtATime) struct AACBridgeTests {
    /// AAC and nothing else, in every channel configuration.
    private static let options: PrismCoreSession.Options = {
        var player = PlayerCapabilities.browser(.free)
        player.audio = [.aac: .init(maximumChannels: 8, maximumSampleRate: 48_000)]
        return .init(capabilities: player)
    }()

    @Test(arguments: [
        ("film.mkv", "-c:a libmp3lame -b:a 320k", 2), ("mono.mkv", "-c:a libmp3lame -b:a 192k", 1), ("film.mkv", "-c:a libopus -b:a 256k", 2), ("film.mkv", "-c:a pcm_s16le", 2),
        ("film.ts", "-c:a mp2 -b:a 384k", 2), ("film.mkv", "-c:a flac", 2), ("surround.mkv", "-c:a eac3 -b:a 1024k -af aformat=channel_layouts=5.1(side)", 6),
        ("surround.mkv", "-c:a dca -strict -2 -b:a 1509k -af aformat=channel_layouts=5.1(side)", 6), ("surround.mkv", "-c:a pcm_s16le -af aformat=channel_layouts=5.1", 6),
    ])
    func everySampleIsAtItsPlaceFromTheHeadAndAcrossJoins(name: String, codec: String, channels: Int) async throws {
        try await AudioBridgeTests().everySampleIsAtItsPlace(name: name, codec: codec, channels: channels, becomes: "mp4a.40.2", options: Self.options)
    }

    @Test(arguments: ["mono", "stereo", "2.1", "3.0", "3.1", "4.0", "quad", "5.0", "5.0(side)", "5.1", "5.1(side)", "6.1", "7.1"])
    func eachToneLandsOnItsSpeaker(layout: String) async throws {
        try await AudioBridgeTests().eachToneLands(layout: layout, options: Self.options)
    }

    @Test(arguments: [("order.mkv", "-c:a:0 libmp3lame -c:a:1 pcm_s16le"), ("order.mkv", "-c:a:0 dca -c:a:1 eac3 -strict -2 -filter:a aformat=channel_layouts=5.1(side)"), ("order.ts", "-c:a:0 mp2 -c:a:1 ac3")])
    func bytesDoNotDependOnOrderParallelismEvictionOrSession(name: String, codecs: String) async throws {
        let fixture = try FFmpegFixture()
        try await DeterminismTests.orderDoesNotMatter(
            try await fixture.make(name, "\(DeterminismTests.film) -t 32 -c:v libx264 -preset ultrafast -bf 2 -g 24 \(codecs)"), options: Self.options)
    }

    /// A tone goes on through the joins as it does between them: what an encoder remembers of another past would be heard there as a click.
    @Test func aToneHasNoClickWhereSegmentsJoin() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "tone.mkv", "\(AudioBridgeTests.picture) -f lavfi -i sine=997:r=48000:d=20 -map 0 -map 1 \(AudioBridgeTests.pictureCodec) -c:a pcm_s16le")
        try await ServedMedia.serve(url, options: Self.options) { served in
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1]))
            let reference = (0..<20 * 48_000).map { Float(0.125 * sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
            let own = heard.window(0, at: 0, count: reference.count)
            // From the very first sample on: the frame before it is served, too.
            let errors = zip(own, reference).map { abs($0 - $1) }
            let worst = errors.indices.max { errors[$0] < errors[$1] } ?? 0
            // 50 dB below the tone; 30 where it begins and ends all at once.
            let later = errors.indices.dropFirst(4096).dropLast(1024).max { errors[$0] < errors[$1] } ?? 0
            #expect(errors[worst] < 0.004 && errors[later] < 0.0004, "\(errors[worst]) at \(worst), \(errors[later]) at \(later)")
        }
    }

    @Test(arguments: [(96_000, 48_000), (88_200, 44_100), (44_100, 44_100), (22_050, 22_050), (8000, 8000)]) func theRateIsOneThatDecodersTake(rate: Int, served: Int) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "rate.mkv", "\(AudioBridgeTests.picture) -f lavfi -i sine=997:r=\(rate):d=20 -map 0 -map 1 \(AudioBridgeTests.pictureCodec) -c:a pcm_s16le")
        try await ServedMedia.serve(url, options: Self.options) { media in
            let heard = try HeardSound(bytes: try await media.bytes(media.presentation.renditions[1]))
            #expect(heard.sampleRate == served)
            #expect(heard.level(of: 997, channel: 0, at: 5 * served, count: served) > 0.1)
        }
    }
}
