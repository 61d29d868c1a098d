/// The field in which a container, a media server or a host says the language: most often a code, sometimes a tag, at times a word.
package enum LanguageLabel {
    /// The language it claims: a code or a tag of a language known here. Words, `und`, local codes and nonsense claim nothing, and nothing is
    /// published for them. Of several codes, as MPEG-TS has for two channels of two languages (ISO/IEC 13818-1 §2.6.18), the first.
    package static func tag(_ label: String?) -> LanguageTag? {
        guard let first = label?.split(separator: ",").first, let tag = LanguageTag(first), tag.language != nil else { return nil }
        return tag
    }

    /// What a label is matched by: as ``tag(_:)``, and English names besides, by which hosts and old files go.
    package static func matched(_ label: String?) -> LanguageTag? {
        guard let label else { return nil }
        // A name, not a sentence with a name in it; and no code, of which there are some that are names as well.
        if (4...40).contains(label.utf8.count), let named = ISO639.language(named: label.split(whereSeparator: \.isWhitespace).joined(separator: " ")) {
            return LanguageTag(named.subtag)
        }
        return tag(label)
    }

    /// RFC 5646, for LANGUAGE and for hosts: the shortest code, with script, region and variants where the label has them.
    package static func rfc5646(_ label: String?) -> String? { tag(label)?.essence }

    /// ISO 639-2/T for `mdhd`, which holds three letters and nothing else (ISO/IEC 14496-12:2022 §8.4.2.3); `und` where nothing is claimed.
    package static func iso639Terminology(_ label: String?) -> String { tag(label)?.language?.terminology ?? "und" }

    /// A menu's name, with the script and region where the label has them, `Portuguese (Brazil)`; a name that was written in it claims nothing.
    package static func englishName(_ label: String?) -> String? { matched(label)?.englishName }

    /// Whether broadcasters' local code says that this is the sound the film was made with.
    ///
    /// ISO 639-2 leaves `qaa` to `qtz` to local use; NorDig and the French profile of DVB give these two a meaning.
    package static func saysOriginal(_ label: String?) -> Bool { label.flatMap { LanguageTag($0) }?.primary == "qaa" }
    package static func saysDescription(_ label: String?) -> Bool { label.flatMap { LanguageTag($0) }?.primary == "qad" }
}

extension LanguageTag {
    /// For menus; `nil` where the primary subtag has no name here.
    package var englishName: String? {
        guard let name = language?.englishName else { return nil }
        let details = [script.map { Script.englishName($0) ?? $0 }, region.map { Region.englishName($0) ?? $0 }].compactMap { $0 }
        return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
    }
}
