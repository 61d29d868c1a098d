import Foundation
import Libav
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// What comes out of the served playlist is the source: every picture, every sample, at its own time, from the head and from the middle.
@Suite(.fewAtATime) struct DecodedEqualityTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: String
        /// Whether a plan is expected: containers whose index libavformat shows. `nil`: it differs between FFmpeg versions.
        let isPlanned: Bool?
        var testDescription: String { name }
    }

    static let video = FFmpegFixture.inputs()
    static let sources = [
        Source(name: "h264-aac.mkv", arguments: "\(video) -c:v libx264 -preset veryfast -bf 3 -g 48 -c:a aac", isPlanned: true),
        Source(name: "h264-flac-ntsc.mkv", arguments: "\(FFmpegFixture.inputs(rate: "30000/1001", sampleRate: 44100)) -c:v libx264 -preset veryfast -g 60 -c:a flac", isPlanned: true),
        Source(name: "hevc-open-gop-eac3.mkv", arguments: "\(video) -c:v libx265 -preset ultrafast -x265-params log-level=error:open-gop=1:keyint=48:min-keyint=48:bframes=4 -c:a eac3 -ac 2", isPlanned: true),
        Source(name: "h264-aac.mp4", arguments: "\(video) -c:v libx264 -preset veryfast -bf 3 -g 48 -c:a aac", isPlanned: true),
        Source(name: "hevc-alac.mp4", arguments: "\(video) -c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=48 -tag:v hvc1 -c:a alac", isPlanned: true),
        Source(name: "h264-ac3-fragmented.mp4", arguments: "\(video) -c:v libx264 -preset veryfast -g 48 -c:a ac3 -movflags frag_keyframe+delay_moov", isPlanned: nil),
        Source(name: "h264-aac.ts", arguments: "\(video) -c:v libx264 -preset veryfast -bf 3 -g 48 -c:a aac", isPlanned: true),
        Source(name: "hevc-eac3.ts", arguments: "\(video) -c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=48 -c:a eac3 -ac 2", isPlanned: true),
        Source(name: "h264-ac3.avi", arguments: "\(video) -c:v libx264 -preset veryfast -bf 0 -g 48 -c:a ac3", isPlanned: true),
        Source(name: "h264-b-frames-aac.avi", arguments: "\(video) -c:v libx264 -preset veryfast -bf 3 -g 48 -c:a aac", isPlanned: true),
        Source(name: "h264-aac.flv", arguments: "\(video) -c:v libx264 -preset veryfast -g 48 -c:a aac", isPlanned: true),
    ]

    @Test(arguments: sources) func everyPictureAndSampleComesBackAtItsTime(source: Source) async throws {
        let fixture = try FFmpegFixture()
        try await check(try await fixture.make(source.name, source.arguments), isPlanned: source.isPlanned)
    }

    @Test func everyPictureOfAnAV1FilmComesBack() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("av1-flac.mkv", "\(FFmpegFixture.inputs(seconds: 9)) -c:v libaom-av1 -cpu-used 8 -g 48 -c:a flac")
        try await check(url, isPlanned: true)
    }

    @Test func aFileWithNeitherIndexNorScanGrowsAsItIsRead() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.makeUnindexed("unindexed.avi", "\(Self.video) -c:v libx264 -preset veryfast -bf 0 -g 48 -c:a ac3")
        try await check(url, isPlanned: false)
    }

    private func check(_ url: URL, isPlanned: Bool?) async throws {
        let (picture, sound) = (try await Reference(url, stream: 0).decoded, try await Reference(url, stream: 1).decoded)
        try await ServedMedia.serve(url) { served in
            if let isPlanned { #expect((await served.session.planOrigin == .builtFromSource) == isPlanned) }
            let (video, audio) = (served.presentation.renditions[0], try #require(served.presentation.renditions.dropFirst().first))
            try #require(video.segments.count > 1)

            let whole = try DecodedFragment(bytes: try await served.bytes(video))
            #expect(whole.frames.map(\.hash) == picture.frames.map(\.hash), "every picture, in order")
            expectEqualTimes(whole.frames[...], whole.tickSeconds, picture.frames[...], picture.tickSeconds)
            let heard = try DecodedFragment(bytes: try await served.bytes(audio))
            // Priming lies before time zero; libavformat cuts it off in some containers and versions, whole or to the sample.
            let audible = sound.frames.drop { $0.pts.map { $0 < 0 } ?? false }
            let primed = heard.frames.count - audible.count
            #expect((0...2).contains(primed))
            #expect(heard.frames.dropFirst(primed).map(\.hash) == audible.map(\.hash), "every audio frame, in order")
            expectEqualTimes(heard.frames.dropFirst(primed), heard.tickSeconds, audible, sound.tickSeconds)

            // From the middle: what decodes there is the tail of what decodes from the head.
            let middle = video.segments.count / 2
            let tail = try DecodedFragment(bytes: try await served.bytes(video, from: middle))
            let sought = tail.frames.filter { !$0.isCorrupt }
            #expect(sought.count > 20)
            #expect(sought.suffix(20).map(\.hash) == whole.frames.suffix(20).map(\.hash))
            #expect(sought.suffix(20).map(\.pts) == whole.frames.suffix(20).map(\.pts))
        }
    }

    /// Presentation times agree to the container's own clock: a millisecond where it counts in milliseconds, a sample where it counts in samples.
    private func expectEqualTimes(
        _ served: ArraySlice<DecodedFragment.Frame>, _ servedTick: Double, _ source: ArraySlice<DecodedFragment.Frame>, _ sourceTick: Double
    ) {
        let tolerance = 1.01 * min(sourceTick, 0.001) + 1.01 * servedTick
        var worst = 0.0
        for (a, b) in zip(served, source) {
            guard let a = a.pts, let b = b.pts else { continue }
            worst = max(worst, abs(Double(a) * servedTick - Double(b) * sourceTick))
        }
        #expect(worst <= tolerance, "off by \(worst) s")
    }

    @Test func copiedPacketsAreBitForBit() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("bits.mkv", "\(Self.video) -c:v libx264 -preset veryfast -bf 3 -g 48 -c:a ac3")
        let references = [try await Reference(url, stream: 0).decoded, try await Reference(url, stream: 1).decoded]
        try await ServedMedia.serve(url) { served in
            for (rendition, reference) in zip(served.presentation.renditions, references) {
                let packets = try DecodedFragment(bytes: try await served.bytes(rendition)).packets
                #expect(packets.map(\.bytes) == reference.packets.map(\.bytes))
            }
        }
    }

    /// Players stop for good at a segment without samples: there is none, whatever the codec, and the sound ends with the picture.
    @Test(arguments: [
        ("mono.mkv", "-c:a aac -ac 1", 1024, 48_000), ("stereo.mkv", "-c:a aac -ac 2", 1024, 48_000), ("5.1.mkv", "-c:a aac -ac 6", 1024, 48_000),
        ("eac3.mkv", "-c:a eac3 -ac 6", 1536, 48_000), ("eac3.mp4", "-c:a eac3 -ac 2", 1536, 48_000), ("ac3.mp4", "-c:a ac3 -ac 6", 1536, 48_000),
        ("ac3.mkv", "-c:a ac3 -ar 44100", 1536, 44_100), ("flac.mkv", "-c:a flac", 4608, 48_000), ("flac.mp4", "-c:a flac -ac 6 -sample_fmt s32 -strict -2", 4608, 48_000),
        ("alac.mp4", "-c:a alac", 4096, 48_000), ("alac.mkv", "-c:a alac -ac 6 -sample_fmt s32p", 4096, 48_000),
    ]) func soundThatBeginsLateAndEndsEarlyIsSilentBeforeAndAfter(name: String, codec: String, frameLength: Int, rate: Int) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            name, "-f lavfi -i testsrc2=s=160x90:r=24:d=30 -itsoffset 9 -f lavfi -i sine=440:r=48000:d=5 -c:v libx264 -preset ultrafast -g 48 \(codec)")
        try await ServedMedia.serve(url) { served in
            let audio = try #require(served.presentation.renditions.dropFirst().first)
            var total = 0
            for index in audio.segments.indices {
                // Each segment decodes by itself, silent ones to samples of nothing.
                let bytes = try await served.client.get(audio.initialization) + served.client.get(audio.segments[index])
                let decoded = try DecodedFragment(bytes: bytes)
                #expect(!decoded.frames.isEmpty && decoded.frames.allSatisfy { !$0.isCorrupt }, "segment \(index)")
                total += decoded.frames.reduce(0) { $0 + $1.sampleCount }
            }
            #expect(abs(total - 30 * rate) < 4 * frameLength)
            let heard = try HeardSound(bytes: try await served.bytes(audio), tolerance: frameLength)
            #expect(abs(heard.start + heard.samples[0].count - 30 * rate) <= frameLength, "it ends with the picture")
            for (seconds, isHeard) in [(1.0, false), (8.8, false), (9.3, true), (13.7, true), (14.3, false), (22, false), (29.5, false)] as [(Double, Bool)] {
                let level = heard.level(of: 440, channel: heard.channels > 2 ? 2 : 0, at: Int(seconds * Double(rate)), count: rate / 20)
                #expect(isHeard ? level > 0.02 : level < 0.001, "\(seconds): \(level)")
            }
            let silence = await served.session.timestampRepairs.silentAudioFrames
            #expect(abs(silence - 25 * rate / frameLength) <= 4, "what was put in is said: \(silence)")
            #expect(await served.session.audioRenditionProductions.map(\.padding) == [.silence])
        }
    }
}
