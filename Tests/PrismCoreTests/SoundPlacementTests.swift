import BitsAndTime
import Foundation
import HLS
import Libav
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// That sound is where it belongs: segments fetched cold in any order, over long films, from streams whose clock or frames are odd.
///
/// PRISM_LONG in the environment makes of the short films ten minutes with fifty joins, and two hours.
@Suite(.fewAtATime) struct SoundPlacementTests {
    private static let isLong = ProcessInfo.processInfo.environment["PRISM_LONG"] != nil
    private static let pictureCodec = "-c:v libx264 -preset ultrafast -bf 0"
    /// Whole packets of the demuxer's, which begins each round with a new one.
    private static let loop = 480 * 1024

    /// A film whose sound is ten seconds of noise, again and again, one seed a channel.
    private func film(
        _ fixture: FFmpegFixture, _ name: String, codec: String, channels: Int, rate: Int = 48000, seconds: Int, pictures: String = "r=4", loop: Int = loop
    ) async throws -> (url: URL, noise: [Noise]) {
        let noise = (0..<channels).map { Noise(count: loop, seed: UInt64($0 + 1), smoothing: 4) }
        try Noise.wave(noise, rate: rate).write(to: fixture.url("noise.wav"))
        let url = try await fixture.make(
            name,
            "-f lavfi -i testsrc2=s=64x36:\(pictures):d=\(seconds) -stream_loop -1 -i {folder}/noise.wav -map 0:v -map 1:a \(Self.pictureCodec) -g 4 \(codec) -t \(seconds)")
        return (url, noise.map { Noise($0.samples + $0.samples.prefix(rate)) })
    }

    /// How many samples later a sound is than the noise at a place, how alike they are, and how loud it is against it.
    private static func found(_ heard: HeardSound, _ noise: [Noise], _ channel: Int, at position: Int, around: Int, count: Int = 1024, reach: Int = 40, loop length: Int = loop) -> (
        samples: Int, likeness: Double, gain: Double
    ) {
        let inLoop = ((position % length) + length) % length
        // The sound of this place, as if the loop were the first.
        let window = heard.window(channel, at: position + around - reach, count: count + 2 * reach)
        let local = HeardSound(sampleRate: heard.sampleRate, start: inLoop + around - reach, samples: [window])
        let lag = noise[channel].lag(of: local, channel: 0, at: inLoop, around: around, count: count, reach: reach)
        func energy(_ samples: some Sequence<Float>) -> Double { samples.reduce(0) { $0 + Double($1 * $1) } }
        let theirs = energy(local.window(0, at: inLoop + lag.samples, count: count)), own = energy(noise[channel].samples[inLoop..<inLoop + count])
        return (lag.samples, lag.likeness, (theirs / max(own, 1e-9)).squareRoot())
    }

    /// What the author's encoder delays the sound by where the container does not say it.
    private func authorsDelay(_ fixture: FFmpegFixture, _ url: URL, _ noise: [Noise], rate: Int, at position: Int? = nil) async throws -> Int {
        let head = try await fixture.make("head.\(url.pathExtension)", "-i \(url.path) -map 0:a -c copy -t 4 -strict -2")
        let sound = try HeardSound(bytes: [UInt8](try Data(contentsOf: head)), tolerance: 1 << 30)
        let measured = Self.found(sound, noise, 0, at: position ?? 2 * rate, around: sound.start, reach: 3000).samples
        // Where the container says it, Matroska rounds it to a millisecond.
        return abs(measured) <= rate / 1000 ? 0 : measured
    }

    // MARK: Joins

    @Test(arguments: [
        ("-c:a libmp3lame -b:a 320k", 2), ("-c:a libopus -b:a 256k", 2), ("-c:a pcm_s16le", 2), ("-c:a dca -strict -2 -b:a 1509k -af aformat=channel_layouts=5.1(side)", 6),
        ("-c:a truehd -strict -2 -af aformat=channel_layouts=5.1(side)", 6),
    ])
    func segmentsFetchedColdInAnyOrderJoinWithoutGapOverlapOrStep(codec: String, channels: Int) async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", codec: codec, channels: channels, seconds: Self.isLong ? 600 : 40)
        let expected = try await authorsDelay(fixture, url, noise, rate: 48000)
        try await ServedMedia.serve(url) { served in
            let rendition = served.presentation.renditions[1]
            var starts = [0.0]
            for segment in rendition.playlist.segments { starts.append(starts[starts.count - 1] + segment.duration.seconds) }
            var random = SeededRandom(seed: 11)
            let joins = Array(Array(1..<rendition.segments.count).shuffled(using: &random).prefix(50))
            #expect(joins.count >= (Self.isLong ? 50 : 6))
            let initialization = try await served.client.get(rendition.initialization)
            var fetched: [Int: [UInt8]] = [:]
            for number in Set(joins.flatMap { [$0 - 1, $0] }).sorted().shuffled(using: &random) { fetched[number] = try await served.client.get(rendition.segments[number]) }
            for join in joins {
                // Throws where a time does not follow from the samples before.
                let heard = try HeardSound(bytes: initialization + (fetched[join - 1] ?? []) + (fetched[join] ?? []))
                let place = Int((starts[join] * 48000).rounded())
                // The low frequencies are no place to find samples in.
                for channel in 0..<channels where channels < 6 || channel != 3 {
                    let windows = [-6000, -1536, -512, 0, 512, 6000].map { Self.found(heard, noise, channel, at: place + $0, around: expected) }
                    for window in windows {
                        #expect(abs(window.samples - expected) <= 1 && window.likeness > 0.9, "\(codec), join \(join), channel \(channel): \(windows), expected \(expected)")
                        #expect(abs(window.gain - 1) < 0.1, "\(codec), join \(join), channel \(channel): \(windows)")
                    }
                }
            }
        }
    }

    /// Frames that stand off their grid from some place on, as where two films were joined: a millisecond's clock does not say where to the sample,
    /// and each segment takes it for the same place.
    @Test func whatStandsOffItsGridJoinsToo() async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", codec: "-c:a pcm_s16le", channels: 1, seconds: 40, loop: 480_100)
        try await ServedMedia.serve(url) { served in
            let rendition = served.presentation.renditions[1]
            let heard = try HeardSound(bytes: try await served.bytes(rendition))
            var time = 0.0
            var lags: [Int] = []
            for segment in rendition.playlist.segments {
                time += segment.duration.seconds
                // The clock narrows where the next round begins to a third of its tick.
                for place in [-6000, 0, 6000] where Int(time * 48000) + place < 39 * 48000 {
                    let found = Self.found(heard, noise, 0, at: Int(time * 48000) + place, around: 0, loop: 480_100)
                    #expect(abs(found.samples) <= 16 && found.likeness > 0.9, "\(time): \(found)")
                    lags.append(found.samples)
                }
            }
            #expect(lags.count > 15)
        }
    }

    /// Without a plan one run goes through the film, and a session cannot go back.
    @Test(arguments: ["-c:a libmp3lame -b:a 320k", "-c:a mp2 -b:a 384k", "-c:a pcm_s16le"]) func aSequentialSessionHasItsSoundInPlace(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let (whole, noise) = try await film(fixture, "whole.mkv", codec: codec, channels: 2, seconds: 26)
        let url = try await fixture.makeUnindexed("film.avi", "-i \(whole.path) -c copy -bsf:v h264_mp4toannexb")
        let origin = try HeardSound(bytes: [UInt8](try Data(contentsOf: url)), streamIndex: 1, tolerance: 1 << 30)
        let expected = Self.found(origin, noise, 0, at: 96000, around: origin.start, reach: 3000).samples
        try await ServedMedia.serve(url) { served in
            #expect(await served.session.planOrigin != .builtFromSource)
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1]))
            for seconds in stride(from: 1, through: 24, by: 1) {
                let found = Self.found(heard, noise, 1, at: seconds * 48000, around: expected, reach: 100)
                #expect(abs(found.samples - expected) <= 1 && found.likeness > 0.9, "\(codec) at \(seconds): \(found), expected \(expected)")
            }
        }
    }

    /// A broadcast whose sound begins after all that is read to describe it.
    @Test(arguments: ["libmp3lame", "mp2", "aac"]) func soundThatBeginsLateInATransportStreamIsFound(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "late.ts", "-f lavfi -i testsrc2=s=64x36:r=24:d=14 -itsoffset 3.5 -f lavfi -i sine=1000:r=48000:d=9 -map 0 -map 1 \(Self.pictureCodec) -g 24 -c:a \(codec) -ac 2")
        try await ServedMedia.serve(url) { served in
            let heard = try HeardSound(bytes: try await served.bytes(try #require(served.presentation.renditions.dropFirst().first)))
            let zero = heard.start
            for (seconds, isHeard) in [(2.0, false), (5, true), (11, true)] {
                let level = heard.level(of: 1000, channel: 0, at: zero + Int(seconds * 48000), count: 4800)
                #expect(isHeard ? level > 0.05 : level < 0.001, "\(codec) at \(seconds): \(level)")
            }
        }
    }

    // MARK: Length

    @Test(arguments: [
        ("film.mkv", "-c:a libmp3lame -b:a 128k", 44100), ("film.mkv", "-c:a libvorbis -q:a 4", 44100), ("film.mkv", "-c:a aac -b:a 128k", 44100), ("film.mkv", "-c:a ac3 -b:a 192k", 44100),
    ])
    func aLongFilmDoesNotDrift(name: String, codec: String, rate: Int) async throws {
        let seconds = Self.isLong ? 7200 : 1200
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, name, codec: codec, channels: 1, rate: rate, seconds: seconds, pictures: "r=1")
        try await ServedMedia.serve(url) { served in
            let rendition = served.presentation.renditions[1]
            let last = rendition.segments.count - 1
            func sound(_ numbers: ClosedRange<Int>) async throws -> HeardSound {
                var bytes = try await served.client.get(rendition.initialization)
                for number in numbers { bytes += try await served.client.get(rendition.segments[number]) }
                return try HeardSound(bytes: bytes)
            }
            let tail = try await sound(last - 1...last), head = try await sound(0...1)
            let measured = Self.found(head, noise, 0, at: 3 * rate, around: 0, reach: 3000)
            let end = Self.found(tail, noise, 0, at: (seconds - 3) * rate, around: measured.samples)
            // Where frames differ in length a millisecond's clock leaves a sample or two.
            #expect(abs(end.samples - measured.samples) <= (codec.contains("vorbis") ? 12 : 1), "\(codec): \(measured) at the head, \(end) at the tail")
            #expect(end.likeness > 0.8)
            #expect(abs(tail.start + tail.samples[0].count - measured.samples - seconds * rate) <= 4096 + 2048)
        }
    }

    // MARK: Odd streams

    /// Shorter than a segment: the one run of such a film begins before zero and has no end.
    @Test(arguments: ["-c:a dca -strict -2 -b:a 1509k", "-c:a truehd -strict -2", "-c:a pcm_s16le"]) func aFilmOfOneSegmentIsHeard(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", codec: "\(codec) -af aformat=channel_layouts=5.1(side)", channels: 6, seconds: 1)
        let expected = try await authorsDelay(fixture, url, noise, rate: 48000, at: 24000)
        try await ServedMedia.serve(url) { served in
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1]))
            #expect(heard.layout == "5.1(side)")
            let found = Self.found(heard, noise, 1, at: 24000, around: expected)
            #expect(abs(found.samples - expected) <= 1 && found.likeness > 0.9, "\(found), expected \(expected)")
        }
    }

    /// libavcodec gives packets of SILK half a millisecond less at first: where it is entered does not move what is heard.
    @Test func speechInOpusIsAtItsPlaceInEverySegment() async throws {
        try await countsAlike("-ac 1 -c:a libopus -b:a 14k -application voip", via: "whole.mkv")
    }

    /// A Vorbis stream's blocks change length at each attack, and what copies it from Ogg places the block behind a long one by guess.
    @Test func blocksOfTwoLengthsAreAtTheirPlaceInEverySegment() async throws {
        try await countsAlike("-c:a libvorbis -q:a 6", filter: ",volume=eval=frame:volume=if(lt(mod(t\\,0.37)\\,0.02)\\,1\\,0.02)", via: "whole.ogg")
    }

    /// Serves a film of a stream that went through another container, and looks for what decoding it from its head gives.
    private func countsAlike(_ codec: String, filter: String = "", via name: String) async throws {
        let fixture = try FFmpegFixture()
        _ = try await film(fixture, "noise.mkv", codec: "-c:a pcm_s16le", channels: 1, seconds: 26)
        try await fixture.make(name, "-i {folder}/noise.mkv -map 0:a -af lowpass=f=3000,lowpass=f=3000\(filter) \(codec)")
        let url = try await fixture.make("film.mkv", "-i {folder}/noise.mkv -i {folder}/\(name) -map 0:v -map 1:a -c copy")
        // Counted from the first sample on, whatever the container says between.
        let counted = try HeardSound(bytes: [UInt8](try Data(contentsOf: url)), streamIndex: 1, tolerance: 1 << 30)
        let reference = Noise(counted.samples[0])
        try await ServedMedia.serve(url) { served in
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1]))
            var lags: [Int] = []
            for position in stride(from: 4800, to: reference.samples.count - 9600, by: 12000) {
                // What holds no attack is found nowhere.
                guard reference.samples[position..<position + 4096].contains(where: { abs($0) > 0.05 }) else { continue }
                let found = reference.lag(of: heard, channel: 0, at: position, around: counted.start, count: 4096, reach: 1200)
                #expect(found.likeness > 0.9, "\(codec) at \(position): \(found)")
                lags.append(found.samples)
            }
            #expect(lags.count > 10)
            #expect((lags.max() ?? 0) - (lags.min() ?? 0) <= 2, "\(codec): \(lags)")
        }
    }

    /// A header with a byte wrong: it is played, refused or left out, and nothing traps or waits for ever.
    @Test(arguments: ["libmp3lame", "libopus", "libvorbis", "pcm_s24le", "dca -ac 6 -strict -2", "truehd -ac 6 -strict -2", "flac -frame_size 128"])
    func damageIsBridgedOrRefused(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let whole = [UInt8](try Data(contentsOf: try await film(fixture, "whole.mkv", codec: "-c:a \(codec)", channels: 2, seconds: 5).url))
        var random = SeededRandom(seed: 3)
        for round in 0..<8 {
            var bytes = whole
            for _ in 0..<(1 << (round % 5)) { bytes[Int.random(in: 0..<(round < 4 ? 2000 : bytes.count), using: &random)] = UInt8.random(in: 0...255, using: &random) }
            let url = fixture.url("film-\(round).mkv")
            try Data(bytes).write(to: url)
            do {
                try await ServedMedia.serve(url) { served in
                    for rendition in served.presentation.renditions { _ = try await served.bytes(rendition) }
                }
            } catch {
                // Refusing is right, too.
                continue
            }
        }
    }

    /// A recording that begins in the middle of an AC-3 frame is copied, without what is left of it.
    @Test func aRecordingThatBeginsInsideAFrameIsCopied() async throws {
        let fixture = try FFmpegFixture()
        let (whole, noise) = try await film(fixture, "whole.ts", codec: "-c:a ac3 -b:a 448k", channels: 2, seconds: 12)
        let stream = try await fixture.make("whole.ac3", "-i \(whole.path) -map 0:a -c copy")
        try Data([UInt8](try Data(contentsOf: stream)).dropFirst(1700)).write(to: fixture.url("cut.ac3"))
        let url = try await fixture.make("film.mkv", "-i \(whole.path) -f ac3 -i {folder}/cut.ac3 -map 0:v -map 1:a -c copy")
        try await ServedMedia.serve(url) { served in
            guard case .copied = await served.session.audioTrackDeliveries.first?.route else {
                Issue.record("\(await served.session.audioTrackDeliveries)")
                return
            }
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1]))
            // One frame was cut, and what is left of it stands for a frame.
            let found = Self.found(heard, noise, 0, at: 5 * 48000, around: 0, reach: 4000)
            let later = Self.found(heard, noise, 0, at: 10 * 48000, around: found.samples)
            #expect(found.likeness > 0.9 && later.samples == found.samples, "\(found), \(later)")
        }
    }
}

extension HeardSound {
    init(sampleRate: Int, start: Int, samples: [[Float]]) {
        self.sampleRate = sampleRate
        self.channels = samples.count
        self.layout = ""
        self.start = start
        self.samples = samples
    }
}
