import Foundation
import LoopbackHTTP
import PrismCore
import TestSupport
import Testing

/// Files of words beside the film.
@Suite(.fewAtATime) struct ExternalSubtitleTests {
    private static let film = "-f lavfi -i testsrc2=s=160x90:r=24:d=24 -f lavfi -i sine=440:d=24 -c:v libx264 -preset ultrafast -bf 2 -g 48 -c:a aac"

    private struct OneFile: ResourceProvider {
        let name: String
        let bytes: [UInt8]

        func resource(named name: String) -> ResourceAnswer {
            name == self.name ? .ready(Resource(contentType: "text/plain", body: ResourceBody(bytes), isImmutable: true)) : .notFound
        }
    }

    /// Fetches once the file was read.
    private func cues(_ words: ServedWords, _ served: ServedMedia) async throws -> [ServedWords.Cue] {
        for _ in 0..<2000 {
            do { return try await words.cues(served) } catch { try await Task.sleep(for: .milliseconds(10)) }
        }
        return try await words.cues(served)
    }

    @Test func filesOfAnyFormatAndEncodingAreOfferedBehindTheFilmsOwn() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", Self.film)
        let srt = "1\n00:00:02,000 --> 00:00:05,000\nPříliš žluťoučký kůň úpěl ďábelské ódy\n\n2\n00:00:20,000 --> 00:00:22,000\nještě něco\n"
        try #require(srt.data(using: .windowsCP1250)).write(to: fixture.url("old.srt"))
        try Data("WEBVTT\n\n00:02.000 --> 00:05.000 line:10% align:start\nup <i>there</i>\n".utf8).write(to: fixture.url("new.vtt"))
        try Data(
            ("[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Alignment\nStyle: Default,2\n\n[Events]\n"
                + "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:02.00,0:00:05.00,Default,,0,0,0,,{\\an8\\i1}styled{\\i0} text\n").utf8
        ).write(to: fixture.url("styled.ass"))
        try Data("Scenarist_SCC V1.0\n\n00:00:02:00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f\n\n00:00:05:00\t942c 942c\n".utf8).write(to: fixture.url("line21.scc"))
        let session = PrismCoreSession(url: url)
        try await session.addExternalSubtitle(url: fixture.url("old.srt"), language: "cs")
        try await session.addExternalSubtitle(url: fixture.url("new.vtt"), language: "en", name: "English, placed")
        try await session.addExternalSubtitle(url: fixture.url("styled.ass"), language: "en", isForced: true)
        try await session.addExternalSubtitle(url: fixture.url("line21.scc"), language: "en", isHearingImpaired: true)
        try await session.addExternalSubtitle(url: fixture.url("absent.srt"), language: "de")
        let served = try await ServedMedia(session: session, presentation: .init(url: try await session.startWithoutHurry(), client: .init()))
        let words = try await ServedWords.renditions(of: served)
        #expect(words.map(\.rendition.name) == ["Czech", "English, placed", "English (forced)", "English (SDH)", "German"])
        #expect(words.map(\.rendition.isForced) == [false, false, true, false, false])
        let czech = try await cues(words[0], served)
        #expect(czech == [
            .init("00:00:02.000", "00:00:05.000", "Příliš žluťoučký kůň úpěl ďábelské ódy"), .init("00:00:20.000", "00:00:22.000", "ještě něco"),
        ])
        let placed = try await cues(words[1], served)
        #expect(placed == [.init("00:00:02.000", "00:00:05.000", "up <i>there</i>", "line:10% align:start")], "\(placed)")
        let styled = try await cues(words[2], served)
        #expect(styled.map(\.text) == ["<i>styled</i> text"] && styled.first?.settings.contains("line:") ?? false, "\(styled)")
        #expect(try await cues(words[3], served).map(\.text) == ["Hello"])
        #expect(try await cues(words[4], served).isEmpty)
        let failures = await session.externalSubtitleFailures
        #expect(failures.keys.sorted() == [4] && failures[4].map { !$0.contains(fixture.url("absent.srt").path) } ?? false, "\(failures)")
        await #expect(throws: PrismCoreSession.SessionError.alreadyStarted) { try await session.addExternalSubtitle(url: fixture.url("old.srt")) }
        await session.stop()
    }

    @Test func aServersFileIsFetchedWithTheFilmsHeadersOnlyWhereItIsTheFilmsServer() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", Self.film)
        let origin = LoopbackHTTPServer(provider: OneFile(name: "words.srt", bytes: Array("1\n00:00:01,000 --> 00:00:02,000\nfrom afar\n".utf8)))
        try origin.start()
        defer { origin.stop() }
        let session = PrismCoreSession(url: url)
        try await session.addExternalSubtitle(url: try #require(URL(string: origin.baseURL + "words.srt?token=secret")), language: "en")
        try await session.addExternalSubtitle(url: try #require(URL(string: origin.baseURL + "none.srt?token=secret")), language: "fr")
        let served = try await ServedMedia(session: session, presentation: .init(url: try await session.startWithoutHurry(), client: .init()))
        let words = try await ServedWords.renditions(of: served)
        #expect(try await cues(words[0], served).map(\.text) == ["from afar"])
        #expect(try await cues(words[1], served).isEmpty)
        let failure = try #require(await session.externalSubtitleFailures[1])
        #expect(!failure.contains("secret"), "\(failure)")
        await session.stop()
    }

    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    /// Pictures of words, read where Tesseract is installed; where it is not the session says what is missing.
    @Test(.enabled(if: media != nil)) func picturesOfWordsAreReadOrSaidToBeUnreadable() async throws {
        let folder = try #require(Self.media)
        let fixture = try FFmpegFixture()
        let sup = URL(filePath: folder).appending(path: "subtitles/libpgs-js/test.sup")
        let url = try await fixture.make(
            "pictures.mkv", "-f lavfi -i testsrc2=s=1280x720:r=24:d=24 -i \(sup.path) -map 0 -map 1 -c:v libx264 -preset ultrafast -g 48 -c:s copy -metadata:s:s:0 language=eng")
        let session = PrismCoreSession(url: url)
        try await session.addExternalSubtitle(url: sup, language: "en", name: "Beside")
        let served = try await ServedMedia(session: session, presentation: .init(url: try await session.startWithoutHurry(), client: .init()))
        let words = try await ServedWords.renditions(of: served)
        if let refusal = await session.subtitleRefusals.first {
            #expect(refusal.reason.contains("Tesseract"))
        } else {
            #expect(try await words[0].cues(served).map(\.text) == ["Hello World!", "Test\n:-)"])
            #expect(try await cues(words[1], served).map(\.text) == ["Hello World!", "Test\n:-)"])
        }
        await session.stop()
    }
}
