import BitsAndTime
import Foundation
import HLS
import PrismCore
import SegmentVerification
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sound that is presented later or earlier: by exactly so much, everywhere, and nothing else changes.
@Suite(.fewAtATime) struct AudioDelayTests {
    private static let picture = "-f lavfi -i testsrc2=s=160x90:r=24:d=20"
    private static let pictureCodec = "-c:v libx264 -preset ultrafast -bf 2 -g 24"
    private static let rate = 48000

    private func film(_ fixture: FFmpegFixture, _ name: String, codec: String) async throws -> (URL, Noise) {
        let noise = Noise(count: 20 * Self.rate, seed: 1, smoothing: 4)
        try Noise.wave([noise, noise], rate: Self.rate).write(to: fixture.url("noise.wav"))
        return (try await fixture.make(name, "\(Self.picture) -i {folder}/noise.wav -map 0:v -map 1:a \(Self.pictureCodec) \(codec)"), noise)
    }

    private func sound(_ served: ServedMedia) async throws -> HeardSound { try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1])) }

    @Test(arguments: [
        ("film.mkv", "-c:a pcm_s16le", 0.15), ("film.mkv", "-c:a pcm_s16le", -0.25), ("film.mkv", "-c:a libmp3lame -b:a 320k", 1.5), ("film.mkv", "-c:a libopus -b:a 256k", -2),
        ("film.mkv", "-c:a ac3 -b:a 448k", 0.15), ("film.mkv", "-c:a ac3 -b:a 448k", -0.25), ("film.mp4", "-c:a aac -b:a 256k", 1.5), ("film.mp4", "-c:a aac -b:a 256k", -2),
        ("film.ts", "-c:a aac -b:a 256k", 0.5), ("film.mkv", "-c:a flac", 0.001),
    ])
    func soundMovesByExactlySoMuchFromHeadToTail(name: String, codec: String, seconds: Double) async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, name, codec: codec)
        let delay = Int((seconds * Double(Self.rate)).rounded())
        var undelayed = 0
        try await ServedMedia.serve(url) { served in
            let plain = try await sound(served)
            undelayed = noise.lag(of: plain, channel: 0, at: 6 * Self.rate, around: plain.start, reach: 3000).samples
        }
        try await ServedMedia.serve(url, options: .init(audioDelaySeconds: seconds)) { served in
            #expect(await served.session.audioDelaySeconds == seconds)
            #expect(await served.session.pendingAudioDelaySeconds == nil)
            let heard = try await sound(served)
            let expected = undelayed + delay
            for time in [0.5, 2.1, 3.9, 6, 8, 10.05, 12, 14, 16.5, 17.4] where time + seconds > 0.1 {
                let found = noise.lag(of: heard, channel: 0, at: Int(time * Double(Self.rate)), around: expected)
                #expect(found.samples == expected && found.likeness > 0.9, "at \(time): \(found), expected \(expected)")
            }
            if seconds > 0 {
                let head = heard.window(0, at: max(heard.start, 0), count: max(0, delay + undelayed - 2048 - max(heard.start, 0)))
                #expect(head.allSatisfy { abs($0) < 0.01 }, "silence before the first sample")
            }
        }
    }

    @Test(arguments: [("order.mkv", "-c:a:0 ac3 -c:a:1 libmp3lame", 0.7), ("order.mp4", "-c:a:0 aac -c:a:1 ac3", -0.7), ("order.ts", "-c:a:0 mp2 -c:a:1 aac", 1.9)])
    func bytesDoNotDependOnOrderParallelismEvictionOrSession(name: String, codecs: String, seconds: Double) async throws {
        let fixture = try FFmpegFixture()
        try await DeterminismTests.orderDoesNotMatter(
            try await fixture.make(name, "\(DeterminismTests.film) -t 32 -c:v libx264 -preset ultrafast -bf 2 -g 24 \(codecs)"),
            options: .init(audioDelaySeconds: seconds))
    }

    // MARK: Live

    @Test(arguments: [("-c:a ac3 -b:a 448k", 0.2), ("-c:a pcm_s16le", 0.2), ("-c:a aac", -0.3)])
    func aDelaySetWhileItPlaysServesWhatASessionBegunWithItServes(codec: String, seconds: Double) async throws {
        let fixture = try FFmpegFixture()
        let (url, _) = try await film(fixture, "film.mkv", codec: codec)
        var fresh: [[UInt8]] = []
        try await ServedMedia.serve(url, options: .init(audioDelaySeconds: seconds)) { served in
            for segment in served.segments { fresh.append(try await served.client.get(segment)) }
        }
        let expected = fresh
        try await ServedMedia.serve(url) { served in
            for rendition in served.presentation.renditions {
                for segment in rendition.segments.prefix(2) { _ = try await served.client.get(segment) }
            }
            #expect(await served.session.setAudioDelaySeconds(seconds) == .pendingReanchor)
            for (segment, bytes) in zip(served.segments, expected) {
                // An answer that was on its way is taken back; a player asks again.
                let found = try await served.client.get(segment)
                #expect(found == bytes, "\(segment.path)")
            }
            #expect(await served.session.audioDelaySeconds == seconds)
            #expect(await served.session.pendingAudioDelaySeconds == nil)
            #expect(await served.session.setAudioDelaySeconds(seconds) == .inForce)
            let successor = try await served.session.makeSession { _ in }
            #expect(await successor.audioDelaySeconds == seconds)
        }
    }

    @Test func soundWhoseDelayChangedIsKeptByNoCache() async throws {
        let fixture = try FFmpegFixture()
        let (url, _) = try await film(fixture, "film.mkv", codec: "-c:a ac3")
        func headers(_ url: URL) async throws -> (control: String, tag: String) {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            let (_, answer) = try await URLSession(configuration: configuration).data(for: URLRequest(url: url))
            let response = try #require(answer as? HTTPURLResponse)
            return (response.value(forHTTPHeaderField: "Cache-Control") ?? "", response.value(forHTTPHeaderField: "ETag") ?? "")
        }
        try await ServedMedia.serve(url) { served in
            let (picture, sound) = (served.presentation.renditions[0].segments[1], served.presentation.renditions[1].segments[1])
            let before = try await headers(sound)
            #expect(before.control.contains("immutable"))
            await served.session.setAudioDelaySeconds(1)
            let after = try await headers(sound)
            #expect(!after.control.contains("immutable"))
            #expect(after.tag != before.tag)
            #expect(try await headers(picture).control.contains("immutable"))
        }
    }

    @Test func saysWhatBecameOfIt() async throws {
        let fixture = try FFmpegFixture()
        let (url, _) = try await film(fixture, "film.mkv", codec: "-c:a ac3")
        let session = PrismCoreSession(url: url)
        #expect(await session.setAudioDelaySeconds(9) == .inForce)
        #expect(await session.audioDelaySeconds == 2)
        #expect(await session.setAudioDelaySeconds(.nan) == .inForce)
        #expect(await session.audioDelaySeconds == 0)
        #expect(await session.setAudioDelaySeconds(-0.5) == .inForce)
        _ = try await session.startWithoutHurry()
        #expect(await session.audioDelaySeconds == -0.5)
        await session.stop()
        #expect(await session.setAudioDelaySeconds(0) == .sessionStopped)
        try await ServedMedia.serve(url, options: .init(playsSequentially: true, audioDelaySeconds: 0.5)) { served in
            #expect(await served.session.setAudioDelaySeconds(1) == .unsupported)
            #expect(await served.session.audioDelaySeconds == 0.5)
        }
    }
}
