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

    /// The engine for a source: a function of its description and of what the player can decode, and of nothing else.
    ///
    /// - Parameter isAudioBridgeAvailable: Whether sound that cannot be copied can be encoded.
    /// - Throws: ``RoutingFailure``.
    public static func decide(
        for info: SourceInfo, availability: DecoderAvailability = .current, isAudioBridgeAvailable: Bool = PrismCoreEngine.isAudioBridgeAvailable
    ) throws(RoutingFailure) -> Decision {
        try decide(for: info, capabilities: .apple(availability), isAudioBridgeAvailable: isAudioBridgeAvailable, hasDecoder: FFmpegBuild.hasDecoder)
    }

    /// The same for a player that is known by its capabilities.
    ///
    /// - Throws: ``RoutingFailure``.
    public static func decide(for info: SourceInfo, capabilities: PlayerCapabilities) throws(RoutingFailure) -> Decision {
        try decide(for: info, capabilities: capabilities, hasDecoder: FFmpegBuild.hasDecoder)
    }

    static func decide(
        for info: SourceInfo, capabilities: PlayerCapabilities, isAudioBridgeAvailable: Bool = PrismCoreEngine.isAudioBridgeAvailable,
        hasDecoder: (String) -> Bool
    ) throws(RoutingFailure) -> Decision {
        guard let video = info.video else { throw .noVideoStream }
        if video.isEncrypted { throw .encrypted }
        switch TrackRouting.picture(video, for: capabilities) {
        case .copied:
            if !isAudioBridgeAvailable, let sound = bridgedAlone(info) {
                guard hasDecoder(decoderName(video.codec)) else { throw .noDecoderForVideo(codec: video.codec) }
                return Decision(engine: .software, reason: "its sound (\(sound)) has to be encoded, and this build of FFmpeg has no encoder for that")
            }
            return Decision(engine: .remux, reason: "\(video.codec) plays natively; copied bit for bit")
        case .decoded(let reason):
            guard hasDecoder(decoderName(video.codec)) else { throw .noDecoderForVideo(codec: video.codec) }
            return Decision(engine: .software, reason: reason)
        case .unknown: throw .noDecoderForVideo(codec: video.codec)
        }
    }

    /// The first track's codec of a film whose sound can only be encoded.
    private static func bridgedAlone(_ info: SourceInfo) -> String? {
        guard !info.audioTracks.contains(where: \.readiness.isStreamCopy) else { return nil }
        return info.audioTracks.first { if case .requiresAudioBridge = $0.readiness { true } else { false } }?.codec
    }

    /// libavcodec's decoder for a codec, where it goes by another name.
    private static func decoderName(_ codec: String) -> String {
        codec == "av1" ? FFmpegBuild.av1Decoder ?? "av1" : codec == "flv1" ? "flv" : codec == "msmpeg4v3" ? "msmpeg4" : codec
    }
}
