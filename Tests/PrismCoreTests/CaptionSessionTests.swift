import Foundation
import HLS
import PrismCore
import TestSupport
import Testing

/// Captions in the picture as renditions of text.
@Suite(.fewAtATime) struct CaptionSessionTests {
    private func film(_ fixture: FFmpegFixture, _ name: String = "captions.mkv", muxing: String = "") async throws -> URL {
        var film = CaptionedFilm()
        film.popOn("FIRST", shownAt: 20)
        film.clear(at: 60)
        for second in stride(from: 4, to: 56, by: 4) {
            film.popOn("AT \(second) S", shownAt: second * 24)
            if second % 8 == 0 { film.clear(at: second * 24 + 36) }
        }
        return try await film.make(name, in: fixture, seconds: 60, muxing: muxing)
    }

    @Test(arguments: ["captions.mkv", "captions.mp4", "captions.ts"])
    func captionsAreTheSameWhereverReadingBegins(name: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, name)
        var reference: [String: [UInt8]] = [:]
        try await ServedMedia.serve(url) { served in
            let words = try await ServedWords.renditions(of: served)
            #expect(words.map(\.rendition.name) == ["CC1"])
            #expect(words.first?.rendition.characteristics == ["public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound"])
            let cues = try await words[0].cues(served)
            #expect(cues.map(\.text) == ["FIRST"] + stride(from: 4, to: 56, by: 4).map { "AT \($0) S" }, "\(cues)")
            // Shown with its picture, to the millisecond; ended by the clear, or by the next.
            for (cue, times) in zip(cues, [[0.833, 2.5], [4, 8], [8, 9.5]]) {
                for (found, wanted) in zip(cue.times, times) { #expect(abs(found - wanted) < 0.0015, "\(cue)") }
            }
            for segment in words[0].segments { reference[segment.path] = try await served.client.get(segment) }
        }
        let expected = reference
        var random = SeededRandom(seed: 5)
        try await ServedMedia.serve(url) { served in
            for segment in try await ServedWords.renditions(of: served)[0].segments.shuffled(using: &random) {
                let bytes = try await served.client.get(segment)
                #expect(bytes == expected[segment.path], "\(segment.path)")
            }
        }
    }

    @Test func aSourceWithoutAPlanShowsThemToo() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture)
        try await ServedMedia.serve(url, options: .init(playsSequentially: true)) { served in
            let cues = try await ServedWords.renditions(of: served)[0].cues(served)
            #expect(cues.map(\.text) == ["FIRST"] + stride(from: 4, to: 56, by: 4).map { "AT \($0) S" }, "\(cues)")
        }
    }

    @Test func aTrackOfTheirOwnIsOffered() async throws {
        let fixture = try FFmpegFixture()
        let lines = (0..<8).map { "00:00:\($0 < 2 ? "0" : "")\(2 + $0 * 5):00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef\(["b0", "31", "32", "b3", "34", "b5", "b6", "37"][$0]) 942f 942f" }
        try Data(("Scenarist_SCC V1.0\n\n" + lines.joined(separator: "\n\n") + "\n\n00:00:44:00\t942c 942c\n").utf8).write(to: fixture.url("line21.scc"))
        let url = try await fixture.make(
            "track.mov",
            "-f lavfi -i testsrc2=s=160x90:r=30:d=50 -i {folder}/line21.scc -map 0 -map 1 -c:v libx264 -preset ultrafast -bf 0 -g 60 -c:s copy -metadata:s:s language=eng")
        for isSequential in [false, true] {
            try await ServedMedia.serve(url, options: .init(playsSequentially: isSequential)) { served in
                let words = try await ServedWords.renditions(of: served)
                #expect(words.map(\.rendition.language) == ["en"] && words.map(\.rendition.characteristics.count) == [2])
                let cues = try await words[0].cues(served)
                #expect(cues.map(\.text) == (0..<8).map { "Hello\($0)" }, "\(cues)")
            }
        }
    }

    @Test func theyAreLeftToAPlayerThatDecodesThemItself() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, muxing: "-metadata:s:v language=eng")
        try await ServedMedia.serve(url, options: .init(inBandClosedCaptions: true)) { served in
            let master = served.presentation.multivariant
            let listed = master.renditions.filter { $0.type == .closedCaptions }
            #expect(listed.map(\.name) == ["English (CC1)"] && listed.map(\.instreamID) == ["CC1"] && listed.map(\.language) == ["en"])
            #expect(listed.allSatisfy { $0.uri == nil } && master.variants[0].closedCaptions == .group("captions"))
            #expect(master.renditions.allSatisfy { $0.type != .subtitles })
        }
        try await ServedMedia.serve(url) { served in
            #expect(served.presentation.multivariant.variants[0].closedCaptions == MultivariantPlaylist.ClosedCaptions.none)
            #expect(await served.session.subtitleRenditions.map(\.name) == ["English (CC1)"])
        }
    }

    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    @Test(.enabled(if: media != nil), arguments: [
        ("mpegts/vhs/segments/caption.ts", ["Bip!", "Bop!"]), ("hls-dash/exo/dash/captions_h265/fragmented_captions_h265.mp4", ["♪MUSIC♪"]),
    ])
    func captionsOfRealStreams(path: String, expected: [String]) async throws {
        let folder = try #require(Self.media)
        try await ServedMedia.serve(URL(filePath: folder).appending(path: path)) { served in
            let cues = try await ServedWords.renditions(of: served)[0].cues(served)
            #expect(cues.map(\.text) == expected)
        }
    }
}
