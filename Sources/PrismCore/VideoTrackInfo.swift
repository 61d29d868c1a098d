internal import DolbyVision
internal import Remux

/// One video track as the container and its bitstream describe it.
public struct VideoTrackInfo: Sendable, Equatable, Codable {
    public enum FieldOrder: String, Sendable, Equatable, Codable { case progressive, interlaced, unknown }
    public enum DynamicRange: String, Sendable, Equatable, Codable { case sdr = "SDR", hdr10 = "PQ", hlg = "HLG" }
    /// Where the frame rate was found.
    public enum FrameRateSource: String, Sendable, Equatable, Codable { case container, bitstream, measured, unknown }

    /// Dolby Vision of the source and what becomes of it.
    public struct DolbyVision: Sendable, Equatable, Codable, CustomStringConvertible {
        /// What the source is: the container's word, or the bitstream's where the container is silent or proven wrong.
        public var profile: Int
        public var level: Int
        /// What the base layer is by itself: 0 nothing, 1 HDR10, 2 SDR, 4 HLG, 6 Ultra HD Blu-ray's HDR10.
        public var compatibilityID: Int
        public var hasEnhancementLayer: Bool
        /// Whether that layer is a full one (FEL); `nil` where there is none or the first unit does not tell.
        public var isEnhancementLayerFull: Bool?
        /// Profile and compatibility of what is served, `8.1`; `nil` where the base layer plays alone.
        public var servedAs: String?
        /// What was found out or decided, in words for a log.
        public var findings: [String]

        /// In words for a terminal or a log: the source, what is served of it, and what was found out.
        public var description: String {
            var words = "profile \(profile).\(compatibilityID), level \(level)"
            if hasEnhancementLayer { words += isEnhancementLayerFull.map { $0 ? ", full enhancement layer" : ", minimal enhancement layer" } ?? ", enhancement layer" }
            words += servedAs.map { ", served as \($0)" } ?? ", not served as such"
            return ([words] + findings).joined(separator: "; ")
        }
    }

    /// The display a film was graded on (SMPTE ST 2086).
    public struct MasteringDisplay: Sendable, Equatable, Codable {
        /// CIE 1931 x and y.
        public var red, green, blue, whitePoint: [Double]
        /// cd/m².
        public var minimumLuminance, maximumLuminance: Double
    }

    /// How bright a film gets, in cd/m²; 0 where unknown (CTA-861.3).
    public struct ContentLight: Sendable, Equatable, Codable {
        /// MaxCLL.
        public var maximum: Int
        /// MaxFALL.
        public var maximumFrameAverage: Int
    }

    public var streamIndex: Int
    /// libavcodec's name: `h264`, `hevc`, `av1`, `vp9`…
    public var codec: String
    public var profile: String?
    public var level: Int?
    /// Luma samples.
    public var width: Int
    public var height: Int
    /// Width to height of one sample, as numerator and denominator.
    public var sampleAspectRatio: [Int]
    public var bitDepth: Int?
    /// `4:2:0`, `4:2:2`, `4:4:4`, `4:0:0`.
    public var chromaFormat: String?
    /// libavutil's names of the ISO/IEC 23091-2 code points; `nil` where unspecified.
    public var colourPrimaries: String?
    public var colourTransfer: String?
    public var colourMatrix: String?
    public var isFullRange: Bool?
    public var dynamicRange: DynamicRange
    /// As the first picture says it, else the container; `nil` where neither does.
    public var masteringDisplay: MasteringDisplay?
    public var contentLight: ContentLight?
    /// Pictures a second, as numerator and denominator; `nil` where unknown.
    public var frameRate: [Int]?
    public var frameRateSource: FrameRateSource
    /// As declared by the container or codec.
    public var declaredFieldOrder: FieldOrder
    /// Whether decoded frames bore the declaration out; `nil` where nobody looked, as for progressive tracks.
    public var isInterlacedOnDecode: Bool?
    /// Both views of a stereoscopic film in one track (MVC).
    public var isMultiview: Bool
    /// Its samples are encrypted, and nothing here has a key.
    public var isEncrypted: Bool
    public var dolbyVision: DolbyVision?
    /// `avcC`, `hvcC`, `av1C` or `vpcC`, as it will be served; `nil` where fragments cannot carry the track.
    public var configurationRecord: [UInt8]?
    /// RFC 6381; `nil` where fragments cannot carry the track.
    public var codecString: String?
    /// SUPPLEMENTAL-CODECS: what a player may take the track for instead.
    public var supplementalCodecs: [String]
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    /// At Apple's players.
    public var readiness: NativeReadiness

    public init(streamIndex: Int, codec: String, width: Int, height: Int, readiness: NativeReadiness) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.width = width
        self.height = height
        self.readiness = readiness
        sampleAspectRatio = [1, 1]
        dynamicRange = .sdr
        supplementalCodecs = []
        frameRateSource = .unknown
        declaredFieldOrder = .unknown
        isMultiview = false
        isEncrypted = false
        isDefault = false
    }
}

extension VideoTrackInfo {
    /// Takes over what was decided about its Dolby Vision.
    mutating func describe(_ route: DolbyVisionRoute, evidence: DolbyVisionEvidence?) {
        let isFull = evidence?.unit?.enhancementLayer.map { $0 == .full }
        dolbyVision = DolbyVision(
            profile: Int(route.sourceProfile), level: Int(evidence?.record?.level ?? evidence?.level ?? 0), compatibilityID: Int(route.sourceCompatibilityID),
            hasEnhancementLayer: route.dropsEnhancementLayer || evidence?.companionStream != nil || evidence?.record?.hasEnhancementLayer ?? false,
            isEnhancementLayerFull: isFull, servedAs: route.record.map { "\($0.profile).\($0.compatibilityID)" }, findings: route.findings.map(\.description))
    }
}
