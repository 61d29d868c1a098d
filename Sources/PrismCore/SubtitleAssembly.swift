internal import BitsAndTime
internal import Captions
internal import Languages
internal import Libav
internal import Remux
internal import SubtitleRenditions
internal import Subtitles

/// What words of a source a session offers, by what name, and what they are made of.
struct SubtitleAssembly: Sendable {
    struct Offer: Sendable {
        let listing: SubtitleListing
        /// The stream of the source it is made of; `nil` for an external file.
        let streamIndex: Int?
        let origin: Origin
    }

    /// What cues are made of.
    enum Origin: Sendable {
        case words(StreamInfo)
        case pictures(StreamInfo)
        /// One of the captions of the film's picture.
        case caption(lane: Int)
        /// Captions in a track of their own.
        case captionTrack(StreamInfo)
        case file(ExternalSubtitle)
    }

    /// The captions of the film's picture.
    struct PictureCaptions: Sendable {
        let streamIndex: Int
        let language: String?
        let channels: [CaptionChannel]
        let carriage: CaptionWords.Carriage
        let isWide: Bool
    }

    let offers: [Offer]
    let refusals: [SubtitleRefusal]
    /// Those that are offered as text.
    let captions: PictureCaptions?
    /// Those that are left to the player.
    let inBand: [CaptionListing]
    /// Why one of them is shown from the start; `nil` where none is.
    let defaultReason: String?

    /// What there is to offer.
    fileprivate struct Track {
        let origin: Origin
        let streamIndex: Int?
        let candidate: SubtitleCandidate
        let name: RenditionNames.Track
    }

    /// - Parameters:
    ///   - isListed: Whether there is a multivariant playlist to list them in.
    ///   - captions: Of the picture.
    ///   - recognises: Whether pictures of words can be read, by language; else why not.
    init(
        _ streams: [StreamInfo], captions: PictureCaptions?, inBand isInBand: Bool, external: [ExternalSubtitle], isListed: Bool, preferring preferences: [String],
        unreadable: (_ language: String?) -> String?
    ) {
        var (tracks, refusals): ([Track], [SubtitleRefusal]) = ([], [])
        for stream in streams where stream.kind == .subtitle {
            switch Self.origin(of: stream, isListed: isListed, unreadable: unreadable) {
            case .success(let origin): tracks.append(Track(stream, origin))
            case .failure(let refusal): refusals.append(SubtitleRefusal(streamIndex: stream.index, reason: refusal.reason))
            }
        }
        self.captions = isListed && !isInBand ? captions : nil
        inBand = isListed && isInBand ? (captions?.channels ?? []).map { channel in
            CaptionListing(instreamIdentifier: channel.instreamIdentifier, language: channel.isPrimary ? captions?.language : nil)
        } : []
        if let captions = self.captions {
            for (lane, channel) in captions.channels.enumerated() { tracks.append(Track(channel, lane: lane, of: captions)) }
        }
        if isListed { tracks += external.map { Track($0) } }
        let choice = SubtitleChoice(among: tracks.map(\.candidate), preferring: preferences)
        let names = RenditionNames.unique(tracks.map(\.name))
        // Forced ones are for a player to pick by itself, one of each language (Apple's HLS Authoring Specification 5.11).
        var forced: Set<String> = []
        offers = tracks.enumerated().map { index, track in
            let candidate = track.candidate
            let isFirst = candidate.isForced && forced.insert(LanguageLabel.rfc5646(candidate.language) ?? "").inserted
            return Offer(
                listing: SubtitleListing(
                    number: index, name: names[index], language: candidate.language, isDefault: choice?.index == index, isForced: candidate.isForced,
                    isAutoselect: isFirst || choice?.index == index, isHearingImpaired: candidate.isHearingImpaired),
                streamIndex: track.streamIndex, origin: track.origin)
        }
        self.refusals = refusals
        defaultReason = choice?.reason
    }

    var renditions: [SubtitleRendition] {
        offers.map {
            SubtitleRendition(
                name: $0.listing.name, language: LanguageLabel.rfc5646($0.listing.language), streamIndex: $0.streamIndex, isDefault: $0.listing.isDefault,
                isForced: $0.listing.isForced, isHearingImpaired: $0.listing.isHearingImpaired)
        }
    }

    private struct Refusal: Error { let reason: String }

    private static func origin(of stream: StreamInfo, isListed: Bool, unreadable: (String?) -> String?) -> Result<Origin, Refusal> {
        guard isListed else { return .failure(Refusal(reason: "one media playlist lists no subtitles")) }
        switch SubtitleForm(stream.codec) {
        case .words, .teletext: return .success(.words(stream))
        case .pictures: return unreadable(stream.language).map { .failure(Refusal(reason: $0)) } ?? .success(.pictures(stream))
        case .captions: return .success(.captionTrack(stream))
        case nil: return .failure(Refusal(reason: "\(stream.codecName) is no subtitle format this engine reads"))
        }
    }
}

extension SubtitleAssembly.Track {
    fileprivate init(_ stream: StreamInfo, _ origin: SubtitleAssembly.Origin) {
        let purpose = TrackPurpose(
            isCommentary: stream.dispositions.contains(.comment), isDescription: stream.dispositions.contains(.descriptions),
            isHearingImpaired: stream.dispositions.contains(.hearingImpaired) || SubtitleForm(stream.codec) == .captions, title: stream.title)
        let isForced = stream.dispositions.contains(.forced)
        let isHearingImpaired = stream.dispositions.contains(.hearingImpaired) || SubtitleForm(stream.codec) == .captions
        self.init(
            origin: origin, streamIndex: stream.index,
            candidate: SubtitleCandidate(
                language: stream.language, isDefault: stream.dispositions.contains(.default), isForced: isForced,
                isHearingImpaired: isHearingImpaired, isCommentary: purpose == .commentary, isText: SubtitleForm(stream.codec) != .pictures),
            name: .init(language: stream.language, title: stream.title, purpose: purpose, isSubtitle: true, isForced: isForced))
    }

    fileprivate init(_ channel: CaptionChannel, lane: Int, of captions: SubtitleAssembly.PictureCaptions) {
        // Captions are for who does not hear the sound; the second of a field is, as a rule, another language's.
        let language = channel.isPrimary ? captions.language : nil
        let label = LanguageLabel.englishName(language)
        self.init(
            origin: .caption(lane: lane), streamIndex: captions.streamIndex, candidate: SubtitleCandidate(language: language, isHearingImpaired: true),
            name: .init(
                language: language, title: label.map { "\($0) (\(channel.instreamIdentifier))" } ?? channel.instreamIdentifier, purpose: .hearingImpaired, isSubtitle: true))
    }

    fileprivate init(_ external: ExternalSubtitle) {
        self.init(
            origin: .file(external), streamIndex: nil,
            candidate: SubtitleCandidate(language: external.language, isForced: external.isForced, isHearingImpaired: external.isHearingImpaired),
            name: .init(
                language: external.language, title: external.name, purpose: external.isHearingImpaired ? .hearingImpaired : .programme, isSubtitle: true,
                isForced: external.isForced))
    }
}

extension CaptionChannel {
    /// In the language of the film, as a rule.
    fileprivate var isPrimary: Bool { self == .cea608(1) || self == .cea708(1) }
}
