internal import BitsAndTime
package import Bitstreams
package import Languages

/// All that is known of one audio or video track, said once.
///
/// The sample entry, the CODECS, CHANNELS, RESOLUTION, FRAME-RATE and VIDEO-RANGE attributes, the routing verdict and what a
/// host is told are all read off this value; nothing derives a claim a second time, so none can disagree.
package struct TrackDescription: Sendable, Equatable {
    /// Size, shape and colour of a picture.
    package struct Video: Sendable, Equatable {
        /// Luma samples, after cropping.
        package var width: Int
        package var height: Int
        /// Width to height of one sample; 1:1 where nothing else is said.
        package var sampleAspectRatio: (horizontal: Int32, vertical: Int32)
        package var bitDepth: Int?
        /// ISO/IEC 23091-2 code points; `nil` where unspecified.
        package var primaries: Int?
        package var transfer: Int?
        package var matrix: Int?
        package var isFullRange: Bool?
        /// Static HDR metadata, for `mdcv` and `clli`.
        package var masteringDisplay: MasteringDisplayColourVolume?
        package var contentLight: ContentLightLevelInformation?
        /// Pictures a second; `nil` where unknown.
        package var frameRate: (numerator: Int32, denominator: Int32)?
        package var frameRateSource: FrameRateSource

        package init(
            width: Int, height: Int, sampleAspectRatio: (horizontal: Int32, vertical: Int32) = (1, 1), bitDepth: Int? = nil, primaries: Int? = nil,
            transfer: Int? = nil, matrix: Int? = nil, isFullRange: Bool? = nil,
            masteringDisplay: MasteringDisplayColourVolume? = nil, contentLight: ContentLightLevelInformation? = nil,
            frameRate: (numerator: Int32, denominator: Int32)? = nil,
            frameRateSource: FrameRateSource = .unknown
        ) {
            self.width = width
            self.height = height
            self.sampleAspectRatio = sampleAspectRatio
            self.bitDepth = bitDepth
            self.primaries = primaries
            self.transfer = transfer
            self.matrix = matrix
            self.isFullRange = isFullRange
            self.masteringDisplay = masteringDisplay
            self.contentLight = contentLight
            self.frameRate = frameRate
            self.frameRateSource = frameRateSource
        }

        package static func == (a: Video, b: Video) -> Bool {
            a.width == b.width && a.height == b.height && a.sampleAspectRatio == b.sampleAspectRatio && a.bitDepth == b.bitDepth
                && a.primaries == b.primaries && a.transfer == b.transfer && a.matrix == b.matrix && a.isFullRange == b.isFullRange
                && a.masteringDisplay == b.masteringDisplay && a.contentLight == b.contentLight
                && a.frameRate?.numerator == b.frameRate?.numerator && a.frameRate?.denominator == b.frameRate?.denominator
                && a.frameRateSource == b.frameRateSource
        }

        /// RFC 8216bis §4.4.6.2 VIDEO-RANGE, from the transfer characteristics: 16 is PQ, 18 HLG.
        package var dynamicRange: DynamicRange {
            switch transfer {
            case 16: .pq
            case 18: .hlg
            default: .sdr
            }
        }
    }

    package enum DynamicRange: String, Sendable, Equatable { case sdr = "SDR", pq = "PQ", hlg = "HLG" }

    package enum FrameRateSource: String, Sendable, Equatable {
        /// The container states it (a default duration, a sample table).
        case container
        /// The codec's own timing information.
        case bitstream
        /// Averaged over the packets read at open.
        case measured
        case unknown
    }

    package struct Audio: Sendable, Equatable {
        package var channels: Int
        package var channelLayout: String?
        /// Hz.
        package var sampleRate: Int32
        /// Samples a frame decodes to; 0 where frames differ.
        package var frameLength: Int
        /// Complexity index of object audio (ETSI TS 103 420); `nil` for none.
        package var jocComplexity: Int?

        package init(channels: Int, channelLayout: String? = nil, sampleRate: Int32, frameLength: Int, jocComplexity: Int? = nil) {
            self.channels = channels
            self.channelLayout = channelLayout
            self.sampleRate = sampleRate
            self.frameLength = frameLength
            self.jocComplexity = jocComplexity
        }
    }

    package enum Media: Sendable, Equatable {
        case video(Video)
        case audio(Audio)
    }

    package var streamIndex: Int
    package var codec: TrackCodec
    package var media: Media
    /// RFC 6381, as it stands in CODECS.
    package var codecString: String
    /// The decoder configuration box's content, without its header.
    package var configuration: [UInt8]
    /// As the container has it; what it claims is read off by ``LanguageLabel``. `nil` for none.
    package var language: String?
    package var title: String?
    package var isDefault: Bool
    package var isOriginal: Bool
    package var isDub: Bool = false
    /// Commentary and description never become the default by accident.
    package var isCommentary: Bool
    package var isDescription: Bool
    package var isHearingImpaired: Bool = false
    /// Whether dialogue stands out in it by our doing.
    package var enhancesDialogue = false
    /// Bits a second; `nil` where unknown.
    package var bitRate: Int64?
    /// How its Dolby Vision is served; `nil` where it has none.
    package var dolbyVision: DolbyVisionRoute?

    package init(
        streamIndex: Int, codec: TrackCodec, media: Media, codecString: String, configuration: [UInt8], language: String? = nil, title: String? = nil,
        isDefault: Bool = false, isOriginal: Bool = false, isCommentary: Bool = false, isDescription: Bool = false, bitRate: Int64? = nil
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.media = media
        self.codecString = codecString
        self.configuration = configuration
        self.language = language
        self.title = title
        self.isDefault = isDefault
        self.isOriginal = isOriginal
        self.isCommentary = isCommentary
        self.isDescription = isDescription
        self.bitRate = bitRate
    }

    package var video: Video? { if case .video(let v) = media { v } else { nil } }
    package var audio: Audio? { if case .audio(let a) = media { a } else { nil } }

    /// What is to be known of it to choose among several.
    package var candidate: AudioCandidate {
        AudioCandidate(
            language: language, title: title, isDefault: isDefault, isOriginal: isOriginal, isDub: isDub, isCommentary: isCommentary,
            isDescription: isDescription, isHearingImpaired: isHearingImpaired)
    }
}

/// The codecs that fragments are written for, with the sample entry each takes.
package enum TrackCodec: String, Sendable, Equatable {
    case avc = "avc1"
    case hevc = "hvc1"
    case av1 = "av01"
    case vp9 = "vp09"
    case aac = "mp4a"
    case ac3 = "ac-3"
    case eac3 = "ec-3"
    case flac = "fLaC"
    case alac = "alac"
    case opus = "Opus"
}
