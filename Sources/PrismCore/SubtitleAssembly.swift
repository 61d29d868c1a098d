internal import BitsAndTime
internal import Languages
internal import Libav
internal import Remux
internal import SubtitleRenditions
internal import Subtitles

/// What words of a source a session offers: which streams, by what name, and who finds their cues.
struct SubtitleAssembly: Sendable {
    struct Offer: Sendable {
        let listing: SubtitleListing
        let stream: StreamInfo
    }

    let offers: [Offer]
    let refusals: [SubtitleRefusal]
    /// Why one of them is shown from the start; `nil` where none is.
    let defaultReason: String?

    static let none = SubtitleAssembly(offers: [], refusals: [], defaultReason: nil)

    /// - Parameters:
    ///   - isListed: Whether there is a multivariant playlist to list them in.
    init(_ streams: [StreamInfo], isListed: Bool, preferring preferences: [String]) {
        let words = streams.filter { $0.kind == .subtitle }
        guard isListed else {
            self.init(
                offers: [], refusals: words.map { SubtitleRefusal(streamIndex: $0.index, reason: "one media playlist lists no subtitles") }, defaultReason: nil)
            return
        }
        var served: [StreamInfo] = []
        var refusals: [SubtitleRefusal] = []
        for stream in words {
            if let reason = Self.refusal(stream) { refusals.append(.init(streamIndex: stream.index, reason: reason)) } else { served.append(stream) }
        }
        let candidates = served.map(Self.candidate)
        let choice = SubtitleChoice(among: candidates, preferring: preferences)
        let names = RenditionNames.unique(
            served.map { stream in
                .init(
                    language: stream.language, title: stream.title, purpose: Self.purpose(stream), isSubtitle: true,
                    isForced: stream.dispositions.contains(.forced))
            })
        // Forced ones are for a player to pick by itself, one of each language (Apple's HLS Authoring Specification 5.11).
        var forced: Set<String> = []
        let offers = served.enumerated().map { index, stream in
            let isForced = candidates[index].isForced
            let isFirst = isForced && forced.insert(LanguageLabel.rfc5646(stream.language) ?? "").inserted
            return Offer(
                listing: SubtitleListing(
                    number: index, name: names[index], language: stream.language, isDefault: choice?.index == index, isForced: isForced,
                    isAutoselect: isFirst || choice?.index == index, isHearingImpaired: candidates[index].isHearingImpaired),
                stream: stream)
        }
        self.init(offers: offers, refusals: refusals, defaultReason: choice?.reason)
    }

    private init(offers: [Offer], refusals: [SubtitleRefusal], defaultReason: String?) {
        self.offers = offers
        self.refusals = refusals
        self.defaultReason = defaultReason
    }

    var renditions: [SubtitleRendition] {
        offers.map {
            SubtitleRendition(
                name: $0.listing.name, language: LanguageLabel.rfc5646($0.listing.language), streamIndex: $0.stream.index, isDefault: $0.listing.isDefault,
                isForced: $0.listing.isForced, isHearingImpaired: $0.listing.isHearingImpaired)
        }
    }

    private static func refusal(_ stream: StreamInfo) -> String? {
        switch SubtitleForm(stream.codec) {
        case .words: nil
        case .teletext, .pictures, .captions: "\(stream.codecName) is not offered as text"
        case nil: "\(stream.codecName) is no subtitle format this engine reads"
        }
    }

    private static func candidate(_ stream: StreamInfo) -> SubtitleCandidate {
        SubtitleCandidate(
            language: stream.language, isDefault: stream.dispositions.contains(.default), isForced: stream.dispositions.contains(.forced),
            isHearingImpaired: stream.dispositions.contains(.hearingImpaired), isCommentary: purpose(stream) == .commentary, isText: SubtitleForm(stream.codec) == .words)
    }

    private static func purpose(_ stream: StreamInfo) -> TrackPurpose {
        TrackPurpose(
            isCommentary: stream.dispositions.contains(.comment), isDescription: stream.dispositions.contains(.descriptions),
            isHearingImpaired: stream.dispositions.contains(.hearingImpaired), title: stream.title)
    }
}
