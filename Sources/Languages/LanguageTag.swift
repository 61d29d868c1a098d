/// A language tag in its canonical form.
///
/// Codes of containers are tags as well: `cze` and `ces` are `cs`. Reading normalises: case, underscores, codes that stand for others, extended
/// language subtags (`zh-yue` is `yue`), scripts that go without saying. Parsing ``description`` gives the same value back.
///
/// RFC 5646 §2.1 (syntax), §4.5 (canonical form).
package struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    /// The primary subtag: two letters where ISO 639-1 has them, else three. Not every one is a language; see ``language``.
    package private(set) var primary: String
    /// ISO 15924, `Hant`.
    package private(set) var script: String?
    /// ISO 3166-1 or UN M.49, `BR`, `419`.
    package private(set) var region: String?
    /// In the order they were written.
    package private(set) var variants: [String] = []
    /// Each with its singleton, `u-ca-buddhist`, in the order of these.
    package private(set) var extensions: [String] = []
    /// Without its `x-`.
    package private(set) var privateUse: String?

    /// Longer than any tag that means something; a name that goes on is text.
    private static let longest = 128

    /// Reads a tag or a code, with hyphens or underscores; `nil` for what is neither, and for tags that name no language: private ones and the
    /// few of RFC 5646 §2.2.8 that nothing took the place of.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.longest else { return nil }
        var lower = Self.trimmed(Array(text.utf8)).map { byte in
            byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
        if let current = LanguageAliases.grandfathered(String(decoding: lower, as: UTF8.self)) {
            lower = Array(current.lowercased().utf8)
        }
        let parts = lower.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { Self.isLetter($0) || Self.isDigit($0) } }) else { return nil }
        var rest = parts[...]
        guard let first = rest.popFirst(), (2...3).contains(first.count), first.allSatisfy(Self.isLetter) else { return nil }
        func string(_ part: ArraySlice<UInt8>) -> String { String(decoding: part, as: UTF8.self) }
        func take(if fits: (ArraySlice<UInt8>) -> Bool) -> String? {
            guard let next = rest.first, fits(next) else { return nil }
            rest = rest.dropFirst()
            return string(next)
        }
        // An extended language is registered as a primary one too, and that is its canonical form (§4.5); the other two places are reserved.
        var code = string(first)
        let prefix = ISO639.language(code)?.subtag ?? code
        if let extended = take(if: { LanguageAliases.extends(prefix, String(decoding: $0, as: UTF8.self)) }) {
            code = extended
        } else {
            // Not of the standard, and what Java writes: a country of three letters. The language is said all the same.
            _ = take { $0.count == 3 && $0.allSatisfy(Self.isLetter) }
        }
        let listed = LanguageAliases.current(code)
        primary = ISO639.language(listed)?.subtag ?? listed
        script = take { $0.count == 4 && $0.allSatisfy(Self.isLetter) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        if let usual = script, Script.isUsual(usual, for: primary) { script = nil }
        region = take { $0.count == 2 && $0.allSatisfy(Self.isLetter) || $0.count == 3 && $0.allSatisfy(Self.isDigit) }.map { Region.current($0.uppercased()) }
        while let variant = take(if: { $0.count >= 5 || $0.count == 4 && $0.first.map(Self.isDigit) == true }) {
            guard !variants.contains(variant) else { return nil }
            variants.append(variant)
        }
        while let singleton = take(if: { $0.count == 1 }) {
            var subtags: [String] = []
            while let subtag = take(if: { singleton == "x" || $0.count >= 2 }) { subtags.append(subtag) }
            guard !subtags.isEmpty else { return nil }
            if singleton == "x" {
                privateUse = subtags.joined(separator: "-")
            } else {
                guard !extensions.contains(where: { $0.hasPrefix("\(singleton)-") }) else { return nil }
                extensions.append(([singleton] + subtags).joined(separator: "-"))
            }
        }
        guard rest.isEmpty else { return nil }
        extensions.sort()
    }

    package var description: String {
        ([essence] + extensions + (privateUse.map { ["x-\($0)"] } ?? [])).joined(separator: "-")
    }

    /// The tag without extensions and private use: what a playlist says, and what is matched.
    package var essence: String { ([primary] + [script, region].compactMap { $0 } + variants).joined(separator: "-") }

    /// What the primary subtag stands for; `nil` where that is no language known here (`und`, `qaa`, a word of three letters).
    package var language: ISO639.Language? { ISO639.language(primary) }

    /// The script, as the tag or its region says.
    package var effectiveScript: String? { script ?? Script.implied(language: primary, region: region) }

    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let body = bytes.drop { $0 <= 0x20 }
        return body.prefix((body.lastIndex { $0 > 0x20 }).map { $0 - body.startIndex + 1 } ?? 0)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
