import BitsAndTime
import Bitstreams
@testable import Captions
import Foundation
import Libav
import Testing
import TestSupport
import TimedText

/// Captions of other people's encoders (PRISM_MEDIA), beside what FFmpeg's own decoder makes of them.
@MainActor struct RealCaptionTests {
    nonisolated private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    struct Source: Sendable, CustomTestStringConvertible {
        /// One file, or an initialization segment and its media.
        let files: [String]
        /// CC1 (or what else is said), in hundredths of a second from the first picture on.
        let expected: [String]
        /// Why FFmpeg's decoder does not show the same; `nil`: it does.
        var difference: String?
        var testDescription: String { files.last ?? "" }
    }

    nonisolated private static let sources = [
        Source(files: ["mp4/exo/mp4/fragmented_captions.mp4"], expected: ["187-200 ♪MUSIC♪"]),
        Source(files: ["mp4/exo/mp4/fragmented_captions_h265.mp4"], expected: ["187-200 ♪MUSIC♪"]),
        Source(
            files: ["subtitles/shaka/cea-init.mp4", "subtitles/shaka/cea-segment.mp4"], expected: ["0-93 eng: 00:00:00:00", "0-93 CC3 swe: 00:00:00:00", "93-197 eng: 00:00:01:00", "93-197 CC3 swe: 00:00:01:00"],
            difference: "SEI units without trailing bits: FFmpeg reads none of the messages"),
        Source(
            files: ["subtitles/shaka/h265-cea-init.mp4", "subtitles/shaka/h265-cea-segment.mp4"],
            expected: [
                "27-184 WE WILL BREAK DOWN WHAT THIS", "27-184 SERVICE1 WE WILL BREAK DOWN WHAT THIS",
                "184-197 WE WILL BREAK DOWN WHAT THIS|ME", "184-197 SERVICE1 WE WILL BREAK DOWN WHAT THIS|ME",
            ],
            difference: "the file ends in the middle of a row, which FFmpeg gives at the carriage return behind it"),
        Source(files: ["hls-dash/exo/dash/cea608/sd-dash0000000000.m4s"], expected: ["0-88 First subtitle", "117-246 Second subtitle"]),
        Source(
            files: ["mpegts/mux.js/sintel-captions.ts"],
            expected: ["100-400 ASUKA ███, ██ f Japanese", "500-696 ██ ██████████, ███ \"█████ ███|█████████ ████████ ██|███████████\".", "696-996 █ █ █"]),
        Source(files: ["mpegts/vhs/segments/caption.ts"], expected: ["33-53 Bip!", "60-360 Bop!"]),
        Source(
            files: ["subtitles/shaka/captions-test.ts"],
            expected: [
                "13-487 SERVICE1 These are 708 captions|(top left)", "70-490 These are 608 captions|(top left)", "521-1188 SERVICE1 These are 708 captions|(middle)",
                "524-1191 These are 608 captions|(middle)", "1221-1922 SERVICE1 These are 708 captions|(bottom left)", "1225-1925 These are 608 captions|(bottom left)",
            ],
            difference: "the stream begins behind Resume Caption Loading: FFmpeg shows its first caption before End Of Caption instead of after it; and no CEA-708"),
        Source(
            files: ["hls-dash/shaka/hls-ts-h264/fileSequence0.ts"],
            expected: ["43-63 Bip!", "67-150 Bop!", "160-250 Bip!", "260-350 Bop!", "360-450 Bip!", "460-550 Bop!", "560-597 Bip!"]),
        Source(files: ["mpegts/fate/mpeg2video/mp3ac325-4864-small.ts"], expected: []),
        Source(
            files: ["mp4/mp4ff/examples/multitrack/main_1.mp4"],
            expected: ["37-77 Bip!", "87-177 Bop!", "187-277 Bip!", "287-377 Bop!", "387-477 Bip!", "487-577 Bop!", "587-677 Bip!", "687-987 Bop!"],
            difference: "a sample holds the pairs of nine frames, which FFmpeg puts at its beginning"),
    ]

    /// Cues with times from the first picture on.
    static func captions(_ bytes: [UInt8], joiningAt: MediaTime? = nil) throws -> (lines: [String], late: Int) {
        let demuxer = try Demuxer(bytes: bytes)
        try? demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first { $0.codecName == "eia_608" } ?? demuxer.streams.first { $0.kind == .video })
        let base = stream.timeBaseDenominator
        var buffer = CaptionReorderBuffer()
        var decoder = CaptionDecoder(joiningAt: joiningAt)
        var captions: [Caption] = []
        func decode(_ pictures: [CaptionReorderBuffer.Picture]) {
            for picture in pictures { captions += decoder.decode(picture.triplets, at: picture.presentationTime) }
        }
        var (first, last): (MediaTime?, MediaTime) = (nil, .zero)
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == stream.index, let pts = packet.pts else { continue }
            let time = MediaTime(ticks: pts, timescale: base)
            first = min(first ?? time, time)
            last = max(last, time)
            decode(buffer.take(presentationTime: time, decodeTime: packet.dts.map { MediaTime(ticks: $0, timescale: base) }, triplets: triplets(packet, stream)))
        }
        decode(buffer.flush())
        captions += decoder.flush(at: last)
        let origin = first ?? .zero
        let lines = captions.sorted { ($0.cue.start, $0.channel) < ($1.cue.start, $1.channel) }.map { caption in
            let (start, end) = (caption.cue.start - origin, (caption.cue.end ?? caption.cue.start) - origin)
            let channel = caption.channel == .cea608(1) ? "" : caption.channel.instreamIdentifier + " "
            return "\(start.converted(to: 100).ticks)-\(end.converted(to: 100).ticks) \(channel)\(caption.cue.text.plain.split(separator: "\n").joined(separator: "|"))"
        }
        return (lines, buffer.lateCount)
    }

    /// What FFmpeg shows of the first field's first channel: starts and texts.
    private static func ffmpeg(_ path: String, isTrack: Bool) throws -> [String] {
        let input = isTrack ? ["-i", path] : ["-f", "lavfi", "-i", "movie=\(path)[out+subcc]"]
        let output = String(decoding: try FFmpegFixture.run(["ffmpeg", "-nostdin", "-v", "quiet"] + input + ["-map", "s", "-f", "srt", "-"]).output, as: UTF8.self)
        return output.split(separator: "\n\n").compactMap { entry in
            let rows = entry.split(whereSeparator: \.isNewline)
            guard rows.count > 2, let time = rows[1].split(separator: " ").first else { return nil }
            let numbers = time.split { ":,".contains($0) }.compactMap { Int($0) }
            guard numbers.count == 4 else { return nil }
            let start = ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3]
            let text = rows.dropFirst(2).joined(separator: "|").replacing(/<[^>]*>|\{[^}]*\}/, with: "").replacing("\\h", with: " ")
            let lines = text.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
            return "\((start + 5) / 10) \(lines.joined(separator: "|"))"
        }
    }

    private static func triplets(_ packet: Packet, _ stream: StreamInfo) -> [CaptionTriplet] {
        packet.withUnsafeBytes { bytes in
            switch stream.codecName {
            case "eia_608": CaptionData.triplets(raw: Array(bytes)[...])
            case "mpeg2video", "mpeg1video": CaptionUserData.triplets(pictureUserData: PictureUserData.mpeg2(in: bytes))
            default:
                {
                    let codec: RandomAccess.Codec = stream.codecName == "hevc" ? .hevc : .avc
                    let offset = codec == .hevc ? NALUnitFraming.hevcLengthSizeOffset : NALUnitFraming.avcLengthSizeOffset
                    let told = NALUnitFraming.detect(extradata: stream.extradata, lengthSizeOffset: offset) ?? .annexB
                    let framing = NALUnitFraming.ofSample(bytes, expected: told, codec: codec)
                    return PictureUserData.registered(in: bytes, codec: codec, framing: framing)
                        .flatMap { CaptionUserData.triplets(countryCode: $0.countryCode, payload: $0.payload[...]) }
                }()
            }
        }
    }

    @Test(.enabled(if: media != nil), arguments: sources)
    func cuesOfRealStreams(source: Source) throws {
        let media = try #require(Self.media)
        let bytes = try source.files.flatMap { [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(media)/\($0)"))) }
        let found = try Self.captions(bytes)
        #expect(found.late == 0)
        #expect(found.lines == source.expected)
        let fixture = try FFmpegFixture()
        let copy = fixture.url("captions" + (source.files.last?.hasSuffix(".ts") == true ? ".ts" : ".mp4"))
        try Data(bytes).write(to: copy)
        let shown = try Self.ffmpeg(copy.path, isTrack: source.files.last?.contains("multitrack") == true)
        let ours = found.lines.map { line in "\(line.split(separator: "-", maxSplits: 1)[0]) \(line.split(separator: " ", maxSplits: 1)[1])" }
        #expect((shown == ours) == (source.difference == nil), "\(shown) \(ours)")
    }

    /// FFmpeg's demuxer puts all pairs of a line at its beginning, and shows solid blocks for letters without parity.
    @Test(.enabled(if: media != nil)) func cuesOfRealFiles() throws {
        let media = try #require(Self.media)
        func lines(_ name: String) throws -> [String] {
            let file = try ScenaristFile(String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(media)/\(name)")), as: UTF8.self))
            #expect(file.damagedCount == 0)
            return file.captions().map { caption in
                let text = caption.cue.text.plain.split(separator: "\n").joined(separator: "|")
                return "\(caption.cue.start.converted(to: 100).ticks)-\((caption.cue.end ?? .zero).converted(to: 100).ticks) \(text)"
            }
        }
        let rollUp = try lines("subtitles/ttconv/scc/mix-rows-roll-up.scc")
        #expect(rollUp.prefix(3) == ["93-284 >>> HI.", "284-464 >>> HI.|I’M KEVIN CUNNING AND AT", "464-621 I’M KEVIN CUNNING AND AT|INVESTOR’S BANK WE BELIEVE IN"])
        // Three rows from here on.
        #expect(rollUp.dropFirst(9).first == "1712-1872 ABCDEû|¡|WHERE YOU’RE STANDING NOW,")
        // A pause of more than ten seconds.
        #expect(rollUp.dropFirst(12).prefix(2) == ["2189-3189 LOOKING OUT THERE, THAT’S ALL|THE CROWD.|>> IT WAS GOOD TO BE IN THE", "3504-3647 And restore Iowa’s land, water"])
        #expect(rollUp.count == 16)
        #expect(try lines("subtitles/ttconv/scc/paint-on.scc") == [
            "17377-17631 Lorem ipsum dolor sit amet,|consectetur adipiscing elit.", "17631-17931 Pellentesque interdum lacin.|Integer luctus et ligula ac.",
        ])
        #expect(try lines("subtitles/mp4ff/examples/multitrack/golden_captions.scc").prefix(2) == ["1034-1074 Bip!", "1084-1175 Bop!"])
    }
}
