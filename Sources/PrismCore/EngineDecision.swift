extension PrismCoreEngine {
    public enum Engine: String, Sendable, Equatable, Codable {
        /// Remuxed into HLS for the platform's player.
        case remux
        /// Decoded by the software pipeline.
        case software
    }

    /// Which engine a source takes, and why, in words for a log.
    public struct Decision: Sendable, Equatable {
        public let engine: Engine
        public let reason: String

        public init(engine: Engine, reason: String) {
            self.engine = engine
            self.reason = reason
        }
    }

    /// Codecs that libavcodec decodes and no HLS player takes.
    static let softwareCodecs: Set<String> = [
        "vp8", "vp9", "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4v1", "msmpeg4v2", "msmpeg4v3", "wmv1", "wmv2", "wmv3", "vc1", "flv1",
        "vp6", "vp6f", "vp6a", "rv10", "rv20", "rv30", "rv40", "h263", "h263p", "theora",
    ]

    /// The engine for a source: a function of its description and of what the player can decode, and of nothing else.
    ///
    /// - Parameter isAudioBridgeAvailable: Whether sound that cannot be copied can be encoded.
    /// - Throws: ``RoutingFailure``.
    public static func decide(
        for info: SourceInfo, availability: DecoderAvailability = .current, isAudioBridgeAvailable: Bool = PrismCoreEngine.isAudioBridgeAvailable
    ) throws(RoutingFailure) -> Decision {
        try decide(for: info, availability: availability, isAudioBridgeAvailable: isAudioBridgeAvailable, hasDecoder: FFmpegBuild.hasDecoder)
    }

    static func decide(
        for info: SourceInfo, availability: DecoderAvailability, isAudioBridgeAvailable: Bool = true, hasDecoder: (String) -> Bool
    ) throws(RoutingFailure) -> Decision {
        guard let video = info.video else { throw .noVideoStream }
        if video.isEncrypted { throw .encrypted }
        func software(_ reason: String) throws(RoutingFailure) -> Decision {
            guard hasDecoder(decoderName(video.codec)) else { throw .noDecoderForVideo(codec: video.codec) }
            return Decision(engine: .software, reason: reason)
        }
        let isHigh = (video.chromaFormat.map { $0 != "4:2:0" } ?? false) || (video.bitDepth ?? 8) > (video.codec == "h264" ? 8 : 10)
        switch video.codec {
        case "h264":
            if video.isMultiview { return try software("both views of a stereoscopic film share the track (MVC); players render nothing of it") }
            if isHigh, !availability.highChromaAndDepth {
                return try software("H.264 in \(video.chromaFormat ?? "4:2:0"), \(video.bitDepth ?? 8) bit, has no decoder in the player")
            }
            if video.declaredFieldOrder == .interlaced, video.isInterlacedOnDecode != false, !availability.interlaced {
                return try software("interlaced H.264 needs a deinterlacer, which the player does not have")
            }
        case "hevc":
            if isHigh, !availability.highChromaAndDepth {
                return try software("HEVC in \(video.chromaFormat ?? "4:2:0"), \(video.bitDepth ?? 8) bit, has no decoder in the player")
            }
        case "av1":
            if !availability.av1 { return try software("the player has no AV1 decoder") }
        case let codec where softwareCodecs.contains(codec):
            return try software("\(codec) has no place in HLS")
        default:
            throw .noDecoderForVideo(codec: video.codec)
        }
        if case .unsupported(let reason) = video.readiness { return try software(reason) }
        let bridged = info.audioTracks.filter { if case .requiresAudioBridge = $0.readiness { true } else { false } }
        let isCopied = info.audioTracks.contains { if case .streamCopy = $0.readiness { true } else { false } }
        if !isAudioBridgeAvailable, !isCopied, let first = bridged.first {
            return try software("its sound (\(first.codec)) has to be encoded, and this build of FFmpeg has no encoder for that")
        }
        return Decision(engine: .remux, reason: "\(video.codec) plays natively; copied bit for bit")
    }

    /// libavcodec's decoder for a codec, where it goes by another name.
    private static func decoderName(_ codec: String) -> String {
        codec == "av1" ? FFmpegBuild.av1Decoder ?? "av1" : codec == "flv1" ? "flv" : codec == "msmpeg4v3" ? "msmpeg4" : codec
    }
}
