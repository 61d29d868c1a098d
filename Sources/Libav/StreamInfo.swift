/// A value of libav's AVRational; neither part is 0.
package struct Ratio: Sendable, Hashable {
    package let numerator, denominator: Int32
}

/// What the container and libav's probing say about one stream: a snapshot, nil where nothing is known.
package struct StreamInfo: Sendable {
    package enum Kind: Sendable, Hashable { case video, audio, subtitle, attachment, data, unknown }
    /// Chroma sampling; nil at ``StreamInfo/chromaFormat`` for RGB and palettes.
    package enum ChromaFormat: Sendable, Hashable { case monochrome, yuv420, yuv422, yuv444 }
    /// Which field is coded first, then which is shown first.
    package enum FieldOrder: Sendable, Hashable { case progressive, topTop, bottomBottom, topBottom, bottomTop, unknown }

    package internal(set) var index = 0
    package internal(set) var kind = Kind.unknown
    /// libav's descriptor name: "h264", "hevc", "aac", "eac3", "dts", "pcm_s16le", "subrip"… "none" when unknown.
    package internal(set) var codecName = "none"
    /// The container's own four characters or number, first byte lowest; 0 when it has none.
    package internal(set) var codecTag: UInt32 = 0
    /// Numbers as the codec's standard gives them.
    package internal(set) var profile: Int?
    package internal(set) var profileName: String?
    package internal(set) var level: Int?
    /// Codec configuration as the container stores it (avcC, hvcC, AudioSpecificConfig, …).
    package internal(set) var extradata: [UInt8] = []
    /// Seconds a tick; both above zero.
    package internal(set) var timeBaseNumerator: Int32 = 1
    package internal(set) var timeBaseDenominator: Int32 = 1
    /// In the stream's time base.
    package internal(set) var startTime: Int64?
    package internal(set) var duration: Int64?
    package internal(set) var frameCount: Int64?
    /// Bits a second.
    package internal(set) var bitRate: Int64?

    // MARK: Video
    /// Coded picture in pixels, 0 when unknown.
    package internal(set) var width = 0
    package internal(set) var height = 0
    /// The container's when it has one, else the codec's.
    package internal(set) var sampleAspectRatio: Ratio?
    package internal(set) var pixelFormatName: String?
    /// Bits of one luma sample.
    package internal(set) var bitDepth: Int?
    package internal(set) var chromaFormat: ChromaFormat?
    /// ISO/IEC 23091-2 code points; nil for unspecified and reserved ones.
    package internal(set) var colourPrimaries: Int?
    package internal(set) var transferCharacteristics: Int?
    package internal(set) var matrixCoefficients: Int?
    /// libav's names ("bt2020", "smpte2084", "bt2020nc").
    package internal(set) var colourPrimariesName: String?
    package internal(set) var colourTransferName: String?
    package internal(set) var colourMatrixName: String?
    package internal(set) var isFullRange: Bool?
    package internal(set) var averageFrameRate: Ratio?
    /// The lowest rate all timestamps fit; a guess of libav's.
    package internal(set) var realFrameRate: Ratio?
    package internal(set) var fieldOrder = FieldOrder.unknown
    /// Frames of reordering delay between decoding and presentation.
    package internal(set) var videoDelay = 0
    package internal(set) var dolbyVision: DolbyVisionRecord?
    /// Two views coded as layers or alternating frames (MV-HEVC), not packed into one picture.
    package internal(set) var hasMultiviewStereo3D = false

    // MARK: Audio
    /// Hertz, 0 when unknown.
    package internal(set) var sampleRate: Int32 = 0
    package internal(set) var channels = 0
    /// libav's name ("stereo", "5.1(side)").
    package internal(set) var channelLayout: String?
    package internal(set) var bitsPerRawSample = 0
    /// Samples a packet, 0 when it varies or is unknown.
    package internal(set) var frameSize = 0
    /// Samples to drop at the start and the end, and to decode before a seek target.
    package internal(set) var initialPadding = 0
    package internal(set) var trailingPadding = 0
    package internal(set) var seekPreroll = 0

    // MARK: Naming
    package internal(set) var dispositions: StreamDispositions = []
    /// The container's tag as written ("eng", "pt-BR"); nil when absent.
    package internal(set) var language: String?
    package internal(set) var title: String?
    package internal(set) var metadata: [String: String] = [:]
    /// The first program (MPEG-TS) this stream belongs to.
    package internal(set) var programID: Int?

    /// A cover or thumbnail: one picture, not a moving one.
    package var isAttachedPicture: Bool { dispositions.contains(.attachedPicture) }
}
