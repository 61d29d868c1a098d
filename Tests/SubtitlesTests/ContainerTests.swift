import BitsAndTime
import Foundation
import Libav
import Subtitles
import TestSupport
import Testing
import TimedText

@Suite struct ContainerTests {
    typealias Fixture = MatroskaFixture

    @Test(arguments: [Fixture.Compression.none, .zlib, .stripped(header: Array("On".utf8))])
    func compressedMatroskaTracksAreRead(_ compression: Fixture.Compression) throws {
        let file = Fixture.file(codec: "S_TEXT/UTF8", compression: compression, [
            .init(start: 1000, duration: 1500, payload: Array("One <i>two</i>".utf8)), .init(start: 3000, duration: 1000, payload: Array("Once".utf8)),
        ])
        #expect(CueTable.show(file) == ["1000-2500 |One [i]two[]", "3000-4000 |Once"])
    }

    @Test func eventsOfOneTimeAreAllKept() throws {
        let head = Array("[Script Info]\r\nPlayResX: 100\r\nPlayResY: 100\r\n[V4+ Styles]\r\nFormat: Name, Alignment\r\nStyle: Default,2\r\n".utf8)
        let blocks = (0..<1534).map { Fixture.Block(start: 1000, duration: 500, payload: Array("0,0,Default,,0,0,0,,{\\pos(50,25)}\($0)".utf8)) }
        let file = try SubtitleFile(bytes: Fixture.file(codec: "S_TEXT/ASS", codecPrivate: head, blocks))
        let cues = try #require(file.tracks.first).cues
        #expect(cues.count == 1534 && Set(cues.map(\.cue.text.plain)).count == 1534)
        #expect(cues.allSatisfy { $0.cue.placement == TextPlacement(.bottom, anchor: .init(x: 0.5, y: 0.25)) })
    }

    @Test func packetsWithoutADurationLastThreeSeconds() {
        let file = Fixture.file(codec: "S_TEXT/UTF8", [.init(start: 1000, duration: nil, payload: Array("One".utf8)), .init(start: 2000, duration: 0, payload: Array("Two\0".utf8))])
        #expect(CueTable.show(file) == ["1000-4000 |One", "2000-5000 |Two"])
    }

    @Test func oldEncodingsInsideOfContainersAreRead() {
        // "Привет, друг" in windows-1251.
        let words: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xE4, 0xF0, 0xF3, 0xE3]
        for codec in ["S_TEXT/UTF8", "S_TEXT/ASS"] {
            let payload = codec == "S_TEXT/ASS" ? Array("0,0,Default,,0,0,0,,".utf8) + words : words
            let file = Fixture.file(codec: codec, codecPrivate: codec == "S_TEXT/ASS" ? Array("[Script Info]\n".utf8) : [], language: "rus", [.init(start: 0, duration: 1000, payload: payload)])
            #expect(CueTable.show(file) == ["0-1000 |Привет, друг"], "\(codec)")
        }
    }

    @Test func webVTTSettingsOfMatroskaCountAndAreChecked() throws {
        // Matroska stores settings in block additions; libavformat's own form has them in front of the words.
        let text = "WEBVTT\n\n00:01.000 --> 00:02.000 line:10% align:start region:x\n<c.yellow>One</c> &amp; <b>two</b>\n"
        let track = try #require(SubtitleFile(bytes: Array(text.utf8)).tracks.first)
        #expect(track.cues.first?.cue.settings == "line:10% align:start")
        let fixture = try FFmpegFixture()
        try Data(text.utf8).write(to: fixture.url("a.vtt"))
        try fixture.makeBlocking("a.mkv", "-i {folder}/a.vtt -c copy")
        let remuxed = try #require(SubtitleFile(bytes: [UInt8](Data(contentsOf: fixture.url("a.mkv")))).tracks.first)
        #expect(CueTable.show(remuxed) == CueTable.show(track) && remuxed.cues.first?.cue.settings == "line:10% align:start")
    }

    @Test func tracksOfOneFileAreToldApart() throws {
        let fixture = try FFmpegFixture()
        for (name, words) in [("a", "One"), ("b", "Eins"), ("c", "Uno")] { try Data("1\n00:00:01,000 --> 00:00:02,000\n<b>\(words)</b>\n".utf8).write(to: fixture.url("\(name).srt")) }
        let inputs = "-i {folder}/a.srt -i {folder}/b.srt -i {folder}/c.srt -map 0 -map 1 -map 2 -metadata:s:0 language=eng -metadata:s:1 language=ger -metadata:s:2 language=spa "
        try fixture.makeBlocking("x.mks", inputs + "-c copy -f matroska")
        try fixture.makeBlocking("x.mp4", inputs + "-c:s mov_text")
        for name in ["x.mks", "x.mp4"] {
            let bytes = [UInt8](try Data(contentsOf: fixture.url(name)))
            let file = try SubtitleFile(bytes: bytes)
            #expect(file.tracks.map { CueTable.show($0) } == [["1000-2000 |[b]One[]"], ["1000-2000 |[b]Eins[]"], ["1000-2000 |[b]Uno[]"]] && file.tracks.map(\.language) == ["eng", "ger", "spa"], "\(name)")
            var options = SubtitleFile.Options()
            options.streamIndex = 2
            #expect(try SubtitleFile(bytes: bytes, options: options).tracks.map { CueTable.show($0) } == [["1000-2000 |[b]Uno[]"]])
        }
    }

    @Test func aHundredThousandCuesCostTheirShareAndNoMore() throws {
        let lines = (0..<100_000).map { index in
            let (start, end) = (WebVTTTimestamp.text(milliseconds: Int64(index) * 100), WebVTTTimestamp.text(milliseconds: Int64(index) * 100 + 90))
            return "\(index + 1)\n\(start.replacing(".", with: ",")) --> \(end.replacing(".", with: ","))\n<i>Line</i> \(index)\n\n"
        }
        let clock = ContinuousClock()
        func measured(_ count: Int) throws -> Duration {
            let bytes = Array(lines.prefix(count).joined().utf8)
            var read = 0
            let duration = try clock.measure {
                let cues = try #require(SubtitleFile(bytes: bytes, options: .init(formatHint: "srt")).tracks.first).cues
                read = cues.count
                _ = WebVTTSegment.written(cues.map(\.cue), origin: .zero)
            }
            #expect(read == count)
            return duration
        }
        let (small, large) = (try measured(10_000), try measured(100_000))
        // A quadratic step would be a hundred times.
        #expect(large < small * 40)
    }

    static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    @Test(.enabled(if: media != nil)) func teletextSaysWhatItsOracleHeard() throws {
        let root = try #require(Self.media)
        let demuxer = try Demuxer(url: root + "/mpegts/tsduck/input/test-012.ts")
        try demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first { $0.codec == .teletext })
        let parameters = try #require(CodecParameters(demuxer: demuxer, streamIndex: stream.index))
        let decoder = try TextTrackDecoder(stream: stream, parameters: parameters)
        // No packet of this file has a time: what comes is counted instead.
        var cues: [TextCue] = []
        while let packet = try demuxer.readPacket() {
            if packet.streamIndex == stream.index { cues += decoder.decode(packet, nearby: MediaTime(ticks: Int64(demuxer.packetsRead), timescale: 25)).map(\.cue) }
        }
        #expect(decoder.damagedPackets == 0)
        cues += decoder.finish().map(\.cue)
        let oracle = try SubtitleFile(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: root + "/mpegts/oracle-tsduck/test-012/test-012.srt")))).tracks.flatMap(\.cues)
        func words(_ cue: TextCue) -> String { cue.text.plain.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        #expect(TextCue.joined(cues).prefix(oracle.count).map(words) == oracle.map { words($0.cue) })
    }

    @Test(.enabled(if: media != nil)) func textTracksOfMP4WithoutACodecAreRead() throws {
        let root = try #require(Self.media)
        func bytes(_ names: [String]) throws -> [UInt8] { try names.flatMap { [UInt8](try Data(contentsOf: URL(fileURLWithPath: root + "/subtitles/" + $0))) } }
        let wvtt = CueTable.show(try bytes(["shaka/vtt-init.mp4", "shaka/vtt-segment.mp4"]))
        #expect(wvtt.first == "111800-115800 |It has shed much innocent blood." && wvtt.count == 2)
        let stpp = CueTable.show(try bytes(["mp4ff/cmd/mp4ff-subslister/stpp_combined.mp4"]))
        #expect(stpp.count > 0 && !stpp[0].contains("notSubtitles"))
    }
}
