import BitsAndTime
import Foundation
import HLS
import Libav
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// Tracks that are decoded and encoded: at their place to the sample, on their channels, in the language's rendition, and never for nobody.
@Suite(.fewAtATime) struct AudioBridgeTests {
    static let picture = "-f lavfi -i testsrc2=s=160x90:r=24:d=20"
    static let pictureCodec = "-c:v libx264 -preset ultrafast -bf 2 -g 24"
    private static let rate = 48000

    /// A film whose sound is noise of known samples, one seed a channel.
    private func film(_ fixture: FFmpegFixture, _ name: String, codec: String, channels: Int = 2, rate: Int = Self.rate, seconds: Int = 20) async throws -> (URL, [Noise]) {
        let noise = (0..<channels).map { Noise(count: seconds * rate, seed: UInt64($0 + 1), smoothing: rate <= 24000 ? 2 : 4) }
        try Noise.wave(noise, rate: rate).write(to: fixture.url("noise.wav"))
        return (try await fixture.make(name, "\(Self.picture) -i {folder}/noise.wav -map 0:v -map 1:a \(Self.pictureCodec) \(codec)"), noise)
    }

    private func sound(_ served: ServedMedia, rendition: Int = 1) async throws -> HeardSound {
        try HeardSound(bytes: try await served.bytes(served.presentation.renditions[rendition]))
    }

    // MARK: Damage

    /// One time that is days off puts neither days of silence into a segment nor an end to the sound behind it: that packet is where the one before it ends.
    @Test(arguments: [("middle.mkv", 200), ("last.mkv", 830), ("middle.nut", 200)]) func aPacketWithAWrongTimeIsWhereItBelongs(name: String, frame: Int) async throws {
        let fixture = try FFmpegFixture()
        let (whole, noise) = try await film(fixture, "whole.mkv", codec: "-c:a libmp3lame -b:a 320k")
        let url = try await fixture.make(name, "-i {folder}/whole.mkv -map 0 -c copy -bsf:a setts=pts=if(eq(N\\,\(frame))\\,PTS+7200/TB\\,PTS):dts=DTS")
        var reference: HeardSound?
        try await ServedMedia.serve(whole) { reference = try await sound($0) }
        try await ServedMedia.serve(url) { served in
            let heard = try await sound(served)
            let reference = try #require(reference)
            #expect(abs(heard.samples[0].count - reference.samples[0].count) <= 4096, "\(heard.samples[0].count) samples, and \(reference.samples[0].count) of the whole film")
            // The encoder's own delay, which not every container says.
            let delay = noise[0].lag(of: heard, channel: 0, at: 3 * Self.rate, reach: 6000).samples
            for time in [3, 4.78, 4.8, 4.82, 8, 19, 19.9] {
                let found = noise[0].lag(of: heard, channel: 0, at: Int(time * Double(Self.rate)) - 1024 - delay, around: delay)
                #expect(abs(found.samples - delay) <= 1 && found.likeness > 0.9, "at \(time): \(found), expected \(delay)")
            }
        }
    }

    // MARK: Time

    @Test(arguments: [
        ("film.mkv", "-c:a libmp3lame -b:a 320k", 2), ("film.mp4", "-c:a libmp3lame -b:a 320k", 2), ("mono.mkv", "-c:a libmp3lame -b:a 192k", 1),
        ("film.mkv", "-c:a libopus -b:a 256k", 2), ("film.mkv", "-c:a libvorbis -q:a 8", 2), ("film.mkv", "-c:a pcm_s16le", 2), ("film.mkv", "-c:a mp2 -b:a 384k", 2),
        ("film.ts", "-c:a mp2 -b:a 384k", 2), ("film.mov", "-c:a pcm_s16be", 2), ("film.mkv", "-c:a dca -strict -2 -b:a 1509k", 2), ("film.mkv", "-c:a truehd -strict -2", 2),
        ("surround.mkv", "-c:a dca -strict -2 -b:a 1509k -af aformat=channel_layouts=5.1(side)", 6), ("surround.mkv", "-c:a pcm_s16le -af aformat=channel_layouts=5.1", 6),
        ("surround.mkv", "-c:a truehd -strict -2 -af aformat=channel_layouts=5.1(side)", 6),
    ])
    func everySampleIsAtItsPlaceFromTheHeadAndAcrossJoins(name: String, codec: String, channels: Int) async throws {
        try await everySampleIsAtItsPlace(name: name, codec: codec, channels: channels, becomes: channels > 2 ? "ec-3" : "fLaC")
    }

    func everySampleIsAtItsPlace(name: String, codec: String, channels: Int, becomes expectedString: String, options: PrismCoreSession.Options = .init()) async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, name, codec: codec, channels: channels)
        // The encoder's own delay, where the container does not say it, is the author's. Where it does, Matroska rounds it to a millisecond.
        let origin = try HeardSound(bytes: [UInt8](try Data(contentsOf: url)), streamIndex: 1, tolerance: 100)
        let measured = noise[0].lag(of: origin, channel: 0, at: 5 * Self.rate, around: origin.start, reach: 3000).samples
        let expected = abs(measured) <= 48 ? 0 : measured
        try await ServedMedia.serve(url, options: options) { served in
            guard case .bridged(_, let codecString, let count, isDefault: true, _) = await served.session.audioTrackDeliveries.first?.route else {
                Issue.record("\(await served.session.audioTrackDeliveries)")
                return
            }
            #expect(codecString == expectedString)
            #expect(count == channels)
            let heard = try await sound(served)
            #expect(heard.channels == channels)
            #expect(served.presentation.multivariant.renditions.first?.channels == "\(channels)")
            let joins = try await Self.joins(served)
            #expect(joins.count > 2)
            for join in [0.5, 19] + joins + joins.map({ $0 + 0.02 }) + joins.map({ $0 - 0.1 }) {
                let position = Int(join * Double(Self.rate)) - 1024
                guard position > 0 else { continue }
                let found = noise[0].lag(of: heard, channel: 0, at: position, around: expected)
                #expect(abs(found.samples - expected) <= 1, "\(name) \(codec) at \(join): \(found), expected \(expected)")
                #expect(found.likeness > 0.9, "\(name) \(codec) at \(join): \(found)")
            }
            #expect(await served.session.audioRenditionProductions.first?.bridge?.failures == 0)
        }
    }

    /// Where segments begin, in seconds of presentation.
    private static func joins(_ served: ServedMedia) async throws -> [Double] {
        var time = 0.0
        var joins: [Double] = []
        for segment in served.presentation.renditions[0].playlist.segments {
            joins.append(time)
            time += segment.duration.seconds
        }
        return Array(joins.dropFirst())
    }

    @Test(arguments: ["pcm_s16le", "pcm_s24le", "flac -frame_size 128", "truehd -strict -2"])
    func whatIsLosslessStaysLossless(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", codec: "-c:a \(codec)")
        try await ServedMedia.serve(url) { served in
            let heard = try await sound(served)
            for channel in 0..<2 {
                let count = 19 * Self.rate
                let wanted = noise[channel].samples[..<count].map { Int(($0 * 32767).rounded()) }
                #expect(heard.window(channel, at: 0, count: count).map { Int(($0 * 32768).rounded()) } == wanted)
            }
        }
    }

    @Test func aRateTheEncoderDoesNotTakeIsConvertedInPlace() async throws {
        let fixture = try FFmpegFixture()
        let (url, _) = try await film(fixture, "film.mkv", codec: "-c:a pcm_s24le -af aformat=channel_layouts=5.1", channels: 6, rate: 96000)
        let origin = try HeardSound(bytes: [UInt8](try Data(contentsOf: try await fixture.make("ref.wav", "-i {folder}/noise.wav -ar 48000 -c:a pcm_f32le"))))
        let reference = Noise(origin.samples[0])
        try await ServedMedia.serve(url) { served in
            let heard = try await sound(served)
            #expect(heard.sampleRate == 48000)
            for join in try await Self.joins(served) + [1, 19] {
                let found = reference.lag(of: heard, channel: 0, at: Int(join * 48000) - 1024)
                #expect(abs(found.samples) <= 1 && found.likeness > 0.95, "\(join): \(found)")
            }
        }
    }

    // MARK: The determinism law

    @Test(arguments: [
        ("order.mkv", "-c:a:0 libmp3lame -c:a:1 pcm_s16le"), ("order.mkv", "-c:a:0 libopus -c:a:1 libvorbis"),
        ("order.mkv", "-c:a:0 dca -c:a:1 truehd -strict -2 -filter:a aformat=channel_layouts=5.1(side)"), ("order.mp4", "-c:a:0 aac -c:a:1 libmp3lame"),
        ("order.ts", "-c:a:0 mp2 -c:a:1 dca -strict -2"),
    ])
    func bytesDoNotDependOnOrderParallelismEvictionOrSession(name: String, codecs: String) async throws {
        let fixture = try FFmpegFixture()
        try await DeterminismTests.orderDoesNotMatter(
            try await fixture.make(name, "\(DeterminismTests.film) -t 32 -c:v libx264 -preset ultrafast -bf 2 -g 24 \(codecs)"))
    }

    // MARK: Channels

    @Test(arguments: [
        ("mono", AudioBridgeMode.surroundCompat), ("stereo", .surroundCompat), ("2.1", .surroundCompat), ("3.0", .surroundCompat), ("3.1", .surroundCompat), ("4.0", .surroundCompat),
        ("quad", .surroundCompat), ("5.0", .surroundCompat), ("5.0(side)", .surroundCompat), ("5.1", .surroundCompat), ("5.1(side)", .surroundCompat),
        ("6.1", .surroundCompat), ("7.1", .surroundCompat), ("mono", .lossless), ("2.1", .lossless), ("3.0", .lossless), ("4.0", .lossless), ("quad", .lossless),
        ("5.0(side)", .lossless), ("5.1", .lossless), ("5.1(side)", .lossless), ("6.1", .lossless), ("7.1", .lossless),
    ])
    func eachToneLandsOnItsSpeaker(layout: String, mode: AudioBridgeMode) async throws {
        try await eachToneLands(layout: layout, options: .init(audioBridgeMode: mode))
    }

    func eachToneLands(layout: String, options: PrismCoreSession.Options) async throws {
        let fixture = try FFmpegFixture()
        let names: [String: [String]] = [
            "mono": ["FC"], "stereo": ["FL", "FR"], "2.1": ["FL", "FR", "LFE"], "3.0": ["FL", "FR", "FC"], "3.1": ["FL", "FR", "FC", "LFE"], "4.0": ["FL", "FR", "FC", "BC"],
            "quad": ["FL", "FR", "BL", "BR"], "quad(side)": ["FL", "FR", "SL", "SR"], "5.0": ["FL", "FR", "FC", "BL", "BR"], "5.0(side)": ["FL", "FR", "FC", "SL", "SR"],
            "5.1": ["FL", "FR", "FC", "LFE", "BL", "BR"], "5.1(side)": ["FL", "FR", "FC", "LFE", "SL", "SR"],
            "6.1": ["FL", "FR", "FC", "LFE", "BC", "SL", "SR"], "7.1": ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"],
        ]
        let speakers = try #require(names[layout])
        // The low-frequency channel of a coder ends at 120 Hz or so.
        func hertz(_ speaker: String) -> Double { speaker == "LFE" ? 60 : 400 + 200 * Double(["FL", "FR", "FC", "BL", "BR", "SL", "SR", "BC"].firstIndex(of: speaker) ?? 0) }
        let tones = speakers.map { "0.2*sin(2*PI*\(hertz($0))*t)" }.joined(separator: "|")
        let url = try await fixture.make(
            "film.mov", "-f lavfi -i testsrc2=s=160x90:r=24:d=6 -f lavfi -i aevalsrc=\(tones):c=\(layout):s=48000:d=6 \(Self.pictureCodec) -c:a pcm_s16le")
        try await ServedMedia.serve(url, options: options) { served in
            let heard = try await sound(served)
            let served = try #require(names[heard.layout], "\(heard.layout)")
            /// Where a tone may be: its own speaker, or the ones that stand in for it.
            func places(_ speaker: String) -> Set<String> {
                if served.contains(speaker) { return [speaker] }
                return switch speaker {
                case "BL": ["SL"]
                case "BR": ["SR"]
                case "SL": ["BL"]
                case "SR": ["BR"]
                default: served.contains("BL") ? ["BL", "BR"] : ["SL", "SR"]
                }
            }
            for speaker in speakers {
                for (channel, name) in served.enumerated() {
                    let level = heard.level(of: hertz(speaker), channel: channel, at: 3 * heard.sampleRate, count: 24000)
                    #expect(places(speaker).contains(name) ? level > 0.1 : level < 0.01, "\(speaker) on \(name): \(level)")
                }
            }
        }
    }

    // MARK: Silence

    @Test(arguments: ["libmp3lame", "pcm_s16le -ac 6"])
    func whatATrackDoesNotHaveIsSilenceInWholeFrames(codec: String) async throws {
        let fixture = try FFmpegFixture()
        try await fixture.make("tone.wav", "-f lavfi -i sine=1000:r=48000:d=4")
        let url = try await fixture.make(
            "gaps.mkv", "\(Self.picture) -itsoffset 7 -i {folder}/tone.wav -map 0:v -map 1:a \(Self.pictureCodec) -c:a \(codec)")
        try await ServedMedia.serve(url) { served in
            let heard = try await sound(served)
            #expect(heard.start <= 0 && heard.start > -4096)
            #expect(abs(heard.start + heard.samples[0].count - 20 * 48000) <= 4096)
            for (seconds, isHeard) in [(1.0, false), (6.9, false), (7.2, true), (10.8, true), (11.2, false), (16, false), (19.8, false)] as [(Double, Bool)] {
                let level = heard.level(of: 1000, channel: heard.channels > 2 ? 2 : 0, at: Int(seconds * 48000), count: 2400)
                #expect(isHeard ? level > 0.05 : level < 0.001, "\(seconds): \(level)")
            }
            // Segments without any of the track are there too, and alike in another session.
            var bytes: [[UInt8]] = []
            for segment in served.presentation.renditions[1].segments { bytes.append(try await served.client.get(segment)) }
            let expected = bytes
            try await ServedMedia.serve(url) { other in
                for (segment, expected) in zip(other.presentation.renditions[1].segments, expected).reversed() {
                    let bytes = try await other.client.get(segment)
                    #expect(bytes == expected, "\(segment.path)")
                }
            }
        }
    }

    // MARK: Demand

    @Test func aTrackNobodyHearsCostsNothingAndIsThereWhenAskedFor() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "two.mkv", "\(Self.picture) -f lavfi -i sine=440:r=48000:d=20 -map 0 -map 1 -map 1 \(Self.pictureCodec) -c:a:0 ac3 -c:a:1 dca -strict -2 -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu")
        try await ServedMedia.serve(url) { served in
            _ = try await served.bytes(served.presentation.renditions[0])
            _ = try await served.bytes(served.presentation.renditions[1])
            var productions = await served.session.audioRenditionProductions
            #expect(productions.map(\.state) == [.produced, .resting])
            #expect(productions.map { $0.bridge == nil } == [true, false])
            #expect(productions[1].bridge?.packets == 0, "nothing was decoded")
            #expect(AudioRenditionProduction.summary(productions) == "English (default): copied; German: bridged, resting")
            let heard = try await sound(served, rendition: 2)
            #expect(heard.samples[0].count >= 19 * 48000)
            productions = await served.session.audioRenditionProductions
            #expect(productions[1].state == .produced)
            #expect(productions[1].bridge?.producedNoAudio == false)
        }
    }

    @Test func aSequentialSessionBridgesTheTrackItStartsWithOnly() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.makeUnindexed(
            "two.avi", "\(Self.picture) -f lavfi -i sine=440:r=48000:d=20 -map 0 -map 1 -map 1 \(Self.pictureCodec) -bf 0 -c:a:0 libmp3lame -c:a:1 mp2")
        try await ServedMedia.serve(url) { served in
            let routes = await served.session.audioTrackDeliveries.map(\.route)
            guard case .bridged(_, "fLaC", _, isDefault: true, _) = routes[0], case .leftOut(let reason) = routes[1] else {
                Issue.record("\(routes)")
                return
            }
            #expect(reason.contains("without a plan"))
            #expect(served.presentation.multivariant.renditions.count == 1)
        }
    }

    @Test func onePlaylistCarriesABridgedTrackToo() async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", codec: "-c:a pcm_s16le")
        try await ServedMedia.serve(url, options: .init(forceMuxedShape: true)) { served in
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[0]), streamIndex: 1)
            let found = noise[1].lag(of: heard, channel: 1, at: 13 * Self.rate)
            #expect(found.samples == 0 && found.likeness > 0.999)
        }
    }
}

extension Noise {
    init(_ samples: [Float]) { self.samples = samples }
}

/// Real streams of codecs that nothing here encodes, from PRISM_MEDIA, under a picture of our own.
@Suite(.serialized, .fewAtATime) struct AudioBridgeMediaTests {
    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    static let files = [
        "audio/exo/mp4/sample_dthd.mp4", "audio/exo/mp4/sample_dts_hd_ma.mp4", "audio/exo/mp4/sample_dts_express.mp4", "audio/fate/dts/dts.ts",
        "audio/mp4parser/muxer/tracks/dts-sample.mp4", "matroska/exo/mkv/sample_with_dts_x.mkv", "audio/exo/mp3/bear-id3.mp3", "audio/exo/mp3/bear-vbr-xing-header.mp3",
        "audio/exo/ogg/bear.opus", "audio/exo/amr/sample_wb.amr", "audio/exo/mp4/sample_twos_pcm.mp4",
        "audio/exo/wav/sample_96khz.wav", "audio/exo/wav/sample_ima_adpcm.wav", "audio/fate/dts/xll_71_24_48_768_0.wav", "audio/fate/dts/xll_51_16_192_768_1.wav",
    ]

    @Test(.enabled(if: media != nil), arguments: files) func isHeardAsFFmpegDecodesIt(_ name: String) async throws {
        let fixture = try FFmpegFixture()
        let source = URL(fileURLWithPath: Self.media ?? "/").appendingPathComponent(name).path
        let url = try await fixture.make(
            "film.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=8 -i \(source) -map 0:v -map 1:a:0 -c:v libx264 -preset ultrafast -g 24 -c:a copy -t 8")
        try await ServedMedia.serve(url, options: .init(audioBridgeMode: .lossless)) { served in
            guard case .bridged = await served.session.audioTrackDeliveries.first?.route else {
                Issue.record("\(await served.session.audioTrackDeliveries)")
                return
            }
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[1]))
            let wave = try await fixture.make(
                "reference.wav", "-i {folder}/film.mkv -map 0:a -ar \(heard.sampleRate) -ac \(heard.channels) -c:a pcm_f32le")
            let reference = try HeardSound(bytes: [UInt8](try Data(contentsOf: wave)), tolerance: 100)
            // On the channel and in the place where it is loudest, since a lag is read off what is heard there.
            let length = heard.sampleRate / 16
            var best = (channel: 0, at: 0, energy: Float(0))
            for channel in reference.samples.indices {
                for at in stride(from: length, to: reference.samples[channel].count - 2 * length, by: length) {
                    let energy = reference.samples[channel][at..<at + length].reduce(0) { $0 + $1 * $1 }
                    if energy > best.energy { best = (channel, at, energy) }
                }
            }
            // Some are as short as a few frames, or silent.
            if best.energy > 0.01 {
                let found = Noise(reference.samples[best.channel]).lag(of: heard, channel: best.channel, at: best.at, count: length, reach: heard.sampleRate / 500)
                #expect(abs(found.samples) <= heard.sampleRate / 1000 + 1 && found.likeness > 0.9, "\(name): \(found), \(best) of \(reference.samples[0].count)")
            }
            #expect(await served.session.audioRenditionProductions.first?.bridge?.failures == 0)
        }
    }
}
