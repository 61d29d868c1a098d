/// Language codes of containers (ISO 639-2 in both spellings, 639-1, RFC 5646 tags) as HLS wants them (RFC 5646).
package enum LanguageTag {
    /// ISO 639-2 bibliographic and terminological codes that have a two-letter form, which RFC 5646 §2.2.1 requires.
    private static let twoLetter: [String: String] = [
        "alb": "sq", "sqi": "sq", "ara": "ar", "arm": "hy", "hye": "hy", "baq": "eu", "eus": "eu", "bel": "be", "ben": "bn", "bos": "bs",
        "bul": "bg", "bur": "my", "mya": "my", "cat": "ca", "chi": "zh", "zho": "zh", "cze": "cs", "ces": "cs", "dan": "da", "dut": "nl",
        "nld": "nl", "eng": "en", "est": "et", "fin": "fi", "fre": "fr", "fra": "fr", "geo": "ka", "kat": "ka", "ger": "de", "deu": "de",
        "gle": "ga", "glg": "gl", "gre": "el", "ell": "el", "guj": "gu", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "ice": "is",
        "isl": "is", "ind": "id", "ita": "it", "jpn": "ja", "kan": "kn", "kaz": "kk", "khm": "km", "kor": "ko", "lat": "la", "lav": "lv",
        "lit": "lt", "mac": "mk", "mkd": "mk", "may": "ms", "msa": "ms", "mal": "ml", "mar": "mr", "mon": "mn", "nep": "ne", "nor": "no",
        "nob": "nb", "nno": "nn", "per": "fa", "fas": "fa", "pol": "pl", "por": "pt", "pan": "pa", "rum": "ro", "ron": "ro", "rus": "ru",
        "srp": "sr", "slo": "sk", "slk": "sk", "slv": "sl", "spa": "es", "swa": "sw", "swe": "sv", "tam": "ta", "tel": "te", "tha": "th",
        "tib": "bo", "bod": "bo", "tur": "tr", "ukr": "uk", "urd": "ur", "uzb": "uz", "vie": "vi", "wel": "cy", "cym": "cy", "afr": "af",
        "aze": "az", "yid": "yi", "zul": "zu", "som": "so", "amh": "am", "lao": "lo", "sin": "si", "tgl": "tl",
    ]

    /// English names for menus, by two-letter code.
    private static let names: [String: String] = [
        "sq": "Albanian", "ar": "Arabic", "hy": "Armenian", "eu": "Basque", "be": "Belarusian", "bn": "Bengali", "bs": "Bosnian",
        "bg": "Bulgarian", "my": "Burmese", "ca": "Catalan", "zh": "Chinese", "cs": "Czech", "da": "Danish", "nl": "Dutch", "en": "English",
        "et": "Estonian", "fi": "Finnish", "fr": "French", "ka": "Georgian", "de": "German", "ga": "Irish", "gl": "Galician", "el": "Greek",
        "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "is": "Icelandic", "id": "Indonesian",
        "it": "Italian", "ja": "Japanese", "kn": "Kannada", "kk": "Kazakh", "km": "Khmer", "ko": "Korean", "la": "Latin", "lv": "Latvian",
        "lt": "Lithuanian", "mk": "Macedonian", "ms": "Malay", "ml": "Malayalam", "mr": "Marathi", "mn": "Mongolian", "ne": "Nepali",
        "no": "Norwegian", "nb": "Norwegian Bokmål", "nn": "Norwegian Nynorsk", "fa": "Persian", "pl": "Polish", "pt": "Portuguese",
        "pa": "Punjabi", "ro": "Romanian", "ru": "Russian", "sr": "Serbian", "sk": "Slovak", "sl": "Slovenian", "es": "Spanish",
        "sw": "Swahili", "sv": "Swedish", "ta": "Tamil", "te": "Telugu", "th": "Thai", "bo": "Tibetan", "tr": "Turkish", "uk": "Ukrainian",
        "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "cy": "Welsh", "af": "Afrikaans", "az": "Azerbaijani", "yi": "Yiddish", "zu": "Zulu",
        "so": "Somali", "am": "Amharic", "lo": "Lao", "si": "Sinhala", "tl": "Tagalog",
    ]

    /// The RFC 5646 tag for a container's language, `nil` for none (`und`, empty, nonsense).
    package static func rfc5646(_ language: String) -> String? {
        var parts = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        guard let first = parts.first?.lowercased(), (2...3).contains(first.count), first.allSatisfy({ $0.isASCII && $0.isLetter }),
            !["und", "unk", "mis", "mul", "zxx"].contains(first), parts.dropFirst().allSatisfy({ $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } })
        else { return nil }
        parts[0] = twoLetter[first] ?? first
        return parts.joined(separator: "-")
    }

    /// ISO 639-2/T for `mdhd`, which holds three letters and nothing else; `und` where there is none.
    package static func iso639Terminology(_ language: String?) -> String {
        guard let language, let tag = rfc5646(language) else { return "und" }
        let primary = String(tag.prefix { $0 != "-" })
        if primary.count == 3 { return primary }
        // Of the two spellings of one language the terminological is the one its own speakers' name begins: listed second above.
        let spellings = twoLetter.filter { $0.value == primary }.keys
        return spellings.first { !bibliographic.contains($0) } ?? "und"
    }

    private static let bibliographic: Set<String> = [
        "alb", "arm", "baq", "bur", "chi", "cze", "dut", "fre", "geo", "ger", "gre", "ice", "mac", "may", "per", "rum", "slo", "tib", "wel",
    ]

    /// A menu name for a language, `nil` where it has none here.
    package static func englishName(_ language: String) -> String? {
        rfc5646(language).flatMap { names[String($0.prefix { $0 != "-" })] }
    }
}
