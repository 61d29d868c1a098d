/// What a track of a film is for, the film itself last: the greater, the sooner it is played to somebody who asked for nothing.
package enum TrackPurpose: Int, Sendable, Hashable, Comparable {
    /// People talking about the film.
    case commentary
    /// The film, described for those who do not see it.
    case description
    /// The film, mixed or written for those who hear badly.
    case hearingImpaired
    case programme

    package static func < (a: TrackPurpose, b: TrackPurpose) -> Bool { a.rawValue < b.rawValue }

    /// As the container's flags say; where they say nothing, as the title does. A title only ever sets a track back: it is no ground to claim
    /// anything of the track.
    ///
    /// Many files have a commentary that nobody flagged, listed first or flagged as default along with the others (Matroska's FlagDefault is 1
    /// unless it is written, RFC 9559 §5.1.4.1.6).
    package init(isCommentary: Bool, isDescription: Bool, isHearingImpaired: Bool, title: String?) {
        if isCommentary {
            self = .commentary
        } else if isDescription {
            self = .description
        } else {
            let said = title.map(Self.said) ?? .programme
            self = isHearingImpaired ? min(.hearingImpaired, said) : said
        }
    }

    /// For a menu, behind a language; `nil` for the film itself.
    package var englishName: String? {
        switch self {
        case .commentary: "commentary"
        case .description: "audio description"
        case .hearingImpaired: "hearing impaired"
        case .programme: nil
        }
    }

    private static func said(_ title: String) -> TrackPurpose {
        let title = String(title.prefix(200)).lowercased()
        // Some words for a description have one for a commentary in them.
        if descriptionWords.contains(where: title.contains) { return .description }
        if commentaryWords.contains(where: title.contains) { return .commentary }
        return .programme
    }

    private static let commentaryWords = ["commentary", "commentaire", "kommentar", "comentario", "comentário", "commento audio", "комментарий", "コメンタリー", "komentář"]
    private static let descriptionWords = [
        "audio description", "audio-description", "audiodescription", "audio described", "descriptive audio", "descriptive video", "described video", "audiodeskription",
        "hörfilm", "audiodescripción", "audiodescrizione", "audiodescrição", "тифлокомментари", "audiodeskrypcja",
    ]
}
