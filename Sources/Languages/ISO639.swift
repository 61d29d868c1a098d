/// Codes of languages, and an English name for each.
///
/// ISO 639-1 and 639-2 (with both spellings of the twenty that have two), and of ISO 639-3 what films are in. Not languages: `und`, `mis`,
/// `mul`, `zxx`, and what 639-2 reserves for local use, `qaa` to `qtz`.
package enum ISO639 {
    package struct Language: Sendable, Hashable {
        /// 639-2/T, or 639-3 where that has none: three letters.
        package let terminology: String
        /// 639-2/B where it is another one: `cze` beside `ces`.
        package let bibliographic: String?
        /// 639-1.
        package let twoLetter: String?
        package let englishName: String

        /// The shortest code, which language tags have to use (RFC 5646 §2.2.1).
        package var subtag: String { twoLetter ?? terminology }
    }

    /// By any of its codes, in lower case.
    package static func language(_ code: String) -> Language? { byCode[code].map { all[$0] } }

    /// By its English name, whatever the case: names the standard has, and a few that people use instead.
    package static func language(named name: String) -> Language? {
        let key = name.lowercased()
        return byName[key].map { all[$0] } ?? otherNames[key].flatMap { language($0) }
    }

    package static let all: [Language] = rows.split(separator: ";").compactMap { row in
        let columns = row.split(separator: " ", maxSplits: 2)
        guard columns.count == 3 else { return nil }
        let codes = columns[0].split(separator: "/").map(String.init)
        return Language(
            terminology: codes[0], bibliographic: codes.count > 1 ? codes[1] : nil, twoLetter: columns[1] == "-" ? nil : String(columns[1]),
            englishName: String(columns[2]))
    }

    private static let byCode: [String: Int] = {
        var found: [String: Int] = [:]
        for (index, language) in all.enumerated() {
            for code in [language.terminology, language.bibliographic, language.twoLetter] {
                if let code { found[code] = index }
            }
        }
        return found
    }()

    private static let byName = Dictionary(all.enumerated().map { ($1.englishName.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

    private static let otherNames = [
        "castilian": "es", "flemish": "nl", "valencian": "ca", "farsi": "fa", "mandarin": "zh", "mandarin chinese": "zh", "moldavian": "ro", "moldovan": "ro",
        "gaelic": "gd", "scottish gaelic": "gd", "sinhalese": "si", "uighur": "ug", "kirghiz": "ky", "letzeburgesch": "lb", "bokmål": "nb", "nynorsk": "nn",
        "norwegian bokmal": "nb", "bokmal": "nb", "pilipino": "fil", "panjabi": "pa", "pushto": "ps", "taiwanese": "nan", "hokkien": "nan", "malayan": "ms",
        "byelorussian": "be", "slovene": "sl", "modern greek": "el", "oriya": "or", "cambodian": "km", "central khmer": "km", "myanmar": "my",
    ]
}
