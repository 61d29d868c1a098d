/// One video track as the container and its bitstream describe it.
public struct VideoTrackInfo: Sendable, Equatable, Codable {
    public enum FieldOrder: String, Sendable, Equatable, Codable { case progressive, interlaced, unknown }
    public enum DynamicRange: String, Sendable, Equatable, Codable { case sdr = "SDR", hdr10 = "PQ", hlg = "HLG" }
    /// Where the frame rate was found.
    public enum FrameRateSource: String, Sendable, Equatable, Codable { case container, bitstream, measured, unknown }

    /// Dolby Vision configuration record (Dolby Vision Streams Within the ISO Base Media File Format §3.1).
    public struct DolbyVision: Sendable, Equatable, Codable {
        public var profile: Int
        public var level: Int
        public var compatibilityID: Int
        public var hasEnhancementLayer: Bool
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
    /// `avcC`, `hvcC` or `av1C`, as it will be served; `nil` where the track cannot be copied.
    public var configurationRecord: [UInt8]?
    /// RFC 6381; `nil` where the track cannot be copied.
    public var codecString: String?
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    public var readiness: NativeReadiness

    public init(streamIndex: Int, codec: String, width: Int, height: Int, readiness: NativeReadiness) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.width = width
        self.height = height
        self.readiness = readiness
        sampleAspectRatio = [1, 1]
        dynamicRange = .sdr
        frameRateSource = .unknown
        declaredFieldOrder = .unknown
        isMultiview = false
        isEncrypted = false
        isDefault = false
    }
}
