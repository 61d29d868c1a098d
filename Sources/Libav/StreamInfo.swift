/// A value of libav's AVRational; neither part is 0.
package struct Ratio: Sendable, Hashable {
    package let numerator, denominator: Int32

    package init(numerator: Int32, denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

/// What the container and libav's probing say about one stream: a snapshot, nil where nothing is known.
package struct StreamInfo: Sendable {
    package enum Kind: Sendable, Hashable { case video, audio, subtitle, attachment, data, unknown }
    /// Chroma sampling; nil at ``StreamInfo/chromaFormat`` for RGB and palettes.
    package enum ChromaFormat: Sendable, Hashable { case monochrome, yuv420, yuv422, yuv444 }
    /// Which field is coded first, then which is shown first.
    package enum FieldOrder: Sendable, Hashable { case progressive, topTop, bottomBottom, topBottom, bottomTop, unknown }

    package var index = 0
    /// The container's own number of the stream where libav keeps it (the PID of a transport stream); 0 elsewhere.
    package var containerID = 0
    package var kind = Kind.unknown
    /// libav's descriptor name: "h264", "hevc", "aac", "eac3", "dts", "pcm_s16le", "subrip"… "none" when unknown.
    package var codecName = "none"
    /// ``codecName`` for switching over.
    package var codec: CodecID { CodecID(libavName: codecName) }
    /// The container's own four characters or number, first byte lowest; 0 when it has none.
    package var codecTag: UInt32 = 0
    /// What to call the codec in a report: libav's name, else the container's own four characters ("ac-4").
    package var codecWord: String {
        guard codecName == "none" else { return codecName }
        let characters = (0..<4).map { UInt8(truncatingIfNeeded: codecTag >> (8 * UInt32($0))) }
        guard characters.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return codecTag == 0 ? "an unknown codec" : "codec \(codecTag)" }
        return String(decoding: characters, as: UTF8.self)
    }
    /// Numbers as the codec's standard gives them.
    package var profile: Int?
    package var profileName: String?
    package var level: Int?
    /// Codec configuration as the container stores it (avcC, hvcC, AudioSpecificConfig, …).
    package var extradata: [UInt8] = []
    /// Seconds a tick; both above zero.
    package var timeBaseNumerator: Int32 = 1
    package var timeBaseDenominator: Int32 = 1
    /// In the stream's time base.
    package var startTime: Int64?
    package var duration: Int64?
    package var frameCount: Int64?
    /// Bits a second.
    package var bitRate: Int64?

    // MARK: Video
    /// Coded picture in pixels, 0 when unknown.
    package var width = 0
    package var height = 0
    /// The container's when it has one, else the codec's.
    package var sampleAspectRatio: Ratio?
    package var pixelFormatName: String?
    /// Bits of one luma sample.
    package var bitDepth: Int?
    package var chromaFormat: ChromaFormat?
    /// ISO/IEC 23091-2 code points; nil for unspecified and reserved ones.
    package var colourPrimaries: Int?
    package var transferCharacteristics: Int?
    package var matrixCoefficients: Int?
    /// libav's names ("bt2020", "smpte2084", "bt2020nc").
    package var colourPrimariesName: String?
    package var colourTransferName: String?
    package var colourMatrixName: String?
    package var isFullRange: Bool?
    /// Chroma420SampleLocType: 0 left, 1 centre, 2 top left, 3 top, 4 bottom left, 5 bottom (ISO/IEC 23091-2).
    package var chromaLocation: Int?
    /// The container's; nil when only the bitstream says.
    package var masteringDisplay: MasteringDisplay?
    package var contentLightLevel: ContentLightLevel?
    package var averageFrameRate: Ratio?
    /// The lowest rate all timestamps fit; a guess of libav's.
    package var realFrameRate: Ratio?
    package var fieldOrder = FieldOrder.unknown
    /// Frames of reordering delay between decoding and presentation.
    package var videoDelay = 0
    package var dolbyVision: DolbyVisionRecord?
    /// Two views coded as layers or alternating frames (MV-HEVC), not packed into one picture.
    package var hasMultiviewStereo3D = false

    // MARK: Audio
    /// Hertz, 0 when unknown.
    package var sampleRate: Int32 = 0
    package var channels = 0
    /// libav's name ("stereo", "5.1(side)").
    package var channelLayout: String?
    package var bitsPerRawSample = 0
    /// Samples a packet, 0 when it varies or is unknown.
    package var frameSize = 0
    /// Samples to drop at the start and the end, and to decode before a seek target.
    package var initialPadding = 0
    package var trailingPadding = 0
    package var seekPreroll = 0

    // MARK: Naming
    package var dispositions: StreamDispositions = []
    /// The container's tag as written ("eng", "pt-BR"); nil when absent.
    package var language: String?
    package var title: String?
    package var metadata: [String: String] = [:]
    /// The first program (MPEG-TS) this stream belongs to.
    package var programID: Int?

    /// A stream nothing is known of, to be filled in.
    package init() {}

    /// A cover or thumbnail: one picture, not a moving one.
    package var isAttachedPicture: Bool { dispositions.contains(.attachedPicture) }
}
