import Languages
import TestSupport
import Testing

struct AudioChoiceTests {
    private func chosen(_ tracks: [AudioCandidate], _ preferences: String...) -> Int? { AudioChoice(among: tracks, preferring: preferences)?.index }

    @Test func thePreferredLanguageGoesBeforeEveryFlag() {
        let tracks = [AudioCandidate(language: "eng", isDefault: true, isOriginal: true), .init(language: "cze")]
        for preference in ["cs", "cze", "ces", "cs-CZ", "Czech"] { #expect(chosen(tracks, preference) == 1) }
        #expect(chosen(tracks, "fr") == 0 && chosen(tracks) == 0 && chosen(tracks, "") == 0 && chosen(tracks, "und") == 0)
        #expect(AudioChoice(among: tracks, preferring: ["cs-CZ"])?.reason == "cs-CZ: region unsaid")
        #expect(AudioChoice(among: tracks, preferring: ["fr", "it"])?.reason == "no track in fr, it; the original")
        #expect(AudioChoice(among: [], preferring: ["en"]) == nil)
    }

    @Test func theFirstPreferenceThatIsAnsweredDecides() {
        let tracks = [AudioCandidate(language: "en-GB"), .init(language: "de-AT"), .init(language: "fra")]
        #expect(chosen(tracks, "it", "de-DE", "en-GB") == 1, "a worse answer to an earlier preference beats a perfect one to a later")
        #expect(chosen(tracks, "fr", "en") == 2)
    }

    @Test func theBestAnswerOfSeveral() {
        let tracks = [AudioCandidate(language: "en-US"), .init(language: "eng"), .init(language: "en-GB")]
        #expect(chosen(tracks, "en-GB") == 2 && chosen(tracks, "en-US") == 0 && chosen(tracks, "en") == 1 && chosen(tracks, "en-AU") == 1)
        #expect(chosen([.init(language: "zh-CN"), .init(language: "zho"), .init(language: "zh-TW")], "zh-Hant") == 2)
        #expect(chosen([.init(language: "zh-CN")], "zh-Hant") == 0, "what is heard has no script to be unable to read")
        #expect(chosen([.init(language: "nob"), .init(language: "nor")], "no") == 1)
        #expect(chosen([.init(language: "en"), .init(language: "yue")], "zh") == 0)
    }

    @Test func originalThenNoDubThenDefaultThenFirst() {
        #expect(chosen([.init(), .init(isDefault: true), .init(isOriginal: true)]) == 2)
        #expect(chosen([.init(isDefault: true, isDub: true), .init()]) == 1)
        #expect(chosen([.init(), .init(isDefault: true), .init(isDefault: true)]) == 1)
        #expect(chosen([.init(), .init()]) == 0)
        #expect(chosen([.init(language: "fra", isDefault: true), .init(language: "qaa")]) == 1, "the original, as French broadcasters say it")
        #expect(chosen([.init(language: "de"), .init(language: "de", isDefault: true)], "de") == 1, "flags decide between equal answers")
    }

    @Test func commentaryAndDescriptionDoNotWinByAccident() {
        let film = AudioCandidate(language: "eng")
        for other in [
            AudioCandidate(language: "eng", isDefault: true, isOriginal: true, isCommentary: true), .init(language: "eng", isDefault: true, isDescription: true),
            .init(language: "eng", isDefault: true, isHearingImpaired: true), .init(language: "eng", title: "Director's Commentary", isDefault: true),
            .init(language: "eng", title: "English (Audio Description)", isDefault: true), .init(language: "eng", title: "Audiokommentar mit Regisseur", isDefault: true),
            .init(language: "qad", isDefault: true),
        ] {
            #expect(chosen([other, film]) == 1 && chosen([film, other]) == 0)
            #expect(chosen([other, film], "en") == 1 && chosen([other, film], "fr") == 1)
        }
        // Even where it is the exact region.
        #expect(chosen([.init(language: "en-GB", isDescription: true), .init(language: "en-US")], "en-GB") == 1)
        // A description of the film is the film: it answers where nothing else does. A commentary is not.
        #expect(chosen([.init(language: "jpn"), .init(language: "eng", isDescription: true)], "en") == 1)
        #expect(chosen([.init(language: "jpn"), .init(language: "eng", isCommentary: true)], "en") == 0)
        #expect(chosen([.init(language: "jpn"), .init(language: "eng", isCommentary: true), .init(language: "fra")], "en", "fr") == 2)
        // Where there is nothing else, something is played.
        #expect(chosen([.init(language: "jpn", isCommentary: true), .init(language: "eng", isCommentary: true)], "en") == 1)
        #expect(chosen([.init(isCommentary: true), .init(isDescription: true), .init(isHearingImpaired: true)]) == 2)
    }

    @Test func languagesAreNotReadFromTitles() {
        #expect(chosen([.init(language: "eng"), .init(title: "Čeština"), .init(title: "Czech")], "cs") == 0)
        #expect(chosen([.init(language: "eng"), .init(language: "Czech")], "cs") == 1, "the language field of old files may hold a name")
    }
}

struct SubtitleChoiceTests {
    private func chosen(_ tracks: [SubtitleCandidate], _ preferences: String...) -> Int? { SubtitleChoice(among: tracks, preferring: preferences)?.index }

    @Test func withoutAnAnswerTheyStayOff() {
        let tracks = [SubtitleCandidate(language: "eng", isDefault: true), .init(language: "und", isForced: true)]
        #expect(chosen(tracks) == nil && chosen(tracks, "fr") == nil && chosen(tracks, "und") == nil && chosen([], "en") == nil)
    }

    @Test func wholeOnesGoBeforeForcedOnes() {
        #expect(chosen([.init(language: "eng", isForced: true), .init(language: "eng")], "en") == 1)
        #expect(chosen([.init(language: "en-GB", isForced: true), .init(language: "eng")], "en-GB") == 1, "an exact region does not make signs the film's subtitles")
        #expect(chosen([.init(language: "eng", isForced: true)], "en") == 0)
    }

    @Test func kindsInTheirOrder() {
        let all = [
            SubtitleCandidate(language: "eng", isCommentary: true), .init(language: "eng", isForced: true), .init(language: "eng", isHearingImpaired: true),
            .init(language: "eng", isText: false), .init(language: "eng"), .init(language: "eng", isDefault: true),
        ]
        for count in 1...all.count { #expect(chosen(Array(all.prefix(count)), "en") == count - 1) }
        #expect(chosen(all.reversed(), "en") == 0)
        #expect(chosen([.init(language: "en-US"), .init(language: "en-GB", isHearingImpaired: true)], "en-GB") == 1, "the language's form before the kind")
    }

    @Test func theOtherScriptIsNoAnswer() {
        #expect(chosen([.init(language: "zh-CN")], "zh-Hant") == nil && chosen([.init(language: "zh-Hans")], "zh-TW") == nil)
        #expect(chosen([.init(language: "zh-CN"), .init(language: "chi")], "zh-Hant") == 1)
        #expect(chosen([.init(language: "zh-CN"), .init(language: "eng")], "zh-Hant", "en") == 1)
        #expect(chosen([.init(language: "chi"), .init(language: "zh-TW")], "zh-Hant") == 1)
    }

    @Test func theForcedTrackOfTheSound() {
        let tracks = [SubtitleCandidate(language: "eng"), .init(language: "eng", isForced: true), .init(language: "ger", isForced: true), .init(language: "zh-Hans", isForced: true)]
        #expect(SubtitleChoice.forced(among: tracks, soundLanguage: "en") == 1 && SubtitleChoice.forced(among: tracks, soundLanguage: "de-DE") == 2)
        #expect(SubtitleChoice.forced(among: tracks, soundLanguage: "fr") == nil && SubtitleChoice.forced(among: tracks, soundLanguage: nil) == nil)
        #expect(SubtitleChoice.forced(among: tracks, soundLanguage: "zh-TW") == nil)
    }
}

struct RenditionNamesTests {
    private func names(_ tracks: RenditionNames.Track...) -> [String] { RenditionNames.unique(tracks) }

    @Test func aTitleElseALanguageElseANumber() {
        #expect(names(.init(language: "eng", title: "Surround"), .init(language: "cze"), .init(language: "pt-BR"), .init(), .init(title: " \n ")) == ["Surround", "Czech", "Portuguese (Brazil)", "Audio 4", "Audio 5"])
        #expect(names(.init(hasObjects: true), .init(language: "eng", hasObjects: true)) == ["Dolby Atmos", "English"])
        #expect(names(.init(language: "eng", purpose: .commentary), .init(purpose: .description)) == ["English (commentary)", "Audio description"])
    }

    @Test func whatMakesThemDifferentTellsThemApart() {
        #expect(names(.init(language: "eng", title: "Dolby"), .init(language: "fra", title: "Dolby"), .init(title: "Dolby")) == ["Dolby (English)", "Dolby (French)", "Dolby"])
        #expect(names(.init(language: "eng", channels: 6), .init(language: "eng", channels: 2)) == ["English (5.1)", "English (stereo)"])
        #expect(names(.init(language: "eng", channels: 6), .init(language: "eng", channels: 6)) == ["English", "English 2"])
        #expect(names(.init(title: "A", channels: 6), .init(language: "eng", title: "A"), .init(language: "eng", title: "A", channels: 1)) == ["A", "A (English, stereo)", "A (English, mono)"])
        #expect(names(.init(title: "B 2"), .init(title: "B"), .init(title: "B")) == ["B 2", "B", "B 3"])
    }

    @Test func theyDifferAsTheyAreWritten() {
        #expect(names(.init(title: "Say \"hi\""), .init(title: "Say 'hi'"), .init(title: "a\r\nb"), .init(title: "a b")) == ["Say 'hi'", "Say 'hi' 2", "a b", "a b 2"])
        #expect(names(.init(title: String(repeating: "x", count: 10_000)))[0].count == 200)
    }

    @Test func uniqueWhateverTheTracksAre() {
        var random = SeededRandom(seed: 5)
        let titles = [nil, "", "A", "A 2", "A (English)", "Audio 1", "English", "English 2"]
        for _ in 0..<2000 {
            let tracks = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                RenditionNames.Track(
                    language: [nil, "eng", "en-GB", "fra", "und"].randomElement(using: &random) ?? nil, title: titles.randomElement(using: &random) ?? nil,
                    purpose: [.programme, .commentary].randomElement(using: &random) ?? .programme, channels: [1, 2, 6].randomElement(using: &random) ?? 2)
            }
            let names = RenditionNames.unique(tracks)
            #expect(names.count == tracks.count && Set(names).count == names.count && names.allSatisfy { !$0.isEmpty }, "\(tracks)")
        }
    }
}
