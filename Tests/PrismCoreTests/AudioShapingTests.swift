import BitsAndTime
import Foundation
import HLS
import Libav
import PrismCore
import SegmentVerification
import SoundShaping
import TestSupport
import Testing

/// Sound that is changed on its way: what is asked for is heard, where it was, and nothing else is touched.
@Suite(.fewAtATime) struct AudioShapingTests {
    private static let picture = "-f lavfi -i testsrc2=s=160x90:r=24:d=20"
    private static let pictureCodec = "-c:v libx264 -preset ultrafast -bf 2 -g 24"
    private static let rate = 48000

    /// A tone of its own on each speaker: 500, 700, … Hz; 60 Hz on the low-frequency one.
    private func tones(_ fixture: FFmpegFixture, _ name: String, layout: String, channels: Int, codec: String, amplitude: Double = 0.1) async throws -> URL {
        let tones = (0..<channels).map { "\(amplitude)*sin(2*PI*\(Self.hertz($0))*t)" }.joined(separator: "|")
        return try await fixture.make(
            name, "\(Self.picture) -f lavfi -i aevalsrc=\(tones):c=\(layout):s=48000:d=20 \(Self.pictureCodec) \(codec)")
    }

    private static func hertz(_ channel: Int) -> Double { channel == 3 ? 60 : 500 + 200 * Double(channel) }

    private func sound(_ served: ServedMedia, rendition: Int = 1) async throws -> HeardSound {
        try HeardSound(bytes: try await served.bytes(served.presentation.renditions[rendition]))
    }

    private static func decibels(_ level: Double) -> Double { 20 * log10(max(level, 1e-9)) }

    private static func level(_ sound: HeardSound, _ channel: Int, of source: Int) -> Double {
        decibels(sound.level(of: hertz(source), channel: channel, at: 9 * sound.sampleRate, count: 24_000))
    }

    // MARK: Dialogue boost

    @Test(arguments: [("ac3 -b:a 640k", "5.1(side)"), ("dca -strict -2 -b:a 1509k", "5.1(side)"), ("pcm_s16le", "5.1")])
    func boostsLowerTheBedKeepTheCentreAndLeaveTheBaseAsItIs(codec: String, layout: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await tones(fixture, "film.mkv", layout: layout, channels: 6, codec: "-c:a \(codec) -metadata:s:a language=eng")
        var plain: [[UInt8]] = []
        try await ServedMedia.serve(url) { served in
            let base = served.presentation.renditions[1]
            for address in [base.initialization] + base.segments { plain.append(try await served.client.get(address)) }
        }
        let expected = plain
        try await ServedMedia.serve(url, options: .init(dialogueBoost: [.strong, .medium])) { served in
            let offered = served.presentation.multivariant.renditions
            #expect(offered.map(\.name) == ["English", "English (Dialogue Boost)", "English (Strong Dialogue Boost)"])
            #expect(offered.map(\.isDefault) == [true, false, false])
            #expect(offered.map(\.characteristics) == [[], ["public.accessibility.enhances-speech-intelligibility"], ["public.accessibility.enhances-speech-intelligibility"]])
            #expect(offered.map(\.language) == ["en", "en", "en"])
            #expect(offered.map(\.channels) == ["6", "6", "6"])
            #expect(await served.session.dialogueBoostRenditions.map(\.level) == [.medium, .strong])
            #expect(await served.session.dialogueBoostRefusal == nil)

            let base = served.presentation.renditions[1]
            for (address, bytes) in zip([base.initialization] + base.segments, expected) {
                let found = try await served.client.get(address)
                #expect(found == bytes, "\(address.path)")
            }
            let productions = await served.session.audioRenditionProductions
            #expect(productions.map(\.state) == [.produced, .resting, .resting])
            #expect(productions[1].bridge?.packets == 0 && productions[2].bridge?.packets == 0, "nobody asked for them")

            let (heard, medium, strong) = (try await sound(served), try await sound(served, rendition: 2), try await sound(served, rendition: 3))
            for (boosted, depth) in [(medium, 6.0), (strong, 12)] {
                #expect(abs(Self.level(boosted, 2, of: 2) - Self.level(heard, 2, of: 2)) < 0.2, "the centre")
                for channel in [0, 1, 4, 5] {
                    let moved = Self.level(boosted, channel, of: channel) - Self.level(heard, channel, of: channel)
                    #expect(abs(moved + depth) < 0.3, "channel \(channel): \(moved) dB")
                }
            }
        }
    }

    @Test func aBoostOfStereoKeepsWhatIsInTheMiddle() async throws {
        let fixture = try FFmpegFixture()
        let count = 20 * Self.rate
        let (common, left, right) = (Noise(count: count, seed: 1), Noise(count: count, seed: 2), Noise(count: count, seed: 3))
        func mixed(_ own: Noise) -> Noise { Noise(zip(common.samples, own.samples).map { $0 * 0.3 + $1 * 0.1 }) }
        try Noise.wave([mixed(left), mixed(right)], rate: Self.rate).write(to: fixture.url("noise.wav"))
        let url = try await fixture.make("film.mkv", "\(Self.picture) -i {folder}/noise.wav -map 0:v -map 1:a \(Self.pictureCodec) -c:a ac3 -b:a 448k")
        try await ServedMedia.serve(url, options: .init(dialogueBoost: [.strong])) { served in
            let (heard, boosted) = (try await sound(served), try await sound(served, rendition: 2))
            // The encoder's own delay, which the container does not say.
            let delay = common.lag(of: heard, channel: 0, at: 5 * Self.rate, reach: 2000).samples
            /// How much of the common sound is in the left channel, and the power of what differs.
            func parts(_ sound: HeardSound, at place: Int) -> (common: Double, side: Double) {
                let (left, right) = (sound.window(0, at: place + delay, count: 24_000), sound.window(1, at: place + delay, count: 24_000))
                let wanted = common.samples[place..<place + 24_000]
                let energy = wanted.reduce(0.0) { $0 + Double($1 * $1) }
                return (zip(wanted, left).reduce(0.0) { $0 + Double($1.0 * $1.1) } / energy, zip(left, right).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) })
            }
            for at in [1, 5, 9, 13, 17] {
                let before = common.lag(of: heard, channel: 0, at: at * Self.rate, around: delay)
                let after = common.lag(of: boosted, channel: 0, at: at * Self.rate, around: delay)
                #expect(before.samples == delay && after.samples == delay, "at \(at)")
                let (was, now) = (parts(heard, at: at * Self.rate), parts(boosted, at: at * Self.rate))
                #expect(now.common / was.common > 0.85, "at \(at): the middle kept \(now.common / was.common)")
                #expect(abs(10 * log10(now.side / was.side) + 12) < 1, "at \(at): the sides fell by \(10 * log10(now.side / was.side)) dB")
            }
        }
    }

    @Test func whatCannotBeBoostedIsNotOfferedAndSaysWhy() async throws {
        let fixture = try FFmpegFixture()
        let mono = try await tones(fixture, "mono.mkv", layout: "mono", channels: 1, codec: "-c:a ac3")
        try await ServedMedia.serve(mono, options: .init(dialogueBoost: [.medium])) { served in
            #expect(served.presentation.multivariant.renditions.count == 1)
            #expect(await served.session.dialogueBoostRefusal?.contains("one channel") ?? false)
        }
        let film = try await tones(fixture, "film.mkv", layout: "stereo", channels: 2, codec: "-c:a ac3")
        try await ServedMedia.serve(film, options: .init(playsSequentially: true, dialogueBoost: [.medium])) { served in
            #expect(served.presentation.multivariant.renditions.count == 1)
            #expect(await served.session.dialogueBoostRenditions.isEmpty)
            #expect(await served.session.dialogueBoostRefusal?.contains("without a plan") ?? false)
        }
    }

    // MARK: Everything else

    @Test func aCapFoldsAsTheRecommendationSaysAndDecidesTheEncoder() async throws {
        let fixture = try FFmpegFixture()
        let url = try await tones(fixture, "film.mkv", layout: "5.1(side)", channels: 6, codec: "-c:a ac3 -b:a 640k")
        try await ServedMedia.serve(url, options: .init(audioShaping: AudioShaping(maxChannels: 2))) { served in
            guard case .bridged(_, codec: "fLaC", channels: 2, _, let reason) = await served.session.audioTrackDeliveries.first?.route else {
                Issue.record("\(await served.session.audioTrackDeliveries)")
                return
            }
            #expect(reason.contains("shaped"))
            let heard = try await sound(served)
            for (channel, source, expected) in [(0, 0, 0.0), (0, 2, -3.01), (0, 4, -3.01), (1, 1, 0), (1, 2, -3.01), (1, 5, -3.01)] {
                #expect(abs(Self.level(heard, channel, of: source) + 20 - expected) < 0.2, "\(source) on \(channel)")
            }
            for (channel, source) in [(0, 1), (0, 5), (0, 3), (1, 0), (1, 4), (1, 3)] { #expect(Self.level(heard, channel, of: source) < -55) }
        }
        // What it does not change is not touched.
        try await ServedMedia.serve(url, options: .init(audioShaping: AudioShaping(maxChannels: 6))) { served in
            guard case .copied = await served.session.audioTrackDeliveries.first?.route else {
                Issue.record("\(await served.session.audioTrackDeliveries)")
                return
            }
        }
    }

    /// What is heard of a whole film, over all its joins, is what one shaper makes of it from end to end: no gap, no step, no sample moved.
    @Test(arguments: [
        AudioShaping(maxChannels: 1), AudioShaping(dialogueGainDB: 6), AudioShaping(compressor: .night), AudioShaping(maxChannels: 1, dialogueGainDB: 9, compressor: .night),
    ])
    func theWholeFilmIsShapedAsOnePieceAcrossItsJoins(shaping: AudioShaping) async throws {
        let fixture = try FFmpegFixture()
        let count = 20 * Self.rate
        // Loud and quiet by turns, so that gains move at every join.
        let noise = (0..<2).map { channel in
            Noise(zip(0..., Noise(count: count, seed: UInt64(channel + 1)).samples).map { (i: Int, x: Float) in (i / 33_000) % 2 == 0 ? x * 1.9 : x * 0.1 })
        }
        try Noise.wave(noise, rate: Self.rate).write(to: fixture.url("noise.wav"))
        let url = try await fixture.make("film.mkv", "\(Self.picture) -i {folder}/noise.wav -map 0:v -map 1:a \(Self.pictureCodec) -c:a pcm_s16le")
        let source = noise.map { $0.samples.map { Float(Int16(($0 * 32767).rounded())) / 32768 } }
        let asked = Shaping(maximumChannels: shaping.maxChannels, dialogueGain: shaping.dialogueGainDB, compression: shaping.compressor == .night ? .night : nil)
        var shaper = SoundShaper(asked, sampleRate: Self.rate, from: .stereo, to: asked.speakers(of: .stereo), at: 0)
        let expected = shaper.process(source.map { $0 + [Float](repeating: 0, count: shaper.lookAhead) })
        try await ServedMedia.serve(url, options: .init(audioShaping: shaping)) { served in
            #expect(served.presentation.renditions[1].segments.count > 3)
            let heard = try await sound(served)
            #expect(heard.channels == expected.count && heard.start == 0)
            for channel in expected.indices {
                let found = heard.window(channel, at: 0, count: count)
                let wrong = found.indices.filter { abs(found[$0] - min(max(expected[channel][$0], -1), 1)) > 1.01 / 32768 }
                #expect(wrong.isEmpty, "channel \(channel): \(wrong.count) samples, first \(wrong.first.map { Double($0) / 48000 } ?? 0) s")
            }
        }
    }

    @Test(arguments: [
        ("order.mkv", "-c:a:0 ac3 -c:a:1 pcm_s16le", AudioShaping.none, [DialogueBoost.medium, .strong]),
        ("order.mkv", "-c:a:0 dca -c:a:1 aac -strict -2 -filter:a:0 aformat=channel_layouts=5.1(side)", .none, [.medium]),
        ("order.mp4", "-c:a:0 aac -c:a:1 ac3", AudioShaping(maxChannels: 2, dialogueGainDB: 6, compressor: .night), []),
        ("order.ts", "-c:a:0 mp2 -c:a:1 ac3", AudioShaping(compressor: .night), [.medium]),
    ])
    func bytesDoNotDependOnOrderParallelismEvictionOrSession(name: String, codecs: String, shaping: AudioShaping, boost: [DialogueBoost]) async throws {
        let fixture = try FFmpegFixture()
        try await DeterminismTests.orderDoesNotMatter(
            try await fixture.make(name, "\(DeterminismTests.film) -t 32 -c:v libx264 -preset ultrafast -bf 2 -g 24 \(codecs)"),
            options: .init(dialogueBoost: boost, audioShaping: shaping))
    }
}
