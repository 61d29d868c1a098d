/// A way characters were written as bytes, by its name.
///
/// What a text is in is found in this order: a byte order mark; zero bytes as UTF-16 has them; whether it is UTF-8 throughout; what the host says;
/// what the language's own files use, where the guesser agrees or cannot tell; the guesser alone; Western European. Each step follows from the bytes and the two
/// hints, so the same text always comes out the same.
package struct TextEncoding: Sendable, Hashable {
    /// As iconv and the IANA registry know it, in capitals.
    package let name: String

    package static let utf8 = TextEncoding(known: "UTF-8")
    package static let utf16LittleEndian = TextEncoding(known: "UTF-16LE")
    package static let utf16BigEndian = TextEncoding(known: "UTF-16BE")
    package static let western = TextEncoding(known: "WINDOWS-1252")

    private init(known name: String) { self.name = name }

    /// - Returns: `nil` for a name this system cannot convert from.
    package init?(named name: String) {
        let upper = String(decoding: name.utf8.filter { $0 > 0x20 && $0 < 0x7F }.prefix(40), as: UTF8.self).uppercased()
        let usual = Self.supersets[upper] ?? upper
        guard !usual.isEmpty, !usual.contains("//"), TextConversion.canConvert(from: usual) else { return nil }
        self.init(known: usual)
    }

    /// What is called by the narrower name is written by programs of the wider one.
    private static let supersets = [
        "UTF8": "UTF-8", "ASCII": "WINDOWS-1252", "US-ASCII": "WINDOWS-1252", "ISO-8859-1": "WINDOWS-1252", "LATIN1": "WINDOWS-1252", "CP1252": "WINDOWS-1252",
        "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932", "SJIS": "CP932", "WINDOWS-31J": "CP932", "EUC-KR": "CP949", "UHC": "CP949", "KS_C_5601-1987": "CP949",
        "GB2312": "GB18030", "GBK": "GB18030", "CP936": "GB18030", "HZ-GB-2312": "HZ", "BIG5": "CP950", "CP1250": "WINDOWS-1250", "CP1251": "WINDOWS-1251",
        "ISO-8859-9": "WINDOWS-1254", "ISO-8859-8-I": "WINDOWS-1255", "ISO-8859-8": "WINDOWS-1255", "TIS-620": "CP874", "ISO-8859-11": "CP874", "MAC-CYRILLIC": "MAC-CYRILLIC",
    ]

    // MARK: Finding

    /// - Parameters:
    ///   - bytes: The text; the front of it is enough where it is long.
    ///   - hint: What the host believes it to be.
    ///   - language: A tag or code of the text's language ("cs", "cze", "ru-RU").
    package static func found(in bytes: some Collection<UInt8>, hint: TextEncoding? = nil, language: String? = nil) -> TextEncoding {
        let text = Array(bytes.prefix(1 << 20))
        if let marked = marked(text)?.encoding { return marked }
        if let wide = utf16(text) { return wide }
        // A text cut in the middle of a character is still one.
        if isUTF8(text, isCut: bytes.count > text.count) {
            let isShifted = text.contains(0x1B)
            return isShifted ? hint ?? detected(text).flatMap { TextEncoding(named: $0) } ?? utf8 : utf8
        }
        if let hint, hint != utf8, hint.isClean(text) { return hint }
        let guess = detected(text).flatMap { TextEncoding(named: $0) }
        if let language, let usual = usual(language) {
            if let guess, usual.contains(guess.name), guess.isClean(text) { return guess }
            if let first = usual.lazy.compactMap({ TextEncoding(named: $0) }).first(where: { $0.isClean(text) }) { return first }
        }
        if let guess, guess != utf8, guess.isClean(text) { return guess }
        return hint.flatMap { $0 == utf8 ? nil : $0 } ?? western
    }

    /// The byte order mark at the front, and its length.
    package static func marked(_ bytes: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (TextEncoding(known: "UTF-32LE"), 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (TextEncoding(known: "UTF-32BE"), 4) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (utf16BigEndian, 2) }
        return nil
    }

    /// Times, spaces and line ends are ASCII in every script: in UTF-16 each is half zero.
    private static func utf16(_ bytes: [UInt8]) -> TextEncoding? {
        let sample = bytes.prefix(1 << 14)
        let pairs = sample.count / 2
        guard pairs >= 2 else { return nil }
        var (even, odd) = (0, 0)
        for index in 0..<(pairs * 2) where sample[index] == 0 { if index & 1 == 0 { even += 1 } else { odd += 1 } }
        if odd * 8 >= pairs, even * 8 < odd { return utf16LittleEndian }
        if even * 8 >= pairs, odd * 8 < even { return utf16BigEndian }
        return nil
    }

    package static func isUTF8(_ bytes: [UInt8], isCut: Bool = false) -> Bool {
        if String(validating: bytes, as: UTF8.self) != nil { return true }
        guard isCut else { return false }
        return (1...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    private func isClean(_ bytes: [UInt8]) -> Bool {
        // The cut may fall into a character.
        TextConversion.utf8(bytes, from: name).replaced <= (bytes.count >= 1 << 20 ? 1 : 0)
    }

    private static func detected(_ bytes: [UInt8]) -> String? { TextConversion.guess(bytes) }

    /// What files in a language were written in before UTF-8, the likeliest first.
    private static func usual(_ language: String) -> [String]? {
        let code = language.lowercased().prefix { $0 != "-" && $0 != "_" }
        switch code {
        case "cs", "cze", "ces", "sk", "slo", "slk", "pl", "pol", "hu", "hun", "sl", "slv", "hr", "hrv", "bs", "bos", "ro", "rum", "ron", "sq", "alb", "sqi":
            return ["WINDOWS-1250", "ISO-8859-2"]
        case "ru", "rus", "uk", "ukr", "bg", "bul", "be", "bel", "mk", "mac", "mkd", "sr", "srp": return ["WINDOWS-1251", "KOI8-R", "KOI8-U", "ISO-8859-5", "IBM866", "MAC-CYRILLIC"]
        case "el", "gre", "ell": return ["WINDOWS-1253", "ISO-8859-7"]
        case "tr", "tur", "az", "aze": return ["WINDOWS-1254", "ISO-8859-9"]
        case "he", "heb", "iw": return ["WINDOWS-1255"]
        case "ar", "ara", "fa", "per", "fas", "ur", "urd": return ["WINDOWS-1256", "ISO-8859-6"]
        case "et", "est", "lv", "lav", "lt", "lit": return ["WINDOWS-1257", "ISO-8859-13", "ISO-8859-4"]
        case "vi", "vie": return ["WINDOWS-1258"]
        case "th", "tha": return ["CP874"]
        case "ja", "jpn": return ["CP932", "EUC-JP", "ISO-2022-JP"]
        case "ko", "kor": return ["CP949", "ISO-2022-KR"]
        case "zh", "chi", "zho", "cmn": return language.lowercased().contains("hant") || language.lowercased().hasSuffix("tw") ? ["CP950", "GB18030"] : ["GB18030", "CP950", "BIG5"]
        case "en", "eng", "de", "ger", "deu", "fr", "fre", "fra", "es", "spa", "it", "ita", "pt", "por", "nl", "dut", "nld", "sv", "swe", "da", "dan", "no", "nor", "nb", "nob", "fi", "fin", "is",
            "ice", "isl":
            return ["WINDOWS-1252", "ISO-8859-15"]
        default: return nil
        }
    }

    // MARK: Converting

    /// The text in UTF-8 without a byte order mark, and how many places could not be read and became U+FFFD.
    package func utf8(_ bytes: [UInt8]) -> (bytes: [UInt8], replaced: Int) {
        let body: [UInt8]
        if let marked = Self.marked(bytes), marked.encoding == self { body = Array(bytes.dropFirst(marked.length)) } else { body = bytes }
        if self == .utf8 {
            if String(validating: body, as: UTF8.self) != nil { return (body, 0) }
            let repaired = String(decoding: body, as: UTF8.self)
            return (Array(repaired.utf8), repaired.unicodeScalars.reduce(0) { $0 + ($1 == "\u{FFFD}" ? 1 : 0) })
        }
        return TextConversion.utf8(body, from: name)
    }
}
