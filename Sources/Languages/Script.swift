/// Scripts of language tags: ISO 15924 (RFC 5646 §2.2.3).
enum Script {
    /// A name for menus; `nil` where the code has to do.
    static func englishName(_ code: String) -> String? {
        switch code {
        case "Hans": "Simplified"
        case "Hant": "Traditional"
        case "Latn": "Latin"
        case "Cyrl": "Cyrillic"
        case "Arab": "Arabic script"
        case "Deva": "Devanagari"
        case "Mong": "Mongolian script"
        default: nil
        }
    }

    /// Whether the script is the one the language is written in anyway, so that no tag says it (RFC 5646 §3.1.9, Suppress-Script).
    static func isUsual(_ script: String, for language: String) -> Bool { usual[language] == script }

    /// What a region says of the script where the tag does not: a media server has no other field to tell the two ways of writing Chinese.
    static func implied(language: String, region: String?) -> String? {
        guard language == "zh" else { return nil }
        switch region {
        case "CN", "SG": return "Hans"
        case "TW", "HK", "MO": return "Hant"
        default: return nil
        }
    }

    private static let usual: [String: String] = {
        var found: [String: String] = [:]
        for (script, languages) in [
            ("Latn", "af ay ca ch cs cy da de en eo es et eu fi fj fo fr fy ga gl gn gv hr ht hu id is it kl la lb ln lt lv mg mh ms mt na nb nd nl nn no nr ny"),
            ("Latn", "om pl pt qu rm rn ro rw sg sk sl sm so sq ss st sv sw tl tn to tr ts ve vi xh zu dsb frr frs gsw hsb men nds niu nso tem tkl tmh tpi tvl"),
            ("Arab", "ar fa ps ur"), ("Beng", "as bn"), ("Cyrl", "be bg kk mk ru uk"), ("Deva", "hi mr ne mai"), ("Ethi", "am ti"), ("Grek", "el"), ("Gujr", "gu"),
            ("Hebr", "he yi"), ("Armn", "hy"), ("Jpan", "ja"), ("Geor", "ka"), ("Khmr", "km"), ("Knda", "kn"), ("Kore", "ko"), ("Laoo", "lo"), ("Mlym", "ml"),
            ("Mymr", "my"), ("Orya", "or"), ("Guru", "pa"), ("Sinh", "si"), ("Taml", "ta"), ("Telu", "te"), ("Thai", "th"), ("Thaa", "dv"), ("Tibt", "dz"),
            ("Nkoo", "nqo"),
        ] {
            for language in languages.split(separator: " ") { found[String(language)] = script }
        }
        return found
    }()
}
