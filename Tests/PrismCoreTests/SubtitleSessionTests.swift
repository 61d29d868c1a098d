import Foundation
import Locks
import PrismCore
import TestSupport
import Testing

/// Words of a source as renditions of the playlist.
@Suite(.fewAtATime) struct SubtitleSessionTests {
    private static let picture = "-f lavfi -i testsrc2=s=160x90:r=24:d=60 -f lavfi -i sine=440:d=60"
    private static let coded = "-c:v libx264 -preset ultrafast -bf 2 -g 48 -c:a aac"

    /// Overlaps, a line over three segments, one over the whole film's middle, two at one time, markup that is none, and text that looks like a cue.
    private static let script = """
        1
        00:00:01,000 --> 00:00:03,500
        <i>Hello</i> there

        2
        00:00:04,000 --> 00:00:21,000
        A long one
        of two lines

        3
        00:00:05,500 --> 00:00:07,000
        {\\an8}On top & <b>bold</b>

        4
        00:00:05,500 --> 00:00:07,000
        At the same time

        5
        00:00:40,250 --> 00:00:42,000
        a & b --> c

        6
        00:00:58,000 --> 00:01:03,000
        The end

        """

    private static let expected = [
        ServedWords.Cue("00:00:01.000", "00:00:03.500", "<i>Hello</i> there"),
        .init("00:00:04.000", "00:00:21.000", "A long one\nof two lines"),
        .init("00:00:05.500", "00:00:07.000", "On top &amp; <b>bold</b>", "line:0"),
        .init("00:00:05.500", "00:00:07.000", "At the same time"),
        .init("00:00:40.250", "00:00:42.000", "a &amp; b --&gt; c"),
        .init("00:00:58.000", "00:01:03.000", "The end"),
    ]

    private func film(_ fixture: FFmpegFixture, _ name: String, codec: String, script: String = script, second: Bool = true) async throws -> URL {
        try Data(script.utf8).write(to: fixture.url("words.srt"))
        try Data("1\n00:00:02,000 --> 00:00:05,000\nPříliš žluťoučký\n".utf8).write(to: fixture.url("czech.srt"))
        return try await fixture.make(
            name,
            "\(Self.picture) -i {folder}/words.srt -i {folder}/czech.srt -map 0 -map 1 -map 2 -map 3 \(Self.coded) -c:s \(codec) -metadata:s:s:0 language=eng -metadata:s:s:1 language=cze"
                + " -disposition:s:1 forced -avoid_negative_ts disabled")
    }

    /// Segment by segment, in any order, in a session of its own each time round: the same bytes, and all cues with their times.
    @Test(arguments: [("words.mkv", "subrip"), ("words.mkv", "ass"), ("words.mp4", "mov_text"), ("words.mkv", "webvtt")])
    func cuesAreTheSameWhereverReadingBegins(name: String, codec: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, name, codec: codec)
        var reference: [String: [UInt8]] = [:]
        try await ServedMedia.serve(url) { served in
            let words = try await ServedWords.renditions(of: served)
            #expect(words.map(\.rendition.name) == ["English", "Czech (forced)"])
            #expect(words.map(\.rendition.language) == ["en", "cs"])
            #expect(words.map(\.rendition.isForced) == [false, true] && words.map(\.rendition.isAutoselect) == [false, true])
            #expect(words.allSatisfy { !$0.rendition.isDefault && $0.playlist.isEnded && $0.playlist.map == nil })
            let video = served.presentation.renditions[0].playlist.segments.map(\.duration)
            #expect(words.allSatisfy { $0.playlist.segments.map(\.duration) == video }, "cut where the picture is")
            let found = try await words[0].cues(served)
            // A track of MP4 shows one thing at a time, and WebVTT's writer here drops markup.
            #expect(found.map(\.start) == Self.expected.map(\.start), "\(found)")
            if codec != "mov_text" { #expect(found.map(\.end) == Self.expected.map(\.end), "\(found)") }
            if codec != "webvtt" { #expect(found.map(\.text) == Self.expected.map(\.text), "\(found)") }
            #expect(try await words[1].cues(served).map(\.text) == ["Příliš žluťoučký"])
            for segment in words.flatMap(\.segments) { reference[segment.lastPathComponent + segment.path] = try await served.client.get(segment) }
        }
        let expected = reference
        var random = SeededRandom(seed: 11)
        for _ in 0..<2 {
            var segments: [URL] = []
            try await ServedMedia.serve(url) { served in
                segments = try await ServedWords.renditions(of: served).flatMap(\.segments).shuffled(using: &random)
                for segment in segments.prefix(20) {
                    let bytes = try await served.client.get(segment)
                    #expect(bytes == expected[segment.lastPathComponent + segment.path], "\(segment.path)")
                }
            }
        }
    }

    @Test func aSourceWithoutAPlanShowsTheSameCues() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, "words.mkv", codec: "subrip")
        try await ServedMedia.serve(url, options: .init(playsSequentially: true)) { served in
            let words = try await ServedWords.renditions(of: served)
            #expect(try await words[0].cues(served).map(\.description) == Self.expected.map(\.description))
        }
    }

    @Test func thePreferredLanguageIsShownFromTheStart() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, "words.mkv", codec: "subrip")
        try await ServedMedia.serve(url, options: .init(preferredSubtitleLanguage: "English")) { served in
            let words = try await ServedWords.renditions(of: served)
            #expect(words.map(\.rendition.isDefault) == [true, false])
            #expect(await served.session.subtitleRenditions.map(\.isDefault) == [true, false])
            #expect(await served.session.defaultSubtitleReason != nil)
        }
        try await ServedMedia.serve(url, options: .init(preferredSubtitleLanguage: "jpn")) { served in
            let words = try await ServedWords.renditions(of: served)
            #expect(words.allSatisfy { !$0.rendition.isDefault })
        }
    }

    /// Each segment lists what is shown in it once moved; nothing is lost at the joins.
    @Test(arguments: [2.5, -3.25, 0.001]) func aDelayMovesEveryCueAndLosesNone(delay: Double) async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, "words.mkv", codec: "subrip")
        func moved(_ stamp: String) -> Double {
            let parts = stamp.split(separator: ":").compactMap { Double($0) }
            return parts[0] * 3600 + parts[1] * 60 + parts[2] + delay
        }
        func check(_ cues: [ServedWords.Cue]) {
            // The longest track, and so the film, ends with the last line.
            let kept = Self.expected.filter { moved($0.end) > 0 && moved($0.start) < 63 }
            #expect(cues.map(\.text) == kept.map(\.text), "\(cues)")
            for (cue, wanted) in zip(cues, kept) {
                #expect(abs(moved(cue.start) - delay - max(0, moved(wanted.start))) < 0.0015 && abs(moved(cue.end) - delay - moved(wanted.end)) < 0.0015, "\(cue)")
            }
        }
        try await ServedMedia.serve(url, options: .init(subtitleDelaySeconds: delay)) { served in
            check(try await ServedWords.renditions(of: served)[0].cues(served))
        }
        try await ServedMedia.serve(url) { served in
            let words = try await ServedWords.renditions(of: served)[0]
            _ = try await words.cues(served)
            #expect(await served.session.setSubtitleDelaySeconds(delay) == .appliesToNewSegments)
            #expect(await served.session.subtitleDelaySeconds == delay)
            check(try await words.cues(served))
        }
    }

    @Test func aDelayIsHeldWithinItsLimits() async throws {
        let session = PrismCoreSession(url: URL(filePath: "/nowhere"))
        #expect(await session.setSubtitleDelaySeconds(12) == .inForce)
        #expect(await session.subtitleDelaySeconds == 10)
        await session.setSubtitleDelaySeconds(.nan)
        #expect(await session.subtitleDelaySeconds == 10)
        await session.stop()
        #expect(await session.setSubtitleDelaySeconds(1) == .sessionStopped)
    }

    /// What a handler was told.
    private final class Heard: Sendable {
        private let cues = Monitor<[TimedTextCue]>([])
        func add(_ cue: TimedTextCue) { cues.update { $0.append(cue) } }
        var all: [TimedTextCue] { cues.read { $0 } }

        /// Waits on a thread of its own until so many came.
        func wait(for count: Int) async {
            await withCheckedContinuation { continuation in
                Thread {
                    _ = self.cues.wait(atMost: .seconds(120)) { $0.count >= count ? true : nil }
                    continuation.resume()
                }.start()
            }
        }
    }

    @Test(arguments: [false, true]) func aHandlerIsToldEachCueOnceAndALateOneAllThatCame(isSequential: Bool) async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, "words.mkv", codec: "subrip")
        try await ServedMedia.serve(url, options: .init(playsSequentially: isSequential)) { served in
            let heard = Heard()
            await served.session.setTimedTextCueHandler { heard.add($0) }
            for segment in served.presentation.renditions[0].segments { _ = try await served.client.get(segment) }
            let count = Self.expected.count + 1
            await heard.wait(for: count)
            // A jump back brings nothing again.
            _ = try await served.client.get(served.presentation.renditions[0].segments[0])
            #expect(heard.all.count == count, "\(heard.all)")
            let english = heard.all.filter { $0.streamIndex == 2 }.sorted { $0.start < $1.start }
            #expect(english.map(\.text) == Self.expected.map(\.text))
            #expect(english.first.map { abs($0.start - 1) < 0.001 && abs(($0.end ?? 0) - 3.5) < 0.001 } ?? false, "\(english)")
            let late = Heard()
            await served.session.setSubtitleDelaySeconds(2)
            await served.session.setTimedTextCueHandler { late.add($0) }
            await late.wait(for: count)
            #expect(Set(late.all.map(\.text)) == Set(heard.all.map(\.text)) && late.all.count == count)
            #expect(late.all.contains { abs($0.start - 3) < 0.001 })
            let stats = await served.session.subtitleCueHistoryStats
            #expect(stats.retainedCues == count && stats.evictedCues == 0)
            await served.session.setTimedTextCueHandler(nil)
        }
    }

    @Test func aBoundedHistoryKeepsTheNewestAndCountsTheRest() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, "words.mkv", codec: "subrip")
        try await ServedMedia.serve(url, options: .init(subtitleCueHistory: .bounded(maxCues: 2, maxBytes: 0))) { served in
            #expect(served.session.options.subtitleCueHistory == .bounded(maxCues: 2, maxBytes: 1))
        }
        try await ServedMedia.serve(url, options: .init(subtitleCueHistory: .bounded(maxCues: 2, maxBytes: 1 << 20))) { served in
            let heard = Heard()
            await served.session.setTimedTextCueHandler { heard.add($0) }
            for segment in served.presentation.renditions[0].segments { _ = try await served.client.get(segment) }
            await heard.wait(for: Self.expected.count + 1)
            let late = Heard()
            await served.session.setTimedTextCueHandler { late.add($0) }
            await late.wait(for: 2)
            #expect(late.all.map(\.text) == heard.all.suffix(2).map(\.text))
            let stats = await served.session.subtitleCueHistoryStats
            #expect(stats.retainedCues == 2 && stats.evictedCues == Self.expected.count - 1)
        }
    }

    /// Renditions do not exist in the one shape that lists none, and the session says so.
    @Test func aMediaPlaylistListsNoneAndSaysSo() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, "words.mkv", codec: "subrip")
        try await ServedMedia.serve(url, options: .init(forceMuxedShape: true)) { served in
            #expect(await served.session.subtitleRenditions.isEmpty)
            #expect(await served.session.subtitleRefusals.map(\.streamIndex) == [2, 3])
        }
    }
}
