internal import BitsAndTime
internal import HLS

/// A multivariant playlist by itself: variants and the groups they name (RFC 8216 §4.3.4, Apple's authoring rules 6 and 9).
enum MultivariantCheck {
    static func check(_ model: MultivariantModel, in document: PlaylistDocument, into findings: inout Findings) {
        RenditionGroupCheck.check(model, in: document, into: &findings)
        for line in model.strayLines { findings.add(.strayURI, document.place(line), "a URI that no EXT-X-STREAM-INF comes before") }
        let plain = model.variants.filter { !$0.isFramesOnly }
        if plain.isEmpty { findings.add(.noVariant, document.place(), "no EXT-X-STREAM-INF") }
        for variant in model.variants { check(variant, model, at: document.place(variant.line), into: &findings) }
        let captions = Set(plain.map { $0.attributes.item("CLOSED-CAPTIONS").map { $0.isQuoted ? "group" : $0.text } ?? "" })
        if captions.contains("NONE"), captions.count > 1 {
            findings.add(.captionsNone, document.place(), "CLOSED-CAPTIONS is NONE on one variant and not on another")
        }
        let videos = plain.filter(hasVideo)
        if !videos.isEmpty {
            if !model.variants.contains(where: \.isFramesOnly) { findings.add(.noFramesOnly, document.place(), "no I-frame playlist: scrubbing shows no pictures") }
            if Set(videos.map { $0.uri ?? "" }).count == 1 { findings.add(.oneVariant, document.place(), "one bit rate of video: nothing to switch to") }
        }
        let scored = model.variants.filter { $0.attributes["SCORE"] != nil }
        if !scored.isEmpty, scored.count < model.variants.count {
            findings.add(.score, document.place(), "\(scored.count) of \(model.variants.count) variants have a SCORE")
        }
    }

    private static func hasVideo(_ variant: MultivariantModel.Variant) -> Bool {
        variant.attributes["RESOLUTION"] != nil || variant.codecs?.contains { isVideo($0) } ?? true
    }

    static func isVideo(_ codec: String) -> Bool {
        ["avc", "hvc", "hev", "av01", "dv", "dav", "vp0", "mp4v", "vvc", "vvi"].contains { codec.hasPrefix($0) }
    }

    private static func check(_ variant: MultivariantModel.Variant, _ model: MultivariantModel, at place: Place, into findings: inout Findings) {
        let list = variant.attributes
        if variant.uri == nil, !variant.isFramesOnly { findings.add(.variantURI, place, "no URI follows EXT-X-STREAM-INF on the next line") }
        for type in ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"] {
            guard let group = variant.group(type), model.members(type, group).isEmpty else { continue }
            findings.add(.groupMissing, place, "\(type) names the group \"\(group)\", which no EXT-X-MEDIA has")
        }
        if let peak = variant.bandwidth {
            if peak == 0 { findings.add(.bandwidthZero, place, "BANDWIDTH is 0") }
            if let average = variant.averageBandwidth, average > peak {
                findings.add(.averageOverPeak, place, "AVERAGE-BANDWIDTH \(average) is more than BANDWIDTH \(peak)")
            }
        }
        if variant.averageBandwidth == nil { findings.add(.averageMissing, place, "no AVERAGE-BANDWIDTH") }
        if let codecs = variant.codecs {
            for codec in codecs {
                switch CodecName.form(codec) {
                case .wellFormed: break
                case .malformed: findings.add(.codecsSyntax, place, "CODECS has \"\(codec)\", which is no codec name")
                case .unknown: findings.add(.codecsUnknown, place, "CODECS has \"\(codec)\", which is not known here")
                }
            }
            if Set(codecs).count < codecs.count { findings.add(.codecsTwice, place, "CODECS names a codec twice: \(codecs.joined(separator: ","))") }
        } else {
            findings.add(.codecsMissing, place, "no CODECS")
        }
        for codec in list["SUPPLEMENTAL-CODECS"]?.split(separator: ",").map(String.init) ?? [] where !CodecName.isSupplemental(codec) {
            findings.add(.supplemental, place, "SUPPLEMENTAL-CODECS has \"\(codec)\": a codec, a slash and a four-character brand belong there")
        }
        guard hasVideo(variant) else { return }
        if list["RESOLUTION"] == nil { findings.add(.resolutionMissing, place, "video without RESOLUTION") }
        if list["FRAME-RATE"] == nil, !variant.isFramesOnly { findings.add(.frameRateMissing, place, "video without FRAME-RATE") }
        if let rate = list["FRAME-RATE"].flatMap({ DecimalSeconds.time($0) }), rate.seconds > 60.01 {
            findings.add(.frameRateHigh, place, "\(rate.seconds) pictures a second")
        }
    }
}

extension Rule {
    static let strayURI = Rule("variant.stray-uri", .must, "RFC 8216 §4.3.4.2", fix: "Put EXT-X-STREAM-INF on the line before, or make it a comment.")
    static let noVariant = Rule("variant.none", .must, "RFC 8216 §4.3.4", fix: "List at least one variant.")
    static let variantURI = Rule("variant.uri", .must, "RFC 8216 §4.3.4.2", fix: "Put the media playlist's URI on the line after the tag.")
    static let captionsNone = Rule("variant.captions-none", .must, "RFC 8216 §4.3.4.2", fix: "Say CLOSED-CAPTIONS=NONE on all variants or on none.")
    static let noFramesOnly = Rule(
        "variant.no-i-frames", .note, "Apple HLS Authoring 6.1", fix: "Add EXT-X-I-FRAME-STREAM-INF for delivery to Apple devices at large.")
    static let oneVariant = Rule("variant.one-bit-rate", .note, "Apple HLS Authoring 9.9", fix: "Offer more bit rates where the network is not your own.")
    static let score = Rule("variant.score", .must, "rfc8216bis §4.4.6.2, Apple HLS Authoring 9.19", fix: "Give every variant a SCORE, or none.")
    static let groupMissing = Rule("variant.group-missing", .must, "RFC 8216 §4.3.4.2", fix: "Name a group that an EXT-X-MEDIA tag of the type defines.")
    static let bandwidthZero = Rule("variant.bandwidth-zero", .must, "RFC 8216 §4.3.4.2", fix: "State the peak bit rate.")
    static let averageOverPeak = Rule("variant.average-over-peak", .must, "RFC 8216 §4.3.4.2", fix: "Measure both again: no average is above its peak.")
    static let averageMissing = Rule("variant.average-missing", .note, "Apple HLS Authoring 9.14", fix: "Add AVERAGE-BANDWIDTH where it is known.")
    static let codecsSyntax = Rule("codecs.syntax", .must, "RFC 8216 §4.3.4.2, RFC 6381 §3", fix: "Write codecs as RFC 6381 does.")
    static let codecsUnknown = Rule("codecs.unknown", .note, "RFC 6381 §3", fix: "Check that players know it.")
    static let codecsTwice = Rule("codecs.repeated", .should, "RFC 8216 §4.3.4.2", fix: "Name each codec once.")
    static let codecsMissing = Rule("codecs.missing", .should, "RFC 8216 §4.3.4.2, Apple HLS Authoring 9.1, 9.3", fix: "Add CODECS.")
    static let supplemental = Rule("codecs.supplemental", .must, "rfc8216bis §4.4.6.2", fix: "Write codec/brand, as dvh1.08.07/db4h.")
    static let resolutionMissing = Rule("variant.resolution-missing", .should, "RFC 8216 §4.3.4.2, Apple HLS Authoring 9.2, 9.4", fix: "Add RESOLUTION.")
    static let frameRateMissing = Rule("variant.frame-rate-missing", .should, "RFC 8216 §4.3.4.2, Apple HLS Authoring 9.15", fix: "Add FRAME-RATE.")
    static let frameRateHigh = Rule("variant.frame-rate-high", .should, "Apple HLS Authoring 1.19", fix: "Offer 60 pictures a second or fewer.")
}
