import Foundation
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// Sound out of a session's cache: each sample at its place, of what is there, and nothing changed by asking.
@Suite(.fewAtATime) struct CachedAudioTests {
    private static let rate = 48000

    private func film(_ fixture: FFmpegFixture, _ name: String, _ codec: String, rate: Int = Self.rate, seconds: Int = 14) async throws -> (URL, [Noise]) {
        let noise = (0..<2).map { Noise(count: seconds * rate, seed: UInt64($0 + 1), smoothing: 4) }
        try Noise.wave(noise, rate: rate).write(to: fixture.url("noise.wav"))
        let url = try await fixture.make(
            name, "-f lavfi -i testsrc2=s=160x90:r=24:d=\(seconds) -i {folder}/noise.wav -map 0:v -map 1:a -c:v libx264 -preset ultrafast -bf 2 -g 24 \(codec)")
        return (url, noise)
    }

    private static func mono(_ noise: [Noise]) -> Noise { Noise(zip(noise[0].samples, noise[1].samples).map { ($0 + $1) / 2 }) }

    /// What the served segments sound like, in the same place.
    @Test(arguments: [
        ("film.mkv", "-c:a aac", false), ("film.mp4", "-c:a aac", false), ("film.mkv", "-c:a eac3", false), ("film.mkv", "-c:a ac3 -ac 6", false), ("film.mkv", "-c:a flac", false),
        ("film.mp4", "-c:a alac", false), ("film.mkv", "-c:a libmp3lame", false), ("film.mkv", "-c:a pcm_s16le -ac 6", false), ("film.mp4", "-c:a aac", true),
        ("film.ts", "-c:a mp2 -muxdelay 0 -output_ts_offset 600", false),
    ])
    func everySampleIsWhereThePlayerHearsIt(name: String, codec: String, isJoined: Bool) async throws {
        let fixture = try FFmpegFixture()
        let (url, _) = try await film(fixture, name, codec)
        try await ServedMedia.serve(url, options: .init(forceMuxedShape: isJoined)) { served in
            if !isJoined { _ = try await served.bytes(served.presentation.renditions[0]) }
            let heard = try HeardSound(bytes: try await served.bytes(served.presentation.renditions[isJoined ? 0 : 1]), streamIndex: isJoined ? 1 : 0)
            let low = heard.channels == 6 ? 3 : -1
            let channels = heard.samples.indices.filter { $0 != low }
            let origin = Double(heard.start) / Double(Self.rate)
            for (from, duration) in [(0.2, 1.0), (1.9, 0.4), (3.3333, 5.0), (7.99, 4.7), (12.5, 1.0)] as [(Double, Double)] {
                let clip = try #require(try await served.session.cachedAudio(from: max(origin, 0) + from, duration: duration), "\(from)")
                let position = Int((clip.startTime * Double(Self.rate)).rounded())
                #expect(abs(clip.startTime - max(origin, 0) - from) <= 0.5 / Double(Self.rate) + 1e-9)
                #expect(clip.samples.count == Int((duration * Double(Self.rate)).rounded()))
                let windows = channels.map { heard.window($0, at: position, count: clip.samples.count) }
                var (worst, error, energy) = (Float(0), Float(0), Float(0))
                for at in clip.samples.indices {
                    let wanted = windows.reduce(0) { $0 + $1[at] } / Float(windows.count)
                    worst = max(worst, abs(wanted - clip.samples[at]))
                    error += (wanted - clip.samples[at]) * (wanted - clip.samples[at])
                    energy += wanted * wanted
                }
                // Decoders of Dolby's codecs dither where nothing was coded. This noise moved by one sample is off by half its energy.
                let isDithered = codec.contains("ac3") || codec.contains("-ac 6")
                #expect(isDithered ? error < 0.15 * energy : worst < 1e-3, "\(name) \(codec) from \(from): off by \(worst), \(error) of \(energy)")
                let mean = Noise(clip.samples.indices.map { at in windows.reduce(0) { $0 + $1[at] } / Float(windows.count) })
                let found = mean.lag(of: HeardSound(samples: [clip.samples], start: 0, sampleRate: Self.rate), channel: 0, at: 8000, count: 4000)
                #expect(found.samples == 0 && found.likeness > 0.9, "\(name) \(codec) from \(from): \(found)")
            }
        }
    }

    /// Against the samples that went in: lossless sound is there bit for bit, at 44.1 kHz to the sample.
    @Test(arguments: [("-c:a flac", 48000), ("-c:a pcm_s24le", 48000), ("-c:a alac", 44100), ("-c:a flac", 96000)])
    func knownSamplesAreAtTheirPlace(codec: String, rate: Int) async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", codec, rate: rate)
        var reference = Self.mono(noise)
        if rate != Self.rate {
            let wave = try await fixture.make("reference.wav", "-i {folder}/noise.wav -ar 48000 -c:a pcm_f32le")
            reference = Noise(try HeardSound(bytes: [UInt8](try Data(contentsOf: wave))).mono.samples[0])
        }
        try await ServedMedia.serve(url) { served in
            _ = try await served.bytes(served.presentation.renditions[0])
            _ = try await served.bytes(served.presentation.renditions[1])
            for from in [0, 1.99, 2.0, 5.25, 7.9, 10.1] {
                let clip = try #require(try await served.session.cachedAudio(from: from, duration: 3))
                let position = Int((clip.startTime * Double(Self.rate)).rounded())
                let heard = HeardSound(samples: [clip.samples], start: position, sampleRate: Self.rate)
                for offset in [2000, 40_000, 100_000, 141_000] {
                    let found = reference.lag(of: heard, channel: 0, at: position + offset, count: 2000)
                    #expect(found.samples == 0 && found.likeness > 0.99, "\(codec) at \(from) + \(offset): \(found)")
                }
            }
        }
    }

    @Test func whatIsNotThereIsNilAndNothingIsDoneForIt() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "two.mkv",
            "-f lavfi -i testsrc2=s=160x90:r=24:d=60 -f lavfi -i sine=440:r=48000:d=60 -map 0 -map 1 -map 1 -c:v libx264 -preset ultrafast -g 24 -c:a:0 aac -c:a:1 libmp3lame -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu")
        let session = PrismCoreSession(url: url)
        await #expect(throws: CachedAudioError.notServing) { _ = try await session.cachedAudio(from: 0, duration: 1) }
        _ = try await session.startWithoutHurry()
        // Only the first segment is wanted before somebody comes.
        #expect(try await session.cachedAudio(from: 50, duration: 5) == nil)
        #expect(try await session.cachedAudio(from: -1, duration: 2) == nil)
        #expect(try await session.cachedAudio(from: 59, duration: 5) == nil, "it reaches beyond the film")
        #expect(try await session.cachedAudio(from: 0, duration: 1, renditionName: "German") == nil)
        #expect(await session.audioRenditionProductions.map(\.state) == [.produced, .resting], "nobody was woken")
        #expect(await session.residentRanges.allSatisfy { $0.upperBound < 50 })
        await #expect(throws: CachedAudioError.unknownRendition("Klingon")) { _ = try await session.cachedAudio(from: 0, duration: 1, renditionName: "Klingon") }
        for (from, duration) in [(0, 0), (0, -1), (0, 30.5), (.nan, 1), (0, .nan), (.infinity, 1), (0, .infinity), (1e300, 1)] as [(Double, Double)] {
            await #expect(throws: CachedAudioError.invalidRange) { _ = try await session.cachedAudio(from: from, duration: duration) }
        }
        await session.stop()
        await #expect(throws: CachedAudioError.notServing) { _ = try await session.cachedAudio(from: 0, duration: 1) }
    }

    @Test func aFilmWithoutSoundHasNone() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("silent.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=6 -c:v libx264 -preset ultrafast -g 24")
        try await ServedMedia.serve(url) { served in
            await #expect(throws: CachedAudioError.noAudio) { _ = try await served.session.cachedAudio(from: 0, duration: 1) }
            #expect(await served.session.audioDelivery == .noAudioInSource)
        }
    }

    // MARK: The tap

    private struct Heard {
        var start: Int?
        var samples: [Float] = []
        var jumps: [Double] = []
    }

    private static func listen(_ tap: AudioTap, until end: Double = .infinity) async throws -> Heard {
        var heard = Heard()
        for try await block in tap {
            #expect(!block.samples.isEmpty && block.samples.count <= rate)
            if block.isDiscontinuous { heard.jumps.append(block.startTime) }
            if heard.start == nil { heard.start = Int((block.startTime * Double(rate)).rounded()) }
            heard.samples += block.samples
            if block.startTime >= end { break }
        }
        return heard
    }

    @Test(arguments: [("-c:a flac", false), ("-c:a pcm_s16le", false), ("-c:a flac", true)]) func theTapHearsTheWholeFilm(codec: String, isSequential: Bool) async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", codec)
        let reference = Self.mono(noise)
        try await ServedMedia.serve(url, options: .init(playsSequentially: isSequential)) { served in
            let tap = try await served.session.audioTap(from: 0)
            async let listening = Self.listen(tap)
            if isSequential {
                // Somebody has come; the rest is produced ahead.
                for rendition in served.presentation.renditions.prefix(2) { _ = try await served.client.get(try #require(rendition.segments.first)) }
            } else {
                _ = try await served.bytes(served.presentation.renditions[0])
                _ = try await served.bytes(served.presentation.renditions[1])
            }
            let heard = try await listening
            #expect(heard.start == 0 && heard.jumps.isEmpty)
            #expect(abs(heard.samples.count - 14 * Self.rate) <= 4608)
            let count = min(heard.samples.count, reference.samples.count)
            let worst = zip(heard.samples[..<count], reference.samples[..<count]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(worst < 1e-3, "each sample is its own: \(worst)")
        }
    }

    @Test func theTapGoesWhereTheViewerGoes() async throws {
        let fixture = try FFmpegFixture()
        let (url, noise) = try await film(fixture, "film.mkv", "-c:a flac", seconds: 100)
        let reference = Self.mono(noise)
        try await ServedMedia.serve(url) { served in
            let (video, audio) = (served.presentation.renditions[0], served.presentation.renditions[1])
            for rendition in [video, audio] { _ = try await served.client.get(rendition.segments[0]) }
            let tap = try await served.session.audioTap()
            var iterator = tap.makeAsyncIterator()
            let first = try #require(try await iterator.next())
            // The viewer's segment, or the one behind it where production ahead has taken its room meanwhile.
            #expect(first.startTime <= audio.playlist.segments[0].duration.seconds && !first.isDiscontinuous)
            // The last segment but one, out of what was produced ahead.
            let far = audio.segments.count - 2
            for rendition in [video, audio] { _ = try await served.client.get(rendition.segments[far]) }
            var seen: AudioTap.Block?
            while let block = try await iterator.next() {
                if block.startTime > 80 {
                    seen = block
                    break
                }
            }
            let block = try #require(seen)
            #expect(block.isDiscontinuous)
            let position = Int((block.startTime * Double(Self.rate)).rounded())
            let heard = HeardSound(samples: [block.samples], start: position, sampleRate: Self.rate)
            let found = reference.lag(of: heard, channel: 0, at: position + 20_000, count: 2000)
            #expect(found.samples == 0 && found.likeness > 0.99)
            // To the film's end, and no further.
            _ = try await served.client.get(audio.segments[far + 1])
            while try await iterator.next() != nil {}
        }
    }

    @Test func whoListensCanLeaveAndTheSessionToo() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "two.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=20 -f lavfi -i sine=440:r=48000:d=20 -map 0 -map 1 -map 1 -c:v libx264 -preset ultrafast -g 24 -c:a:0 aac -c:a:1 libmp3lame -metadata:s:a:1 language=deu")
        try await ServedMedia.serve(url) { served in
            // A track that nobody hears is not woken: the tap waits.
            let tap = try await served.session.audioTap(renditionName: "German")
            let listening = Task { try await Self.listen(tap) }
            let other = Task { try await Self.listen(tap) }
            listening.cancel()
            await #expect(throws: CancellationError.self) { _ = try await listening.value }
            #expect(await served.session.audioRenditionProductions.last?.state == .resting)
            await served.session.stop()
            let heard = try await other.value
            #expect(heard.samples.isEmpty)
            await #expect(throws: CachedAudioError.notServing) { _ = try await served.session.audioTap() }
        }
    }
}
