import Languages
import TestSupport
import Testing

struct LanguageMatchTests {
    /// A preference, a track's label, and how well the one answers the other; nothing where it does not.
    static let pairs: [(String, String, String)] = [
        // The spellings of one language.
        ("cs", "cs", "exact"), ("cs", "cze", "exact"), ("cs", "ces", "exact"), ("cze", "ces", "exact"), ("CES", "cs", "exact"), ("Czech", "cze", "exact"), ("czech", "Czech", "exact"),
        ("en", "eng", "exact"), ("english", "en", "exact"), ("English", "eng", "exact"), ("de", "deu", "exact"), ("de", "ger", "exact"), ("german", "ger", "exact"), ("fr", "fre", "exact"),
        ("fr", "fra", "exact"), ("es", "spa", "exact"), ("Spanish", "es", "exact"), ("castilian", "spa", "exact"), ("it", "ita", "exact"), ("nl", "dut", "exact"), ("nld", "dut", "exact"),
        ("flemish", "nl", "exact"), ("pl", "pol", "exact"), ("ru", "rus", "exact"), ("ja", "jpn", "exact"), ("ko", "kor", "exact"), ("sv", "swe", "exact"), ("da", "dan", "exact"),
        ("fi", "fin", "exact"), ("hu", "hun", "exact"), ("tr", "tur", "exact"), ("el", "gre", "exact"), ("ell", "gre", "exact"), ("he", "heb", "exact"), ("th", "tha", "exact"),
        ("vi", "vie", "exact"), ("uk", "ukr", "exact"), ("ro", "rum", "exact"), ("ron", "rum", "exact"), ("sk", "slo", "exact"), ("slk", "slo", "exact"), ("is", "ice", "exact"),
        ("hy", "arm", "exact"), ("ka", "geo", "exact"), ("eu", "baq", "exact"), ("cy", "wel", "exact"), ("sq", "alb", "exact"), ("mk", "mac", "exact"), ("ms", "may", "exact"),
        ("my", "bur", "exact"), ("bo", "tib", "exact"), ("mi", "mao", "exact"), ("fa", "per", "exact"), ("Farsi", "fas", "exact"), ("chr", "chr", "exact"), ("haw", "haw", "exact"),
        ("gsw", "gsw", "exact"), ("ase", "sgn-ase", "exact"), ("tlh", "i-klingon", "exact"), ("lb", "i-lux", "exact"),
        // Codes withdrawn.
        ("he", "iw", "exact"), ("iw", "heb", "exact"), ("id", "in", "exact"), ("yi", "ji", "exact"), ("jv", "jw", "exact"), ("ro", "mo", "exact"), ("ro", "mol", "exact"),
        ("sr", "scc", "exact"), ("hr", "scr", "exact"),
        // Macrolanguages: the form that is meant by them is them, the others are not.
        ("zh", "cmn", "exact"), ("cmn", "chi", "exact"), ("zh", "zh-cmn", "exact"), ("mandarin", "zho", "exact"), ("ar", "arb", "exact"), ("fa", "pes", "exact"), ("sw", "swh", "exact"),
        ("uz", "uzn", "exact"), ("ku", "kmr", "exact"), ("ms", "zsm", "exact"), ("et", "ekk", "exact"), ("lv", "lvs", "exact"), ("sq", "als", "exact"), ("mn", "khk", "exact"),
        ("zh", "yue", ""), ("yue", "zh", ""), ("yue", "cmn", ""), ("zh", "nan", ""), ("zh", "hak", ""), ("zh", "zh-yue", ""), ("zh", "zh-min-nan", ""), ("ar", "arz", ""), ("arz", "ar", ""),
        ("ar", "apc", ""), ("fa", "prs", ""), ("yue", "zh-yue", "exact"), ("cantonese", "yue", "exact"), ("nan", "zh-min-nan", "exact"), ("arz", "ar-arz", "exact"), ("ku", "ckb", ""),
        ("qu", "quz", ""), ("ms", "id", ""), ("id", "may", ""),
        // Close enough, though neither is the other.
        ("no", "nb", "close language"), ("nb", "no", "close language"), ("nor", "nob", "close language"), ("no", "nno", "close language"), ("nn", "nb", "close language"),
        ("nb", "nob", "exact"), ("no-bok", "nb", "exact"), ("sh", "sr", "close language"), ("hr", "sh", "close language"), ("bs", "hbs", "close language"), ("hr", "sr", ""), ("bs", "hr", ""),
        ("ne", "npi", "close language"), ("or", "ory", "close language"), ("tl", "fil", "close language"), ("no", "da", ""), ("nb", "sv", ""), ("cs", "sk", ""),
        // Regions.
        ("pt-BR", "pt-BR", "exact"), ("pt-BR", "por-br", "exact"), ("pt", "pt-BR", "region unsaid"), ("pt-BR", "pt", "region unsaid"), ("pt-BR", "por", "region unsaid"),
        ("pt-BR", "pt-PT", "other region"), ("pt-PT", "pt-BR", "other region"), ("en-GB", "en-GB", "exact"), ("en-GB", "eng", "region unsaid"), ("en-GB", "en-US", "other region"),
        ("en-GB", "en-UK", "exact"), ("en_GB", "en-gb", "exact"), ("en", "en-AU", "region unsaid"), ("en-GB", "English", "region unsaid"), ("fr-CA", "fr-FR", "other region"),
        ("fr-CA", "fre", "region unsaid"), ("cs-CZ", "cze", "region unsaid"), ("de-AT", "de-DE", "other region"), ("de-DE", "de-DD", "exact"), ("es-MX", "es-419", "wider region"),
        ("es-419", "es-AR", "wider region"), ("es-MX", "es-ES", "other region"), ("es-419", "es-ES", "other region"), ("es-MX", "es-AR", "other region"), ("es-419", "spa", "region unsaid"),
        ("pt-419", "pt-BR", "wider region"), ("yue-HK", "zh-yue-HK", "exact"), ("yue-HK", "yue", "region unsaid"), ("nb-NO", "no", "close language, region unsaid"),
        // Scripts, and regions that say them.
        ("zh-Hant", "zh-Hant", "exact"), ("zh-Hant", "zh-TW", "region unsaid"), ("zh-Hant", "zh-HK", "region unsaid"), ("zh-Hant", "zh-MO", "region unsaid"), ("zh-Hans", "zh-CN", "region unsaid"),
        ("zh-Hans", "zh-SG", "region unsaid"), ("zh-Hant", "zh", "script unsaid"), ("zh-Hant", "chi", "script unsaid"), ("zh-Hans", "zho", "script unsaid"), ("zh-Hant", "zh-CN", "other script, region unsaid"),
        ("zh-Hant", "zh-Hans", "other script"), ("zh-TW", "zh-CN", "other script, other region"), ("zh-TW", "zh-HK", "other region"), ("zh-TW", "zh-Hant-TW", "exact"), ("zh-CN", "zh-Hans-CN", "exact"),
        ("zh", "zh-TW", "script unsaid, region unsaid"), ("zh-Hant-HK", "zh-Hant", "region unsaid"), ("zh-cmn-Hant", "zh-Hant", "exact"), ("zh-Hant", "yue-Hant", ""),
        ("sr-Latn", "sr-Cyrl", "other script"), ("sr", "sr-Latn", "script unsaid"), ("sr-Latn-RS", "sr-Latn", "region unsaid"), ("en", "en-Latn", "exact"), ("en-Latn-GB", "en-GB", "exact"),
        ("ru-Cyrl", "rus", "exact"), ("hi", "hi-Latn", "script unsaid"), ("uz-Cyrl", "uz-Latn", "other script"), ("ja", "ja-Jpan", "exact"), ("pa-Arab", "pa", "script unsaid"),
        // Variants, extensions, private use.
        ("ca-valencia", "ca", "variant unsaid"), ("ca-valencia", "ca-valencia", "exact"), ("de-1901", "de-1996", "other variant"), ("en-GB-oed", "en-GB", "variant unsaid"),
        ("en", "en-u-ca-buddhist", "exact"), ("en-x-descr", "eng", "exact"),
        // Different languages, though the letters are alike.
        ("en", "fr", ""), ("es", "et", ""), ("de", "da", ""), ("be", "ben", ""), ("mal", "may", ""), ("sl", "slo", ""), ("ka", "kan", ""), ("ch", "chi", ""), ("sv", "slv", ""), ("lt", "lat", ""),
        // No languages.
        ("en", "", ""), ("", "en", ""), ("", "", ""), ("und", "und", ""), ("en", "und", ""), ("und", "eng", ""), ("en", "mul", ""), ("en", "zxx", ""), ("qaa", "qaa", ""), ("xyz", "xyz", ""),
        ("dub", "dub", ""), ("en", "English 5.1", ""), ("en", "English commentary", ""), ("fr", "Version française", ""), ("English, please", "en", ""), ("x-klingon", "tlh", ""), ("en", "e", ""),
        ("en", "en--US", ""), ("en", "engl", ""),
    ]

    @Test func pairsOfPreferenceAndTrack() {
        #expect(Self.pairs.count >= 150)
        for (preference, label, expected) in Self.pairs {
            #expect(LanguageMatch(preference: preference, label: label)?.description ?? "" == expected, "\(preference) and \(label)")
        }
    }

    @Test func matchingIsSymmetric() {
        for (preference, label, _) in Self.pairs {
            #expect(LanguageMatch(preference: preference, label: label) == LanguageMatch(preference: label, label: preference), "\(preference) and \(label)")
        }
    }

    @Test func matchingIsReflexive() throws {
        for (text, _) in LanguageTagTests.canonical {
            guard let tag = LanguageTag(text), tag.language != nil else { continue }
            #expect(LanguageMatch(tag, tag)?.isExact == true, "\(text)")
        }
        for language in ISO639.all {
            for code in [language.terminology, language.bibliographic, language.twoLetter].compactMap({ $0 }) {
                #expect(LanguageMatch(preference: code, label: language.subtag)?.isExact == true, "\(code)")
            }
            // A name finds its language, unless it is a code as well, as Ga is.
            if language.englishName.utf8.count > 3 { #expect(LanguageLabel.matched(language.englishName)?.englishName == language.englishName) }
        }
    }

    /// For one preference, from the best answer to the worst.
    @Test func ranks() throws {
        for (preference, labels) in [
            ("en-GB", ["en-GB", "eng", "en-US"]), ("zh-Hant", ["zh-Hant", "zh-TW", "zho", "zh-Hans", "zh-CN"]), ("es-MX", ["es-MX", "es-419", "spa", "es-ES"]),
            ("no", ["nor", "no-NO", "nb", "nb-NO"]), ("pt", ["por", "pt-BR"]), ("sr-Latn", ["sr-Latn", "sr-Latn-RS", "srp", "sr-Cyrl"]), ("ca-valencia", ["ca-valencia", "cat", "ca-ES"]),
            ("zh-TW", ["zh-TW", "zh-Hant", "zh-HK", "zh", "zh-Hans", "zh-CN"]),
        ] {
            let matches = try labels.map { try #require(LanguageMatch(preference: preference, label: $0)) }
            for (better, worse) in zip(matches, matches.dropFirst()) { #expect(better > worse, "\(preference): \(labels)") }
        }
    }
}
