/// A tag of HLS: where it may stand, how often, and what follows its colon (RFC 8216 §4.3, draft-pantos-hls-rfc8216bis-14 §4.4).
struct TagDefinition: Sendable {
    enum Scope: Sendable { case multivariant, media, segment, either }

    enum Value: Sendable {
        case none
        case integer
        case enumerated([String])
        case attributes([AttributeDefinition])
        /// Checked where it is read: EXTINF, BYTERANGE, dates.
        case text
    }

    let scope: Scope
    let isUnique: Bool
    let value: Value

    private init(_ scope: Scope, unique: Bool = false, _ value: Value) {
        self.scope = scope
        isUnique = unique
        self.value = value
    }

    private static let yesOrNo = AttributeDefinition.Kind.enumerated(["YES", "NO"])

    private static let variantAttributes: [AttributeDefinition] = [
        .init("BANDWIDTH", .integer, required: true), .init("AVERAGE-BANDWIDTH", .integer), .init("SCORE", .decimal), .init("CODECS", .quoted),
        .init("SUPPLEMENTAL-CODECS", .quoted), .init("RESOLUTION", .resolution), .init("HDCP-LEVEL", .enumerated(["TYPE-0", "TYPE-1", "NONE"])),
        .init("ALLOWED-CPC", .quoted), .init("VIDEO-RANGE", .enumerated(["SDR", "HLG", "PQ"])), .init("REQ-VIDEO-LAYOUT", .quoted),
        .init("STABLE-VARIANT-ID", .quoted), .init("VIDEO", .quoted), .init("PATHWAY-ID", .quoted),
    ]

    private static let keyAttributes: [AttributeDefinition] = [
        .init("METHOD", .enumerated(["NONE", "AES-128", "SAMPLE-AES", "SAMPLE-AES-CTR"]), required: true), .init("URI", .quoted), .init("IV", .hexadecimal),
        .init("KEYFORMAT", .quoted), .init("KEYFORMATVERSIONS", .quoted),
    ]

    static let known: [String: TagDefinition] = [
        "#EXTM3U": .init(.either, unique: true, .none),
        "#EXT-X-VERSION": .init(.either, unique: true, .integer),
        "#EXT-X-INDEPENDENT-SEGMENTS": .init(.either, unique: true, .none),
        "#EXT-X-START": .init(.either, unique: true, .attributes([.init("TIME-OFFSET", .signedDecimal, required: true), .init("PRECISE", yesOrNo)])),
        "#EXT-X-DEFINE": .init(.either, .attributes([.init("NAME", .quoted), .init("VALUE", .quoted), .init("IMPORT", .quoted), .init("QUERYPARAM", .quoted)])),

        "#EXT-X-TARGETDURATION": .init(.media, unique: true, .integer),
        "#EXT-X-MEDIA-SEQUENCE": .init(.media, unique: true, .integer),
        "#EXT-X-DISCONTINUITY-SEQUENCE": .init(.media, unique: true, .integer),
        "#EXT-X-ENDLIST": .init(.media, unique: true, .none),
        "#EXT-X-PLAYLIST-TYPE": .init(.media, unique: true, .enumerated(["VOD", "EVENT"])),
        "#EXT-X-I-FRAMES-ONLY": .init(.media, unique: true, .none),
        "#EXT-X-PART-INF": .init(.media, unique: true, .attributes([.init("PART-TARGET", .decimal, required: true)])),
        "#EXT-X-SERVER-CONTROL": .init(
            .media, unique: true,
            .attributes([
                .init("CAN-SKIP-UNTIL", .decimal), .init("CAN-SKIP-DATERANGES", yesOrNo), .init("HOLD-BACK", .decimal), .init("PART-HOLD-BACK", .decimal),
                .init("CAN-BLOCK-RELOAD", yesOrNo),
            ])),
        // Not in any edition of the RFC, but in old playlists everywhere.
        "#EXT-X-ALLOW-CACHE": .init(.media, unique: true, .enumerated(["YES", "NO"])),

        "#EXTINF": .init(.segment, .text),
        "#EXT-X-BYTERANGE": .init(.segment, .text),
        "#EXT-X-DISCONTINUITY": .init(.segment, .none),
        "#EXT-X-KEY": .init(.segment, .attributes(keyAttributes)),
        "#EXT-X-MAP": .init(.segment, .attributes([.init("URI", .quoted, required: true), .init("BYTERANGE", .quoted)])),
        "#EXT-X-PROGRAM-DATE-TIME": .init(.segment, .text),
        "#EXT-X-GAP": .init(.segment, .none),
        "#EXT-X-BITRATE": .init(.segment, .integer),
        "#EXT-X-PART": .init(
            .segment,
            .attributes([
                .init("URI", .quoted, required: true), .init("DURATION", .decimal, required: true), .init("INDEPENDENT", .enumerated(["YES"])),
                .init("BYTERANGE", .quoted), .init("GAP", .enumerated(["YES"])),
            ])),
        "#EXT-X-DATERANGE": .init(.segment, .attributes(dateRangeAttributes)),
        "#EXT-X-SKIP": .init(.segment, .attributes([.init("SKIPPED-SEGMENTS", .integer, required: true), .init("RECENTLY-REMOVED-DATERANGES", .quoted)])),
        "#EXT-X-PRELOAD-HINT": .init(
            .segment,
            .attributes([
                .init("TYPE", .enumerated(["PART", "MAP"]), required: true), .init("URI", .quoted, required: true), .init("BYTERANGE-START", .integer),
                .init("BYTERANGE-LENGTH", .integer),
            ])),
        "#EXT-X-RENDITION-REPORT": .init(.segment, .attributes([.init("URI", .quoted, required: true), .init("LAST-MSN", .integer), .init("LAST-PART", .integer)])),

        "#EXT-X-MEDIA": .init(.multivariant, .attributes(renditionAttributes)),
        "#EXT-X-STREAM-INF": .init(
            .multivariant,
            .attributes(
                variantAttributes + [
                    .init("FRAME-RATE", .decimal), .init("AUDIO", .quoted), .init("SUBTITLES", .quoted), .init("CLOSED-CAPTIONS", .quotedOr("NONE")),
                ])),
        // FRAME-RATE and the groups of other media are not defined for it (RFC 8216 §4.3.4.3).
        "#EXT-X-I-FRAME-STREAM-INF": .init(.multivariant, .attributes(variantAttributes + [.init("URI", .quoted, required: true)])),
        "#EXT-X-SESSION-DATA": .init(
            .multivariant,
            .attributes([
                .init("DATA-ID", .quoted, required: true), .init("VALUE", .quoted), .init("URI", .quoted), .init("FORMAT", .enumerated(["JSON", "RAW"])),
                .init("LANGUAGE", .quoted),
            ])),
        "#EXT-X-SESSION-KEY": .init(.multivariant, .attributes(keyAttributes)),
        "#EXT-X-CONTENT-STEERING": .init(.multivariant, unique: true, .attributes([.init("SERVER-URI", .quoted, required: true), .init("PATHWAY-ID", .quoted)])),
    ]

    private static let renditionAttributes: [AttributeDefinition] = [
        .init("TYPE", .enumerated(["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]), required: true), .init("GROUP-ID", .quoted, required: true),
        .init("NAME", .quoted, required: true), .init("URI", .quoted), .init("LANGUAGE", .quoted), .init("ASSOC-LANGUAGE", .quoted),
        .init("STABLE-RENDITION-ID", .quoted), .init("DEFAULT", yesOrNo), .init("AUTOSELECT", yesOrNo), .init("FORCED", yesOrNo), .init("INSTREAM-ID", .quoted),
        .init("BIT-DEPTH", .integer), .init("SAMPLE-RATE", .integer), .init("CHARACTERISTICS", .quoted), .init("CHANNELS", .quoted),
    ]

    private static let dateRangeAttributes: [AttributeDefinition] = [
        .init("ID", .quoted, required: true), .init("CLASS", .quoted), .init("START-DATE", .quoted, required: true), .init("CUE", .quoted),
        .init("END-DATE", .quoted), .init("DURATION", .decimal), .init("PLANNED-DURATION", .decimal), .init("SCTE35-CMD", .hexadecimal),
        .init("SCTE35-OUT", .hexadecimal), .init("SCTE35-IN", .hexadecimal), .init("END-ON-NEXT", .enumerated(["YES"])),
    ]
}
