internal import Languages

/// One audio track as the container and its bitstream describe it.
public struct AudioTrackInfo: Sendable, Equatable, Codable {
    /// How a track carries sound objects.
    public enum ObjectAudio: String, Sendable, Equatable, Codable {
        /// Dolby Atmos in E-AC-3 (joint object coding); survives copying.
        case jointObjectCoding
        /// Dolby Atmos in TrueHD; no Apple player is handed it, and what is made of the track has none.
        case trueHD
        /// DTS:X, of which the same is true.
        case dtsX
    }

    public var streamIndex: Int
    /// libavcodec's name: `aac`, `eac3`, `truehd`…
    public var codec: String
    public var profile: String?
    public var channels: Int
    /// libavutil's name of the layout, `5.1(side)` for instance.
    public var channelLayout: String?
    /// Hz.
    public var sampleRate: Int
    /// Bits a second; `nil` where unknown.
    public var bitRate: Int64?
    /// As the container has it: a code of ISO 639 in any spelling, a tag, at times a word.
    public var language: String?
    /// The language that says, as RFC 5646 has it and the playlist too; `nil` where it names none.
    public var languageTag: String?
    public var title: String?
    public var isDefault: Bool
    public var isOriginal: Bool
    public var isDub: Bool
    public var isForced: Bool
    public var isCommentary: Bool
    /// Describes the picture for those who do not see it.
    public var isDescription: Bool
    public var isHearingImpaired: Bool
    /// E-AC-3 with joint object coding (Dolby Atmos), as its syncframes say.
    public var isObjectAudio: Bool
    /// Sound objects of the source's track, of any kind; a claim of the source, and not of what is served.
    public var objectAudio: ObjectAudio?
    /// complexity_index_type_a of E-AC-3 with joint object coding, 1…16: how many objects, for CHANNELS.
    public var jocComplexity: Int?
    /// RFC 6381; `nil` where the track cannot be copied.
    public var codecString: String?
    /// At Apple's players.
    public var readiness: NativeReadiness

    public init(streamIndex: Int, codec: String, channels: Int, sampleRate: Int, readiness: NativeReadiness) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.channels = channels
        self.sampleRate = sampleRate
        self.readiness = readiness
        isDefault = false
        isOriginal = false
        isDub = false
        isForced = false
        isCommentary = false
        isDescription = false
        isHearingImpaired = false
        isObjectAudio = false
    }
}

/// One subtitle track. Listed for hosts; this version serves none yet.
public struct SubtitleTrackInfo: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Equatable, Codable { case text, bitmap, closedCaptions, unknown }

    public var streamIndex: Int
    public var codec: String
    public var kind: Kind
    /// As the container has it.
    public var language: String?
    /// The language that says, as RFC 5646 has it; `nil` where it names none.
    public var languageTag: String?
    public var title: String?
    public var isDefault: Bool
    public var isForced: Bool
    public var isHearingImpaired: Bool

    public init(
        streamIndex: Int, codec: String, kind: Kind, language: String? = nil, title: String? = nil, isDefault: Bool = false, isForced: Bool = false,
        isHearingImpaired: Bool = false
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.kind = kind
        self.language = language
        languageTag = LanguageLabel.rfc5646(language)
        self.title = title
        self.isDefault = isDefault
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
    }
}
