import Foundation
import PrismCore
import SegmentVerification
import StreamValidation
import TestSupport
import Testing

/// What only some players take is copied for those and for nobody else.
@Suite(.fewAtATime) struct CopiedForTargetsTests {
    private static let browser = PrismCoreSession.Options(capabilities: .browser(.free))

    @Test(arguments: [("film.mkv", "-b:a 256k"), ("film.mp4", "-b:a 256k"), ("long.mkv", "-b:a 256k -frame_duration 60"), ("short.mkv", "-b:a 256k -frame_duration 10"), ("film.ts", "-b:a 256k")])
    func opusIsCopiedToTheSample(name: String, codec: String) async throws {
        let fixture = try FFmpegFixture()
        let noise = (0..<2).map { Noise(count: 20 * 48_000, seed: UInt64($0 + 1), smoothing: 4) }
        try Noise.wave(noise, rate: 48_000).write(to: fixture.url("noise.wav"))
        let url = try await fixture.make(
            name, "\(AudioBridgeTests.picture) -i {folder}/noise.wav -map 0:v -map 1:a \(AudioBridgeTests.pictureCodec) -c:a libopus \(codec)")
        try await ServedMedia.serve(url, options: Self.browser) { served in
            #expect(await served.session.audioTrackDeliveries.map(\.route).first.map { if case .copied = $0 { true } else { false } } ?? false)
            #expect(served.presentation.multivariant.variants.first?.codecs.contains("opus") ?? false)
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1]))
            // In a transport stream no header says how much of the start is the encoder's delay, and the clock begins somewhere.
            let delay = name.hasSuffix(".ts") ? noise[0].lag(of: heard, channel: 0, at: 5 * 48_000, around: heard.start, reach: 3000).samples : 0
            for seconds in [0.3, 1.9, 2, 2.02, 6.01, 8, 12.1, 19.5] {
                for channel in 0..<2 {
                    let found = noise[channel].lag(of: heard, channel: channel, at: Int(seconds * 48_000), around: delay)
                    #expect(abs(found.samples - delay) <= 1 && found.likeness > 0.9, "\(name) at \(seconds): \(found)")
                }
            }
        }
    }

    @Test func opusIsBridgedForAnAppleDevice() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", "\(FFmpegFixture.inputs()) -c:v libx264 -preset ultrafast -g 24 -c:a libopus")
        try await ServedMedia.serve(url) { served in
            guard case .bridged(_, "fLaC", 1, isDefault: true, reason: "opus is not taken by Apple's players") = await served.session.audioTrackDeliveries.first?.route else {
                Issue.record("\(await served.session.audioTrackDeliveries)")
                return
            }
        }
    }

    @Test(arguments: [("film.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24", "vp09.00.10.08"), ("film.mkv", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24 -auto-alt-ref 1 -lag-in-frames 16", "vp09.00.10.08"),
        ("film.mp4", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24", "vp09.00.10.08"),
        ("ten.webm", "-c:v libvpx-vp9 -profile:v 2 -pix_fmt yuv420p10le -deadline realtime -cpu-used 8 -g 24 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc", "vp09.02.10.10.01.09.16.09.00")])
    func vp9IsCopiedPictureByPicture(name: String, codec: String, string: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(name, "\(FFmpegFixture.inputs()) \(codec) -c:a libopus")
        try await ServedMedia.serve(url, options: Self.browser) { served in
            #expect(served.presentation.multivariant.variants.first?.codecs.first == string)
            if case .sequential(let why) = await served.session.planOrigin { Issue.record("\(why)") }
            let source = try await Reference(url, stream: 0).decoded
            let decoded = try DecodedFragment(bytes: try await served.bytes(served.presentation.renditions[0]))
            #expect(decoded.frames.map(\.hash) == source.frames.map(\.hash))
        }
    }

    @Test(arguments: ["film.webm"]) func vp9IsRefusedForAnAppleDevice(name: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(name, "\(FFmpegFixture.inputs()) -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24 -c:a libopus")
        let session = PrismCoreSession(url: url)
        await #expect(throws: PrismCoreError.videoCodecNotRemuxable(codec: "vp9", reason: "the player has no VP9 decoder")) { try await session.startWithoutHurry() }
    }

    @Test func whatIsServedKeepsTheRulesOfHLS() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.webm", "\(FFmpegFixture.inputs()) -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24 -c:a libopus")
        let session = PrismCoreSession(url: url, options: Self.browser)
        let playlist = try await session.startWithoutHurry()
        let report = try await StreamValidator(fetcher: HTTPClient(), following: .untilEnd).validate(playlist)
        #expect(report.isValid, "\(report.table())")
        await session.stop()
    }
}
