import Languages
import TestSupport
import Testing

struct LanguageTagTests {
    /// What is written, and its canonical form.
    static let canonical: [(String, String)] = [
        ("en", "en"), ("EN", "en"), ("eng", "en"), ("ENG", "en"), (" eng ", "en"), ("en_US", "en-US"), ("en-us", "en-US"), ("eng-US", "en-US"), ("en-GB-oed", "en-GB-oxendict"),
        ("cze", "cs"), ("ces", "cs"), ("cs-CZ", "cs-CZ"), ("ger", "de"), ("deu", "de"), ("de-CH-1901", "de-CH-1901"), ("de-1996-DE", ""), ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("chi", "zh"), ("zho", "zh"), ("cmn", "zh"), ("zh-cmn", "zh"), ("zh-cmn-Hans-CN", "zh-Hans-CN"), ("zh-yue", "yue"), ("zh-yue-HK", "yue-HK"), ("zh-HANT-tw", "zh-Hant-TW"),
        ("zh-min-nan", "nan"), ("zh-guoyu", "zh"), ("zh-hakka", "hak"), ("zh-xiang", "hsn"), ("i-klingon", "tlh"), ("i-lux", "lb"), ("art-lojban", "jbo"), ("no-bok", "nb"),
        ("por-BRA", "pt"), ("zho-CHN", "zh"), ("ger-CHE", "de"), ("eng-IND", "en"), ("fre-CHE-x-a", "fr-x-a"), ("zh-chn-Hans", "zh-Hans"),
        ("sgn-ase", "ase"), ("ar-arz", "arz"), ("arb", "ar"), ("pes", "fa"), ("swh", "sw"), ("uzn", "uz"), ("kmr", "ku"), ("zsm", "ms"), ("lvs", "lv"), ("ekk", "et"),
        ("no", "no"), ("nor", "no"), ("nob", "nb"), ("nno", "nn"), ("cnr", "cnr"), ("prs", "prs"), ("npi", "npi"), ("ory", "ory"), ("quz", "quz"), ("crs", "crs"), ("yue", "yue"),
        ("nan", "nan"), ("arz", "arz"), ("iw", "he"), ("in", "id"), ("ji", "yi"), ("jw", "jv"), ("mo", "ro"), ("mol", "ro"), ("sh", "sh"), ("hbs", "sh"), ("scc", "sr"), ("scr", "hr"),
        ("en-Latn", "en"), ("en-Latn-GB", "en-GB"), ("ru-Cyrl", "ru"), ("sr-Latn", "sr-Latn"), ("sr-Cyrl-RS", "sr-Cyrl-RS"), ("ja-Jpan", "ja"), ("hi-Latn", "hi-Latn"),
        ("es-419", "es-419"), ("de-DD", "de-DE"), ("en-UK", "en-GB"), ("my-BU", "my-MM"), ("pt_br", "pt-BR"), ("ca-valencia", "ca-valencia"), ("en-u-ca-buddhist", "en-u-ca-buddhist"),
        ("en-x-descr", "en-x-descr"), ("en-u-nu-latn-a-bbb", "en-a-bbb-u-nu-latn"), ("fr-CA-x-A-b", "fr-CA-x-a-b"), ("qaa", "qaa"), ("und", "und"), ("xyz", "xyz"), ("dub", "dub"),
        // No tags, and tags that name nothing.
        ("", ""), ("e", ""), ("english", ""), ("Director's cut", ""), ("en-", ""), ("-en", ""), ("en--US", ""), ("en-US-US", ""), ("en-a", ""), ("en-x", ""), ("x-private", ""),
        ("i-default", ""), ("i-mingo", ""), ("cel-gaulish", ""), ("zh-min", ""), ("en-abcdefghi", ""), ("sl-rozaj-rozaj", ""), ("en-u-ca-u-nu", ""), ("12", ""), ("ęn", ""),
        ("en-ÜS", ""), ("e\u{301}n", ""), ("en\u{0}", "en"), ("en-a1", ""),
    ]

    @Test func canonicalForms() {
        for (written, expected) in Self.canonical {
            #expect(LanguageTag(written)?.description ?? "" == expected, "\(written)")
        }
    }

    @Test func normalisationIsIdempotent() {
        for (written, _) in Self.canonical {
            guard let tag = LanguageTag(written) else { continue }
            #expect(LanguageTag(tag.description) == tag, "\(written)")
            #expect(LanguageTag(tag.essence)?.essence == tag.essence, "\(written)")
            #expect(LanguageTag(tag.description.uppercased()) == tag, "\(written)")
        }
        for language in ISO639.all {
            let tag = LanguageTag(language.terminology)
            #expect(tag.map { LanguageTag($0.description) } == tag && tag?.language != nil, "\(language)")
        }
    }

    @Test func whateverIsReadIsReadAgain() {
        var random = SeededRandom(seed: 639)
        let alphabet = Array("aeinzxu19-_ HTé")
        for _ in 0..<20_000 {
            let text = String((0..<Int.random(in: 0...18, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
            guard let tag = LanguageTag(text) else { continue }
            #expect(LanguageTag(tag.description) == tag, "\(text)")
        }
        #expect(LanguageTag(String(repeating: "en-", count: 100) + "US") == nil)
    }

    @Test func theTableHoldsBothSpellings() {
        #expect(ISO639.all.count { $0.twoLetter != nil } >= 184 && ISO639.all.count { $0.bibliographic != nil } == 20 && ISO639.all.count > 700)
        for (bibliographic, terminology) in [
            ("alb", "sqi"), ("arm", "hye"), ("baq", "eus"), ("bur", "mya"), ("chi", "zho"), ("cze", "ces"), ("dut", "nld"), ("fre", "fra"), ("geo", "kat"), ("ger", "deu"),
            ("gre", "ell"), ("ice", "isl"), ("mac", "mkd"), ("mao", "mri"), ("may", "msa"), ("per", "fas"), ("rum", "ron"), ("slo", "slk"), ("tib", "bod"), ("wel", "cym"),
        ] {
            #expect(ISO639.language(bibliographic) == ISO639.language(terminology) && LanguageLabel.iso639Terminology(bibliographic) == terminology)
        }
        for code in ["und", "mis", "mul", "zxx", "qaa", "qtz", "xyz", ""] { #expect(ISO639.language(code) == nil, "\(code)") }
        // Each code means one language.
        let codes = ISO639.all.flatMap { [$0.terminology, $0.bibliographic, $0.twoLetter].compactMap { $0 } }
        #expect(Set(codes).count == codes.count)
        #expect(ISO639.all.allSatisfy { $0.terminology.utf8.count == 3 && !$0.englishName.isEmpty && ($0.twoLetter?.utf8.count ?? 2) == 2 })
    }

    /// What each member of a macrolanguage and each code withdrawn stands for is a language.
    @Test func aliasesLeadSomewhere() {
        for code in [
            "aju", "als", "ayr", "azj", "bcc", "bcl", "bxk", "bxr", "cld", "cwd", "dgo", "dhd", "dik", "diq", "emk", "esk", "fuc", "gaz", "gbo", "gno", "gug", "gya", "hdn", "hea", "ike",
            "khk", "knc", "kng", "kpv", "mhr", "mup", "ojg", "pbu", "plt", "pnb", "rmy", "spy", "src", "ttq", "umu", "xpe", "xsl", "ydd", "zai", "zyb", "jaw", "fri", "esp", "ajp",
        ] {
            #expect(LanguageTag(code)?.language != nil, "\(code)")
        }
    }

    /// What a playlist, an init segment and a menu say of what a container says.
    @Test func labelsOfContainers() {
        for (label, tag, terminology, name) in [
            ("eng", "en", "eng", "English"), ("cze", "cs", "ces", "Czech"), ("por-BR", "pt-BR", "por", "Portuguese (Brazil)"), ("zh-Hant", "zh-Hant", "zho", "Chinese (Traditional)"),
            ("yue", "yue", "yue", "Cantonese"), ("es-419", "es-419", "spa", "Spanish (Latin America)"), ("cnr", "cnr", "cnr", "Montenegrin"), ("crs", "crs", "crs", "Seselwa Creole French"),
            ("en-u-ca-buddhist-x-a", "en", "eng", "English"), ("ca-valencia", "ca-valencia", "cat", "Catalan"), ("sr-Cyrl", "sr-Cyrl", "srp", "Serbian (Cyrillic)"),
            ("pt-XQ", "pt-XQ", "por", "Portuguese (XQ)"), ("deu,fra", "de", "deu", "German"),
        ] {
            #expect(LanguageLabel.rfc5646(label) == tag && LanguageLabel.iso639Terminology(label) == terminology && LanguageLabel.englishName(label) == name, "\(label)")
        }
        for label in ["", ",", "und,eng", "und", "mul", "zxx", "qaa", "xyz", "dub", "Director's commentary", "English 5.1"] {
            #expect(LanguageLabel.rfc5646(label) == nil && LanguageLabel.iso639Terminology(label) == "und" && LanguageLabel.englishName(label) == nil, "\(label)")
        }
        // A name is matched by, and has its place in a menu; it is no code that anything is claimed by.
        #expect(LanguageLabel.rfc5646("English") == nil && LanguageLabel.englishName("english") == "English")
        #expect(LanguageLabel.rfc5646(nil) == nil && LanguageLabel.iso639Terminology(nil) == "und")
    }
}
