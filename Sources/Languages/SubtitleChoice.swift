/// What is to be known of a subtitle track to choose among several.
package struct SubtitleCandidate: Sendable, Hashable {
    /// As the container has it.
    package var language: String?
    package var isDefault: Bool
    /// Only what has to be read by who understands the sound: signs, a foreign sentence.
    package var isForced: Bool
    package var isHearingImpaired: Bool
    package var isCommentary: Bool
    /// Not pictures of text.
    package var isText: Bool

    package init(
        language: String? = nil, isDefault: Bool = false, isForced: Bool = false, isHearingImpaired: Bool = false, isCommentary: Bool = false, isText: Bool = true
    ) {
        self.language = language
        self.isDefault = isDefault
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
        self.isCommentary = isCommentary
        self.isText = isText
    }
}

/// The subtitle track to start with, and why.
package struct SubtitleChoice: Sendable, Hashable {
    /// In the list that was chosen from.
    package let index: Int
    package let match: LanguageMatch
    /// For a log.
    package let reason: String

    /// Preferences in their order: the first that any track answers decides. What carries all that is said goes before what carries a part of
    /// it; then the better match; then subtitles before those for who hears badly, forced ones, and a commentary's; then text before pictures,
    /// the container's default, and the first. Without preferences, and without an answer, subtitles stay off: no flag of the container
    /// switches them on.
    ///
    /// A script that both sides name and do not share is no answer: who asked for Traditional Chinese may not be able to read Simplified.
    package init?(among candidates: [SubtitleCandidate], preferring preferences: [String]) {
        for preference in preferences {
            var best: (index: Int, rank: Rank)?
            for (index, candidate) in candidates.enumerated() {
                guard let match = LanguageMatch(preference: preference, label: candidate.language), !match.isUnreadable else { continue }
                let rank = Rank(candidate, match)
                if best.map({ $0.rank < rank }) ?? true { best = (index, rank) }
            }
            guard let best else { continue }
            (index, match, reason) = (best.index, best.rank.match, "\(preference): \(best.rank.match)")
            return
        }
        return nil
    }

    /// The forced track that goes with the sound: what a viewer who wants no subtitles has to read to follow the film in this language.
    ///
    /// - Returns: Its index; `nil` where no forced track is in the sound's language, or nobody knows what that is.
    package static func forced(among candidates: [SubtitleCandidate], soundLanguage: String?) -> Int? {
        guard let soundLanguage else { return nil }
        var best: (index: Int, rank: Rank)?
        for (index, candidate) in candidates.enumerated() where candidate.isForced && !candidate.isCommentary {
            guard let match = LanguageMatch(preference: soundLanguage, label: candidate.language), !match.isUnreadable else { continue }
            let rank = Rank(candidate, match)
            if best.map({ $0.rank < rank }) ?? true { best = (index, rank) }
        }
        return best?.index
    }

    private struct Rank: Comparable {
        let match: LanguageMatch
        private let isWhole: Bool
        private let kind: Int
        private let tail: [Int]

        init(_ candidate: SubtitleCandidate, _ match: LanguageMatch) {
            self.match = match
            isWhole = !candidate.isForced && !candidate.isCommentary
            kind = candidate.isCommentary ? 0 : candidate.isForced ? 1 : candidate.isHearingImpaired ? 2 : 3
            tail = [candidate.isText ? 1 : 0, candidate.isDefault ? 1 : 0]
        }

        static func < (a: Rank, b: Rank) -> Bool {
            if a.isWhole != b.isWhole { return !a.isWhole }
            if a.match != b.match { return a.match < b.match }
            if a.kind != b.kind { return a.kind < b.kind }
            return a.tail.lexicographicallyPrecedes(b.tail)
        }
    }
}
