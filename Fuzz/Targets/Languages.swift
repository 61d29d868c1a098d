internal import Languages

/// Language tags, a label a line: what is read is read again as the same, and answers itself.
@Sendable func fuzzLanguages(_ input: [UInt8]) {
    let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(64).map { String(decoding: $0, as: UTF8.self) }
    for line in lines {
        if let tag = LanguageTag(line) {
            law("a tag is read again as itself", LanguageTag(tag.description) == tag)
            law("what is matched of it stays so", LanguageTag(tag.essence)?.essence == tag.essence)
            law("case does not matter", LanguageTag(tag.description.uppercased()) == tag)
            if tag.language != nil { law("a tag answers itself", LanguageMatch(tag, tag)?.isExact == true) }
        }
        if let published = LanguageLabel.rfc5646(line) {
            law("what is published is ASCII", published.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 })
            law("what is published is published of itself", LanguageLabel.rfc5646(published) == published)
        }
        law("mdhd holds three letters", LanguageLabel.iso639Terminology(line).utf8.count == 3)
    }
    if let first = lines.first, let last = lines.last {
        law("matching has no direction", LanguageMatch(preference: first, label: last) == LanguageMatch(preference: last, label: first))
    }
    let names = RenditionNames.unique(lines.map { .init(language: String($0.prefix(3)), title: $0) })
    law("names are unique", Set(names).count == names.count)
    let candidates = lines.map { AudioCandidate(language: $0, title: $0) }
    law("something plays", AudioChoice(among: candidates, preferring: lines).map { candidates.indices.contains($0.index) } ?? candidates.isEmpty)
}
