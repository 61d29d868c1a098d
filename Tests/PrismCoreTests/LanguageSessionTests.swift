import Foundation
import HLS
import Libav
import PrismCore
import TestSupport
import Testing

/// Which track a session starts with, and what it says of each.
struct LanguageSessionTests {
    /// A commentary that is the default, two languages with three spellings, and one nobody knows.
    private static let tracks =
        "-metadata:s:a:0 language=eng -disposition:a:0 default+comment -metadata:s:a:1 language=eng -disposition:a:1 0 -metadata:s:a:2 language=pt-BR "
        + "-disposition:a:2 0 -metadata:s:a:3 language=xyz -disposition:a:3 0"

    private func film(_ fixture: FFmpegFixture, codec: String = "aac") async throws -> URL {
        try await fixture.make(
            "film.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=6 -f lavfi -i sine=d=6 -map 0 -map 1 -map 1 -map 1 -map 1 -c:v libx264 -preset ultrafast -g 24 -c:a \(codec) \(Self.tracks)")
    }

    @Test func whatTheMasterSaysOfEachTrack() async throws {
        let fixture = try FFmpegFixture()
        try await ServedMedia.serve(try await film(fixture)) { served in
            let renditions = served.presentation.multivariant.renditions
            #expect(renditions.map(\.name) == ["English", "English (commentary)", "Portuguese (Brazil)", "Audio 4"])
            #expect(renditions.map(\.language) == ["en", "en", "pt-BR", nil])
            #expect(renditions.map(\.isDefault) == [true, false, false, false])
            // What a player chooses by itself is the film, and one track of a kind.
            #expect(renditions.map(\.isAutoselect) == [true, false, true, true])
            #expect(await served.session.defaultAudioReason == "the first that is the film itself")
            // mdhd has room for no more than the language.
            let brazil = try #require(served.presentation.renditions.first { $0.name == "Portuguese (Brazil)" })
            let header = try await served.client.get(brazil.initialization)
            let packed: [UInt8] = [0x41, 0xF2]  // p, o, r, five bits each
            #expect(Array(header).firstRange(of: packed) != nil)
        }
    }

    /// A player that goes by the system's language gets the film in it, whatever comes first.
    @Test func oneTrackOfALanguageIsSelectedByItself() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "kinds.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=6 -f lavfi -i sine=d=6 -map 0 -map 1 -map 1 -map 1 -map 1 -map 1 -c:v libx264 -preset ultrafast -g 24 -c:a aac "
                + "-metadata:s:a:0 language=fra -disposition:a:0 default -metadata:s:a:1 language=eng -disposition:a:1 hearing_impaired -metadata:s:a:2 language=eng "
                + "-disposition:a:2 0 -metadata:s:a:3 language=eng -disposition:a:3 visual_impaired -metadata:s:a:4 language=eng -metadata:s:a:4 title=Commentary -disposition:a:4 0")
        try await ServedMedia.serve(url) { served in
            let renditions = served.presentation.multivariant.renditions
            #expect(renditions.map(\.name) == ["French", "English (hearing impaired)", "English", "English (audio description)", "Commentary"])
            #expect(renditions.map(\.isAutoselect) == [true, false, true, true, false])
            #expect(renditions.map(\.characteristics) == [[], [], [], ["public.accessibility.describes-video"], []])
        }
    }

    @Test func preferencesInTheirOrder() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture)
        for (wanted, name, reason) in [
            (["pt-PT"], "Portuguese (Brazil)", "pt-PT: other region"), (["ja", "por"], "Portuguese (Brazil)", "por: region unsaid"),
            (["Portuguese", "en"], "Portuguese (Brazil)", "Portuguese: region unsaid"), (["en-GB", "pt-BR"], "English", "en-GB: region unsaid"),
            (["xyz"], "English", "no track in xyz; the first that is the film itself"),
        ] {
            try await ServedMedia.serve(url, options: .init(preferredAudioLanguages: wanted)) { served in
                #expect(served.presentation.multivariant.renditions.filter(\.isDefault).map(\.name) == [name])
                #expect(served.presentation.multivariant.renditions.first?.name == name, "the first is what simple players take")
                #expect(await served.session.defaultAudioReason == reason)
            }
        }
    }

    /// Where only one track is bridged, or only one is in the segments, it is the preferred one.
    @Test func theOneTrackOfASequentialOrMuxedSessionIsThePreferredOne() async throws {
        let fixture = try FFmpegFixture()
        let url = try await film(fixture, codec: "libmp3lame")
        try await ServedMedia.serve(url, options: .init(playsSequentially: true, preferredAudioLanguages: ["pt"])) { served in
            #expect(served.presentation.multivariant.renditions.map(\.language) == ["pt-BR"])
        }
        try await ServedMedia.serve(url, options: .init(preferredAudioLanguage: "pt", forceMuxedShape: true)) { served in
            let routes = await served.session.audioTrackDeliveries.map(\.route)
            guard case .bridged("Portuguese (Brazil)", _, _, isDefault: true, _) = routes[2], case .leftOut = routes[0], case .leftOut = routes[1] else {
                Issue.record("\(routes)")
                return
            }
        }
    }

    /// The bridge of the track to start with works from the first segment on; the others rest.
    @Test func thePreferredTrackIsProducedFromTheFirstPacket() async throws {
        let fixture = try FFmpegFixture()
        try await ServedMedia.serve(try await film(fixture, codec: "libmp3lame"), options: .init(preferredAudioLanguage: "pt")) { served in
            _ = try await served.bytes(served.presentation.renditions[0])
            let productions = await served.session.audioRenditionProductions
            #expect(productions.filter { $0.state == .produced }.map(\.name) == ["Portuguese (Brazil)"])
            #expect(productions.allSatisfy { $0.state == .produced || $0.bridge?.packets == 0 })
        }
    }

    @Test func whatProbingTells() async throws {
        let fixture = try FFmpegFixture()
        let tracks = try await SourceProbe.openDetached(url: try await film(fixture)).info.audioTracks
        #expect(tracks.map(\.language) == ["eng", "eng", "pt-BR", "xyz"] && tracks.map(\.languageTag) == ["en", "en", "pt-BR", nil])
        #expect(tracks.map(\.isCommentary) == [true, false, false, false])
    }

    /// Matroska's own tags tell two Portugueses apart, which the codes beside them cannot.
    @Test func tagsOfMatroskaGoBeforeItsCodes() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "tags.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=6 -f lavfi -i sine=d=6 -map 0 -map 1 -map 1 -map 1 -c:v libx264 -preset ultrafast -g 24 -c:a aac "
                + "-metadata:s:a:0 language=por -metadata:s:a:0 title=_pt-PT -metadata:s:a:1 language=por -metadata:s:a:1 title=_pt-BR -metadata:s:a:2 language=chi "
                + "-metadata:s:a:2 title=_zh-Hant")
        // In place of each Name (0x536E) a LanguageBCP47 (0x22B59D), whose identifier is a byte longer.
        var bytes = Array(try Data(contentsOf: url))
        for tag in ["pt-PT", "pt-BR", "zh-Hant"] {
            let name: [UInt8] = [0x53, 0x6E, 0x81 + UInt8(tag.utf8.count)] + Array("_\(tag)".utf8)
            let place = try #require(bytes.firstRange(of: name))
            bytes.replaceSubrange(place, with: [0x22, 0xB5, 0x9D, 0x80 + UInt8(tag.utf8.count)] + Array(tag.utf8))
        }
        try Data(bytes).write(to: url)
        try await ServedMedia.serve(url, options: .init(preferredAudioLanguage: "pt-BR")) { served in
            let renditions = served.presentation.multivariant.renditions
            #expect(renditions.map(\.name) == ["Portuguese (Brazil)", "Portuguese (Portugal)", "Chinese (Traditional)"])
            #expect(renditions.map(\.language) == ["pt-BR", "pt-PT", "zh-Hant"] && renditions[0].isDefault)
            #expect(await served.session.defaultAudioReason == "pt-BR: exact")
        }
    }

    @Test func onePreferenceOrSeveral() {
        var options = PrismCoreSession.Options(preferredAudioLanguage: "cs", preferredAudioLanguages: ["sk"])
        #expect(options.preferredAudioLanguages == ["cs", "sk"] && options.preferredAudioLanguage == "cs")
        options.preferredAudioLanguage = "de"
        #expect(options.preferredAudioLanguages == ["de"])
        options.preferredAudioLanguage = nil
        #expect(options.preferredAudioLanguages == [] && options == PrismCoreSession.Options())
    }
}
