/// What is to be known of an audio track to choose among several.
package struct AudioCandidate: Sendable, Hashable {
    /// As the container has it.
    package var language: String?
    package var title: String?
    package var isDefault: Bool
    package var isOriginal: Bool
    package var isDub: Bool
    package var isCommentary: Bool
    /// Describes the picture for those who do not see it.
    package var isDescription: Bool
    package var isHearingImpaired: Bool

    package init(
        language: String? = nil, title: String? = nil, isDefault: Bool = false, isOriginal: Bool = false, isDub: Bool = false, isCommentary: Bool = false,
        isDescription: Bool = false, isHearingImpaired: Bool = false
    ) {
        self.language = language
        self.title = title
        self.isDefault = isDefault
        self.isOriginal = isOriginal || LanguageLabel.saysOriginal(language)
        self.isDub = isDub
        self.isCommentary = isCommentary
        self.isDescription = isDescription || LanguageLabel.saysDescription(language)
        self.isHearingImpaired = isHearingImpaired
    }

    package var purpose: TrackPurpose {
        TrackPurpose(isCommentary: isCommentary, isDescription: isDescription, isHearingImpaired: isHearingImpaired, title: title)
    }
}

/// The audio track to start with, and why.
package struct AudioChoice: Sendable, Hashable {
    /// In the list that was chosen from.
    package let index: Int
    /// The preference it answers, and how well; `nil` where none was answered.
    package let preference: String?
    package let match: LanguageMatch?
    /// For a log: `de: exact`, `no track in cs; the container's default`.
    package let reason: String

    /// Preferences in their order: the first that any track answers decides. Of the tracks that answer it the film itself goes before a
    /// description of it, then the better match; of what is equal, and of all where nothing is asked for or answered, the original, what is
    /// no dub, the container's default, and the first.
    ///
    /// A commentary is no answer to a preference, unless there are only commentaries: it is not the film's sound in any language.
    ///
    /// - Returns: `nil` for no tracks.
    package init?(among candidates: [AudioCandidate], preferring preferences: [String] = []) {
        guard !candidates.isEmpty else { return nil }
        let purposes = candidates.map(\.purpose)
        let isFilm = purposes.map { $0 != .commentary }
        let mayAnswer = isFilm.contains(true) ? isFilm : Array(repeating: true, count: candidates.count)
        func best(_ indices: some Sequence<Int>, match: (Int) -> LanguageMatch?) -> Int? {
            var best: (index: Int, match: LanguageMatch?)?
            for index in indices {
                let found = match(index)
                if let held = best, !Self.isBetter(candidates[index], purposes[index], found, than: candidates[held.index], purposes[held.index], held.match) { continue }
                best = (index, found)
            }
            return best?.index
        }
        for preference in preferences {
            let matches = candidates.indices.map { mayAnswer[$0] ? LanguageMatch(preference: preference, label: candidates[$0].language) : nil }
            guard let index = best(candidates.indices.filter { matches[$0] != nil }, match: { matches[$0] }), let match = matches[index] else { continue }
            self.init(index: index, preference: preference, match: match, reason: "\(preference): \(match)")
            return
        }
        guard let index = best(candidates.indices, match: { _ in nil }) else { return nil }
        let chosen = candidates[index]
        let why =
            candidates.count == 1 ? "the only track" : chosen.isOriginal ? "the original"
            : chosen.isDefault && candidates.contains { !$0.isDefault } ? "the container's default" : "the first that is the film itself"
        let unanswered = preferences.isEmpty ? "" : "no track in \(preferences.joined(separator: ", ")); "
        self.init(index: index, preference: nil, match: nil, reason: unanswered + why)
    }

    private init(index: Int, preference: String?, match: LanguageMatch?, reason: String) {
        (self.index, self.preference, self.match, self.reason) = (index, preference, match, reason)
    }

    private static func isBetter(
        _ a: AudioCandidate, _ purpose: TrackPurpose, _ match: LanguageMatch?, than b: AudioCandidate, _ other: TrackPurpose, _ otherMatch: LanguageMatch?
    ) -> Bool {
        if purpose != other { return purpose > other }
        if let match, let otherMatch, match != otherMatch { return match > otherMatch }
        if a.isOriginal != b.isOriginal { return a.isOriginal }
        if a.isDub != b.isDub { return b.isDub }
        return a.isDefault && !b.isDefault
    }
}
