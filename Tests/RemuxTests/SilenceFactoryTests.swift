import Bitstreams
import BitsAndTime
import Foundation
import Libav
import TestSupport
import Testing

@testable import Remux

@Suite struct SilenceFactoryTests {
    /// The first track of a file that an encoder made, and its silence.
    private struct Track {
        let description: TrackDescription
        let head: [Packet]
        let parameters: CodecParameters
        let silence: SilenceFactory.Product
    }

    private static func track(_ url: URL, stream: Int = 0) throws -> Track {
        let demuxer = try Demuxer(url: url.path)
        try demuxer.findStreamInfo()
        var head: [Packet] = []
        while head.count < 30, let packet = try demuxer.readPacket() {
            if packet.streamIndex == stream { head.append(packet) }
        }
        guard case .copyable(let track) = TrackAnalyzer.audio(demuxer.streams[stream], head: head) else {
            throw SilenceFactory.Refusal(reason: "it is not copied")
        }
        let parameters = try #require(CodecParameters(demuxer: demuxer, streamIndex: stream))
        return Track(
            description: track.description, head: head, parameters: parameters,
            silence: try SilenceFactory.make(track.description, head: head, parameters: parameters))
    }

    private static func track(_ arguments: String) async throws -> Track {
        let fixture = try FFmpegFixture()
        return try track(try await fixture.make("sound.mkv", "-f lavfi -i sine=440:r=48000:d=3 \(arguments)"))
    }

    /// Samples of these frames, decoded one after the other.
    private static func decode(_ frames: [[UInt8]], _ track: Track) throws -> [(channels: Int, rate: Int, samples: [Float])] {
        let decoder = try Decoder(track.parameters, keepsSkippedSamples: true)
        return try frames.map { bytes in
            let packet: Packet = try #require(Packet(copying: bytes))
            try decoder.send(packet)
            let frame = try #require(try decoder.receive())
            #expect(!frame.isCorrupt)
            return (frame.channels, frame.sampleRate, frame.interleavedFloats())
        }
    }

    @Test(arguments: [
        "-c:a ac3 -ac 1", "-c:a ac3 -ac 2 -b:a 192k", "-c:a ac3 -ac 6 -b:a 448k", "-c:a ac3 -ar 44100 -b:a 128k", "-c:a ac3 -ar 32000 -b:a 96k",
        "-c:a ac3 -dialnorm -24 -b:a 256k", "-c:a ac3 -audio_service_type hi -b:a 160k", "-c:a ac3 -ac 2 -dmix_mode ltrt", "-c:a ac3 -af aformat=channel_layouts=4.1",
        "-c:a eac3 -ac 1 -b:a 64k", "-c:a eac3 -ac 2", "-c:a eac3 -ac 6 -b:a 640k", "-c:a eac3 -ar 44100 -b:a 130k", "-c:a eac3 -ac 6 -b:a 1536k", "-c:a eac3 -ac 6 -b:a 6144k",
        "-c:a eac3 -af aformat=channel_layouts=5.0(side)", "-c:a flac -ac 1", "-c:a flac -ac 6", "-c:a flac -sample_fmt s32 -ar 96000", "-c:a flac -frame_size 1152",
        "-c:a alac -ac 1", "-c:a alac -ac 2", "-c:a alac -ac 6", "-c:a alac -sample_fmt s32p -ar 96000", "-c:a alac -af aformat=channel_layouts=7.1(wide)",
        "-c:a libopus -ac 1", "-c:a libopus -ac 2", "-c:a libopus -ac 2 -frame_duration 10", "-c:a libopus -ac 2 -frame_duration 60", "-c:a libopus -ac 6 -frame_duration 40", "-c:a libopus -ac 6",
        "-c:a aac -ac 1", "-c:a aac -ac 2 -ar 22050", "-c:a aac -ac 6",
    ])
    func silenceIsOfTheTracksOwnKind(arguments: String) async throws {
        let track = try await Self.track(arguments)
        #expect(track.silence.padding == .whole)
        let length = track.silence.length
        let silent = track.silence.frame.payload(at: 0)
        switch track.description.codec {
        case .ac3: #expect(try AC3Syncframe(parsing: silent[...]).ac3SpecificBox == track.description.configuration)
        case .eac3:
            let (own, made) = (try EC3SpecificBox(parsing: track.description.configuration), EC3SpecificBox(try EAC3AccessUnit(parsing: silent)))
            // At 44.1 kHz frames of two sizes alternate.
            #expect(own.substreams == made.substreams && own.trailing == made.trailing && abs(Int(own.dataRate) - Int(made.dataRate)) <= 1)
        default: break
        }
        if track.description.codec == .ac3 || track.description.codec == .eac3 {
            let (own, made) = (try AC3Syncframe(parsing: try #require(track.head.first).bytes[...]), try AC3Syncframe(parsing: silent[...]))
            #expect(own.dialogueNormalization == made.dialogueNormalization)
            #expect(own.blockCount == made.blockCount && own.bsid == made.bsid)
        }
        // Between two of its own frames: sound, then after the transform's overlap nothing, then sound again.
        let own = track.head.prefix(16).map(\.bytes)
        let gap = (0..<4).map { track.silence.frame.payload(at: (Int64($0) + 3) * length) }
        let decoded = try Self.decode(own[..<3] + gap + own[3...], track)
        let sound = try #require(track.description.audio)
        for (number, frame) in decoded.enumerated() {
            #expect(frame.channels == sound.channels && frame.rate == sound.sampleRate && frame.samples.count == Int(length) * sound.channels)
            let peak = frame.samples.reduce(0) { max($0, abs($1)) }
            if (4...6).contains(number) { #expect(peak < 1e-4, "\(number): \(peak)") }
            // Opus tells each frame's loudness by the one before it, and takes some frames to come back.
            if number == 2 || number == decoded.count - 1 { #expect(peak > 0.01, "\(number): \(peak)") }
        }
    }

    /// What discs and services have and no encoder here makes: a dependent substream with two more channels, a second programme, few blocks a frame.
    @Test func dependentSubstreamsAndSecondProgrammesAreSilentToo() async throws {
        let five = try await Self.track("-c:a eac3 -ac 6 -b:a 640k"), two = try await Self.track("-c:a eac3 -ac 2 -b:a 192k")
        let (core, pair) = (five.head.map(\.bytes), two.silence.frame.payload(at: 0))
        // Lrs/Rrs is the seventh bit of chanmap.
        let dependent = try EAC3Substream.rewritten(pair, as: .dependent, substreamID: 0, channelMap: 1 << 9)
        let header = try AC3Syncframe(parsing: dependent[...])
        #expect(header.streamType == .dependent && header.channelMap == 1 << 9 && header.frameByteCount == pair.count && header.acmod == 2)
        let second = try EAC3Substream.rewritten(pair, as: .independent, substreamID: 1)
        #expect(try AC3Syncframe(parsing: second[...]).substreamID == 1)

        for (extra, channels) in [(dependent, 8), (second, 6)] {
            let unit = core[0] + extra
            var description = five.description
            description.configuration = try EAC3AccessUnit(parsing: unit).specificBox
            description.media = .audio(.init(channels: channels, sampleRate: 48000, frameLength: 1536))
            let made = try SilenceFactory.make(description, head: [try #require(Packet(copying: unit))], parameters: five.parameters)
            let silent = made.frame.payload(at: 0)
            #expect(try EAC3AccessUnit(parsing: silent).specificBox == description.configuration)
            #expect(silent.count == unit.count)
        }
    }

    @Test func whatNoEncoderMakesIsSaid() async throws {
        let track = try await Self.track("-c:a eac3 -ac 2 -b:a 192k")
        // fscod 3, fscod2 0: 24 kHz; and two programmes in one frame, acmod 0.
        var half = try #require(track.head.first).bytes
        half[4] = half[4] & 0x0F | 0xC0
        var dual = try #require(track.head.first).bytes
        dual[4] &= 0xF1
        for (bytes, word) in [(half, "24000"), (dual, "two programmes")] {
            let packet = try #require(Packet(copying: bytes))
            do {
                _ = try SilenceFactory.make(track.description, head: [packet], parameters: nil)
                Issue.record("silence was made")
            } catch {
                #expect(error.reason.contains(word), "\(error.reason)")
            }
        }
        #expect(throws: SilenceFactory.Refusal.self) { _ = try SilenceFactory.make(track.description, head: [], parameters: nil) }
    }

    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    @Test(.enabled(if: media != nil)) func everyCopiedTrackOfTheRealMediaHasSilence() throws {
        let root = URL(fileURLWithPath: Self.media ?? "/")
        let names = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }.filter { name in
            ["audio", "atmos", "matroska"].contains { name.hasPrefix($0 + "/") } && ["mp4", "m4a", "mkv", "ec3", "eac3", "ac3", "flac", "mka", "mov", "ts", "aac"].contains { name.hasSuffix("." + $0) }
        }.sorted()
        var (made, objects) = (0, 0)
        var refused: [String] = []
        for name in names {
            guard let demuxer = try? Demuxer(url: root.appendingPathComponent(name).path), (try? demuxer.findStreamInfo()) != nil else { continue }
            var head: [Int: [Packet]] = [:]
            for _ in 0..<400 {
                guard let packet = try? demuxer.readPacket() else { break }
                head[packet.streamIndex, default: []].append(packet)
            }
            for stream in demuxer.streams where stream.kind == .audio {
                let packets = head[stream.index] ?? []
                guard !packets.isEmpty, case .copyable(let track) = TrackAnalyzer.audio(stream, head: packets) else { continue }
                do {
                    let product = try SilenceFactory.make(
                        track.description, head: packets, parameters: CodecParameters(demuxer: demuxer, streamIndex: stream.index))
                    made += 1
                    if product.padding == .withoutObjects { objects += 1 }
                } catch {
                    refused.append("\(name): \(track.description.codec) \(error.reason)")
                }
            }
        }
        print("silence for \(made) tracks, \(objects) of them with objects; none for:\n\(refused.joined(separator: "\n"))")
        #expect(made > 20 && refused.count < made / 4)
    }
}
