package import BitsAndTime
internal import HLS
internal import Languages

/// Media and multivariant playlists of a session, from its renditions and what is known of its segments.
package enum PlaylistBuilder {
    /// One entry of a media playlist.
    package struct Entry: Sendable, Equatable {
        package let index: Int
        package let duration: MediaTime
        package init(index: Int, duration: MediaTime) {
            self.index = index
            self.duration = duration
        }
    }

    package static let mediaPlaylistName = "index.m3u8"
    package static let initializationName = "init.mp4"
    package static let multivariantName = "master.m3u8"
    package static let audioGroup = "audio"

    package static func segmentName(_ index: Int) -> String { "seg\(index).m4s" }

    /// The multivariant playlist in which one audio track stands alone, for players that cannot switch renditions.
    package static func multivariantName(audio index: Int) -> String { "master-audio\(index).m3u8" }

    /// What a media playlist's segments are.
    package enum Content: Sendable {
        /// Fragments, behind an init segment.
        case media
        /// WebVTT.
        case words

        package func name(_ index: Int) -> String {
            switch self {
            case .media: segmentName(index)
            case .words: "seg\(index).vtt"
            }
        }
    }

    /// The whole film, listed before any of it was produced.
    package static func planned(_ plan: SegmentPlan, independent: Bool, content: Content = .media) -> [UInt8] {
        media(
            entries: plan.segments.enumerated().map { Entry(index: $0.offset, duration: $0.element.duration) },
            type: .vod, isEnded: true, independent: independent, target: 0, content: content)
    }

    /// The init segment in force after so many changes of the picture's configuration.
    package static func initializationName(_ number: Int) -> String { number == 0 ? initializationName : "init\(number).mp4" }

    /// What is listed of a source without a plan. A playlist that may lose entries has no type (RFC 8216 §4.3.3.5).
    ///
    /// - Parameters:
    ///   - renewals: Segments from which on the picture has another configuration, rising: discontinuities of every rendition, as all count them
    ///     alike (RFC 8216 §6.2.4).
    ///   - renewsInitialization: Whether this rendition has another init segment there.
    package static func sequential(
        _ listing: RenditionListing, shape: SlidingWindow.Shape, isEnded: Bool, independent: Bool, renewals: [Int] = [], renewsInitialization: Bool = false,
        content: Content = .media
    ) -> [UInt8] {
        media(
            entries: listing.entries.map { Entry(index: $0.index, duration: $0.duration) }, type: shape == .event ? .event : nil,
            isEnded: isEnded, independent: independent, target: listing.targetSeconds, removed: listing.removedCount,
            renewals: renewals, renewsInitialization: renewsInitialization, front: listing.entries.first?.segments.lowerBound ?? 0, content: content)
    }

    private static func media(
        entries: [Entry], type: MediaPlaylist.PlaylistType?, isEnded: Bool, independent: Bool, target: Int, removed: Int = 0,
        renewals: [Int] = [], renewsInitialization: Bool = false, front: Int = 0, content: Content = .media
    ) -> [UInt8] {
        // RFC 8216 §4.3.3.1: each EXTINF, rounded to the nearest second, is at most the target duration.
        let longest = entries.map { Int(MediaTime.rescale($0.duration.ticks, from: $0.duration.timescale, to: 1)) }.max() ?? 0
        // One at the very start is no break in anything.
        let breaks = renewals.filter { $0 > 0 }
        func name(_ index: Int) -> String { renewsInitialization ? initializationName(renewals.count { $0 <= index }) : initializationName }
        var passed = breaks.count { $0 < front }
        let gone = passed
        let first = name(entries.first?.index ?? 0)
        var current = first
        let segments = entries.map { entry in
            let reached = breaks.count { $0 <= entry.index }
            defer { (passed, current) = (max(passed, reached), name(entry.index)) }
            return MediaPlaylist.Segment(
                uri: content.name(entry.index), duration: entry.duration, isDiscontinuity: reached > passed, map: name(entry.index) == current ? nil : name(entry.index))
        }
        let playlist = MediaPlaylist(
            version: 7, targetDurationSeconds: max(longest, target, 1), mediaSequenceNumber: removed, playlistType: type,
            map: content == .media ? first : nil, segments: segments, isEnded: isEnded, isIndependent: independent, startsAtBeginning: type == .event, discontinuitySequence: gone)
        return Array(playlist.serialized().utf8)
    }

    /// The session's front door.
    ///
    /// - Parameters:
    ///   - claims: What is said of the picture.
    ///   - audio: The audio renditions to offer, the default one first.
    ///   - peakBitRate: Bits a second of the whole, as measured or as the container says.
    ///   - directory: Where the media playlists are, seen from this one, with its slash.
    package static func multivariant(
        claims: VideoClaims, audio: [Rendition], names: [RenditionID: String], defaultAudio: RenditionID?, independent: Bool,
        peakBitRate: Int64, averageBitRate: Int64?, directory: String = "", subtitles: [SubtitleListing] = [],
        captions: [CaptionListing] = []
    ) -> [UInt8] {
        var codecs = [claims.codecString]
        for rendition in audio where !codecs.contains(rendition.track.codecString) { codecs.append(rendition.track.codecString) }
        let variant = MultivariantPlaylist.Variant(
            bandwidth: Int(clamping: max(peakBitRate, 1)), averageBandwidth: averageBitRate.map { Int(clamping: max($0, 1)) },
            codecs: codecs, supplementalCodecs: claims.supplementalCodecs,
            resolution: .init(width: claims.width, height: claims.height),
            frameRate: claims.frameRate.map { .init(numerator: Int64($0.numerator), denominator: Int64($0.denominator)) },
            videoRange: claims.range.rawValue,
            audioGroup: audio.isEmpty ? nil : audioGroup, subtitleGroup: subtitles.isEmpty ? nil : SubtitleListing.group,
            closedCaptions: captions.isEmpty ? MultivariantPlaylist.ClosedCaptions.none : .group(CaptionListing.group),
            uri: directory + RenditionID.video.directory + mediaPlaylistName)
        let selected = autoselected(audio, defaultAudio: defaultAudio)
        let renditions = audio.map { rendition in
            MultivariantPlaylist.Rendition(
                type: .audio, groupID: audioGroup, name: names[rendition.id] ?? rendition.id.description,
                language: LanguageLabel.rfc5646(rendition.track.language),
                isDefault: rendition.id == defaultAudio, isAutoselect: selected.contains(rendition.id),
                characteristics: characteristics(rendition.track),
                channels: rendition.track.audio.map(channels),
                uri: directory + rendition.id.directory + mediaPlaylistName)
        }
        let words = subtitles.map { $0.rendition(in: directory) } + captions.map(\.rendition)
        let playlist = MultivariantPlaylist(version: 7, isIndependent: independent, renditions: renditions + words, variants: [variant])
        return Array(playlist.serialized().utf8)
    }

    private static func characteristics(_ track: TrackDescription) -> [String] {
        (track.candidate.isDescription ? ["public.accessibility.describes-video"] : [])
            + (track.enhancesDialogue ? ["public.accessibility.enhances-speech-intelligibility"] : [])
    }

    /// What a player may pick by itself, going by language and characteristics: one track of each (§4.4.6.2.1), the default one or the film
    /// itself before what else there is of it; never a commentary, nor a description that nothing marks as one.
    private static func autoselected(_ audio: [Rendition], defaultAudio: RenditionID?) -> Set<RenditionID> {
        var best: [String: Rendition] = [:]
        for rendition in audio {
            let candidate = rendition.track.candidate
            guard candidate.isDescription || candidate.purpose >= .hearingImpaired else { continue }
            let kind = "\(LanguageLabel.rfc5646(rendition.track.language) ?? "") \(characteristics(rendition.track))"
            if let held = best[kind], held.id == defaultAudio || rendition.id != defaultAudio && candidate.purpose <= held.track.candidate.purpose { continue }
            best[kind] = rendition
        }
        return Set(best.values.map(\.id))
    }

    /// RFC 8216bis §4.4.6.1 CHANNELS: the count, and for object audio how many of what.
    private static func channels(_ audio: TrackDescription.Audio) -> String {
        audio.jocComplexity.map { "\($0)/JOC" } ?? "\(audio.channels)"
    }
}

extension TrackDescription.Video {
    /// Width once samples are square, which is what a player lays out.
    package var displayWidth: Int {
        let (h, v) = sampleAspectRatio
        guard h > 0, v > 0 else { return width }
        return Int((Int64(width) * Int64(h) + Int64(v) / 2) / Int64(v))
    }
}
