internal import BitsAndTime
internal import HLS
internal import ISOBMFF

/// What the multivariant playlist claims of the media, held against the media (RFC 8216 §4.3.4.1, §4.3.4.2).
enum ClaimCheck {
    static func check(
        _ variant: MultivariantModel.Variant, index: Int, _ model: MultivariantModel, _ renditions: [RenditionRecord], at place: Place, into findings: inout Findings
    ) {
        guard let own = renditions.first(where: { $0.variants.contains(index) }) else { return }
        var parts = [own]
        for type in ["AUDIO", "VIDEO", "SUBTITLES"] {
            guard let group = variant.group(type) else { continue }
            parts += renditions.filter { $0.media?.type == type && $0.media?.group == group }
        }
        checkCodecs(variant, parts, at: place, into: &findings)
        if let group = variant.group("AUDIO"), !own.isOpaque, !own.tracks.isEmpty, !own.tracks.contains(where: { $0.media == .audio }) {
            for member in model.members("AUDIO", group) where member.uri == nil {
                findings.add(.notMuxed, Place(place.resource, line: member.line), "\"\(member.name)\" has no URI, and the variant's segments have no sound")
            }
        }
        if let video = own.videoTrack { checkPicture(variant, video, own, at: place, into: &findings) }
    }

    private static func checkCodecs(_ variant: MultivariantModel.Variant, _ parts: [RenditionRecord], at place: Place, into findings: inout Findings) {
        guard let declared = variant.codecs else { return }
        let tracks = parts.flatMap(\.tracks)
        let actual = tracks.compactMap(\.codec)
        for codec in Set(actual).sorted() where !declared.contains(where: { CodecName.matches(declared: $0, actual: codec) }) {
            // Text may stay unnamed.
            if codec == "wvtt" || codec == "stpp" { continue }
            findings.add(.codecsWrong, place, "the media has \(codec), CODECS says \(declared.joined(separator: ","))")
        }
        let isKnown = parts.allSatisfy { !$0.isOpaque && ($0.role.isText || !$0.tracks.isEmpty) } && tracks.allSatisfy { $0.codec != nil || $0.media == .text }
        guard isKnown else { return }
        let hasText = parts.contains { $0.role.isText }
        for codec in declared where CodecName.form(codec) != .malformed && !actual.contains(where: { CodecName.matches(declared: codec, actual: $0) }) {
            if hasText, codec == "wvtt" || codec.hasPrefix("stpp") { continue }
            // A codec of a family that is there was told of above, as what it should have been.
            let family = codec.prefix(4).lowercased()
            if actual.contains(where: { $0.lowercased().hasPrefix(family) }) { continue }
            findings.add(.codecsExtra, place, "CODECS has \(codec), which no rendition has")
        }
    }

    private static func checkPicture(
        _ variant: MultivariantModel.Variant, _ video: InitializationFacts.Track, _ own: RenditionRecord, at place: Place, into findings: inout Findings
    ) {
        if let size = variant.attributes["RESOLUTION"].flatMap(AttributeDefinition.resolution),
            let coded = video.codedSize ?? video.visual.map({ (Int($0.width), Int($0.height)) }) {
            let isCoded = size == coded
            let isShown = abs(size.width - video.displayWidth) <= 1 && abs(size.height - video.displayHeight) <= 1
            if !isCoded, !isShown {
                findings.add(.resolutionWrong, place, "RESOLUTION is \(size.width)x\(size.height), the pictures are \(coded.0)x\(coded.1)")
            }
        }
        switch (variant.attributes["VIDEO-RANGE"] ?? "SDR", video.transfer) {
        case ("PQ", 16), ("HLG", 18), ("HLG", 14), (_, nil), (_, 2): break
        case ("SDR", let transfer?) where transfer != 16 && transfer != 18: break
        case (let range, let transfer?) where ["SDR", "PQ", "HLG"].contains(range):
            findings.add(.rangeWrong, place, "VIDEO-RANGE is \(range), the pictures have transfer characteristics \(transfer)")
        default: break
        }
        guard let declared = variant.attributes["FRAME-RATE"].flatMap({ DecimalSeconds.time($0) }), let measured = frameRate(own) else { return }
        let ratio = measured.average / declared.seconds
        // FRAME-RATE is the highest of a variant: only pictures at one rate can be below it wrongly.
        if ratio > 1.02 || measured.isConstant && ratio < 0.98 {
            findings.add(
                .frameRateWrong, place,
                "FRAME-RATE is \(DecimalSeconds.text(declared)), \(DecimalSeconds.text(MediaTime(seconds: measured.average, timescale: 1000))) pictures come a second")
        }
    }

    /// Pictures a second over all segments that have some.
    private static func frameRate(_ rendition: RenditionRecord) -> (average: Double, isConstant: Bool)? {
        let runs = rendition.segments.compactMap { $0.facts?.run(.video) }
        let pictures = runs.reduce(0) { $0 + $1.sampleCount }
        let time = runs.reduce(0.0) { $0 + ($1.decodeEnd - $1.decodeStart).seconds }
        guard pictures > 1, time > 0 else { return nil }
        let isConstant = runs.allSatisfy { ($0.longest - $0.shortest).seconds <= 0.0021 }
        return (Double(pictures) / time, isConstant)
    }

    /// A rendition by itself: the tracks it should have, and its CHANNELS.
    static func check(_ rendition: RenditionRecord, into findings: inout Findings) {
        guard !rendition.tracks.isEmpty, let resource = rendition.model.maps.first?.uri else { return }
        let place = Place(resource, box: "moov/trak")
        let audio = rendition.tracks.filter { $0.media == .audio }
        let video = rendition.tracks.filter { $0.media == .video }
        switch rendition.role {
        case .audio:
            if audio.isEmpty { findings.add(.trackKind, place, "an audio rendition without an audio track") }
            if !video.isEmpty { findings.add(.trackKind, place, "an audio rendition with a video track") }
        case .video, .framesOnly:
            if video.isEmpty { findings.add(.trackKind, place, "no video track") }
        case .main:
            if audio.isEmpty, video.isEmpty { findings.add(.trackKind, place, "a variant with neither video nor audio") }
        case .subtitles:
            if !rendition.tracks.contains(where: { $0.media == .text }) { findings.add(.trackKind, place, "subtitles without a text track") }
        }
        if audio.count > 1 || video.count > 1 { findings.add(.tracksMany, place, "\(video.count) video and \(audio.count) audio tracks") }
        guard let media = rendition.media, let text = media.attributes["CHANNELS"], !text.contains("/"), let declared = Int(text) else { return }
        if let actual = audio.first?.channels, actual != declared {
            findings.add(.channelsWrong, place, "CHANNELS of \"\(media.name)\" is \(declared), the media has \(actual)")
        }
    }
}

extension Rule {
    static let codecsWrong = Rule("codecs.wrong", .must, "RFC 8216 §4.3.4.2, RFC 6381 §3", fix: "Take CODECS from the init segments of all renditions.")
    static let codecsExtra = Rule("codecs.extra", .should, "RFC 8216 §4.3.4.2", fix: "Name only codecs that a rendition has.")
    static let notMuxed = Rule("rendition.not-muxed", .must, "RFC 8216 §4.3.4.1, §4.3.4.2.1", fix: "Give the rendition a URI, or mux it into the variant.")
    static let resolutionWrong = Rule("variant.resolution", .should, "RFC 8216 §4.3.4.2", fix: "State the size to show the pictures at.")
    static let rangeWrong = Rule(
        "variant.video-range", .must, "rfc8216bis §4.4.6.2, Apple HLS Authoring 9.16", fix: "Say PQ for transfer 16, HLG for 18, SDR for the others.")
    static let frameRateWrong = Rule("variant.frame-rate", .should, "RFC 8216 §4.3.4.2", fix: "State the highest rate of the pictures, to three decimals.")
    static let trackKind = Rule("init.track-kind", .must, "RFC 8216 §4.3.4.1", fix: "Serve the kind of media that the multivariant playlist says.")
    static let tracksMany = Rule("init.tracks", .should, "Apple HLS Authoring 2.17", fix: "Serve one track of a kind; make the others renditions.")
    static let channelsWrong = Rule("rendition.channels-wrong", .must, "RFC 8216 §4.3.4.1", fix: "State the channels that the configuration has.")
}
