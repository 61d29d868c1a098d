internal import Libav
internal import Remux

/// The table: what becomes of a track at a player. A function of the track's description and of the player's capabilities.
///
/// | fragmented MP4 carries it | the player takes it | a decoder is here | |
/// | --- | --- | --- | --- |
/// | yes | yes | | copied |
/// | yes | no | yes | bridged, or, a picture, left to the software pipeline |
/// | no | | yes | bridged, or, a picture, left to the software pipeline |
/// | | | no | refused |
enum TrackRouting {
    // MARK: Sound

    /// What the table asks of an audio track.
    struct Sound: Sendable, Equatable {
        enum Carriage: Sendable, Equatable {
            /// Fragmented MP4 has a place for it as it is.
            case carried(PlayerCapabilities.AudioCodec)
            /// It has none, or the track lacks what has to stand there; why, in words for a report.
            case notCarried(reason: String)
            /// Nothing here can do anything with it.
            case unreadable(reason: String)
        }

        var carriage: Carriage
        /// libavcodec's name, for reports.
        var codecName: String
        var channels: Int
        var sampleRate: Int
        /// Bits of a sample; `nil` where the codec has none.
        var bitDepth: Int?
        /// Whether the build has a decoder for it.
        var isDecodable: Bool

        init(_ carriage: Carriage, codecName: String, channels: Int, sampleRate: Int = 48_000, bitDepth: Int? = nil, isDecodable: Bool = true) {
            self.carriage = carriage
            self.codecName = codecName
            self.channels = channels
            self.sampleRate = sampleRate
            self.bitDepth = bitDepth
            self.isDecodable = isDecodable
        }
    }

    enum SoundRoute: Sendable, Equatable {
        case copied
        /// To the first of the ladder that there is an encoder for; why, in words for a report.
        case bridged(BridgeLadder, reason: String)
        case refused(reason: String)
    }

    static func sound(_ track: Sound, for player: PlayerCapabilities, mode: AudioBridgeMode = .surroundCompat) -> SoundRoute {
        let reason: String
        switch track.carriage {
        case .unreadable(let why): return .refused(reason: why)
        case .notCarried(let why): reason = why
        case .carried(let codec):
            guard let limit = refusal(of: track, codec, by: player) else { return .copied }
            guard track.isDecodable else { return .refused(reason: "\(limit), and this build of FFmpeg has no decoder for it") }
            reason = limit
        }
        let ladder = ladder(of: player, mode: mode)
        guard !(track.channels > 2 ? ladder.surround : ladder.stereo).isEmpty else { return .refused(reason: "\(reason), and \(player.name) takes nothing that it could be encoded to") }
        return .bridged(ladder, reason: reason)
    }

    /// Why a player does not take a track that fragmented MP4 carries; `nil` where it does.
    private static func refusal(of track: Sound, _ codec: PlayerCapabilities.AudioCodec, by player: PlayerCapabilities) -> String? {
        guard let taken = player.audio[codec] else { return "\(track.codecName) is not taken by \(player.name)" }
        if track.channels > taken.maximumChannels { return "\(track.codecName) of \(track.channels) channels is not taken by \(player.name)" }
        if track.sampleRate > taken.maximumSampleRate { return "\(track.codecName) at \(track.sampleRate) Hz is not taken by \(player.name)" }
        if let depth = track.bitDepth, depth > taken.maximumBitDepth { return "\(track.codecName) of \(depth) bits is not taken by \(player.name)" }
        return nil
    }

    /// What a bridge makes for a player, the best first.
    static func ladder(of player: PlayerCapabilities, mode: AudioBridgeMode) -> BridgeLadder {
        func rungs(_ codecs: [PlayerCapabilities.AudioCodec]) -> [BridgeLadder.Rung] {
            let wanted = mode == .lossless ? codecs.filter { $0 == .flac } + codecs.filter { $0 != .flac } : codecs
            return wanted.compactMap { codec in
                guard let taken = player.audio[codec], let made = made[codec] else { return nil }
                return BridgeLadder.Rung(
                    made.codec, maximumChannels: min(taken.maximumChannels, made.channels), maximumSampleRate: taken.maximumSampleRate,
                    maximumBitDepth: taken.maximumBitDepth)
            }
        }
        return BridgeLadder(stereo: rungs(player.bridgesStereoTo), surround: rungs(player.bridgesSurroundTo))
    }

    /// What a bridge makes, with how many channels.
    private static let made: [PlayerCapabilities.AudioCodec: (codec: TrackCodec, channels: Int)] = [.aac: (.aac, 8), .eac3: (.eac3, 6), .flac: (.flac, 8)]

    // MARK: Pictures

    enum PictureRoute: Sendable, Equatable {
        case copied
        /// For the software pipeline, if there is a decoder; why.
        case decoded(reason: String)
        /// Nothing here knows what it is.
        case unknown
    }

    /// Codecs that libavcodec decodes and no fragmented MP4 in HLS carries.
    static let softwareCodecs: Set<String> = [
        "vp8", "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4v1", "msmpeg4v2", "msmpeg4v3", "wmv1", "wmv2", "wmv3", "vc1", "flv1",
        "vp6", "vp6f", "vp6a", "rv10", "rv20", "rv30", "rv40", "h263", "h263p", "theora",
    ]

    static func picture(_ video: VideoTrackInfo, for player: PlayerCapabilities) -> PictureRoute {
        guard let codec = PlayerCapabilities.VideoCodec(rawValue: video.codec) else {
            return softwareCodecs.contains(video.codec) ? .decoded(reason: "\(video.codec) has no place in HLS") : .unknown
        }
        if codec == .h264, video.isMultiview {
            return .decoded(reason: "both views of a stereoscopic film share the track (MVC); players render nothing of it")
        }
        let word = switch codec { case .h264: "H.264"; case .hevc: "HEVC"; case .av1: "AV1"; case .vp9: "VP9" }
        guard let taken = player.video[codec] else { return .decoded(reason: "the player has no \(word) decoder") }
        let depth = video.bitDepth ?? 8
        if depth > taken.maximumBitDepth || (video.chromaFormat.map { $0 != "4:2:0" } ?? false) && !taken.highChroma {
            return .decoded(reason: "\(word) in \(video.chromaFormat ?? "4:2:0"), \(depth) bit, has no decoder in the player")
        }
        if codec == .h264, video.declaredFieldOrder == .interlaced, video.isInterlacedOnDecode != false, !taken.interlaced {
            return .decoded(reason: "interlaced H.264 needs a deinterlacer, which the player does not have")
        }
        // What an Apple player makes of VP9 says nothing of the others.
        if codec != .vp9 || video.codecString == nil, case .unsupported(let reason) = video.readiness { return .decoded(reason: reason) }
        return .copied
    }
}

extension TrackRouting.Sound {
    /// What the analyzer found out of a track.
    init(_ stream: StreamInfo, verdict: TrackAnalyzer.Verdict) {
        switch verdict {
        case .unsuitable(let reason): self.init(.unreadable(reason: reason), codecName: stream.codecName, channels: stream.channels)
        case .bridgeable(let reason):
            self.init(.notCarried(reason: reason), codecName: stream.codecName, channels: stream.channels, sampleRate: Int(stream.sampleRate))
        case .copyable(let track):
            let description = track.description
            guard let codec = Self.codec(description) else {
                self.init(.unreadable(reason: "\(stream.codecName) is no sound"), codecName: stream.codecName, channels: stream.channels)
                return
            }
            self.init(
                .carried(codec), codecName: stream.codecName, channels: description.audio?.channels ?? stream.channels,
                sampleRate: Int(description.audio?.sampleRate ?? stream.sampleRate),
                bitDepth: stream.bitsPerRawSample > 0 && (codec == .flac || codec == .alac) ? stream.bitsPerRawSample : nil,
                isDecodable: Libav.FFmpegBuild.current.decodes(codec: stream.codecName))
        }
    }

    private static func codec(_ description: TrackDescription) -> PlayerCapabilities.AudioCodec? {
        switch description.codec {
        case .aac: description.codecString == "mp4a.40.42" ? .xheAAC : .aac
        case .ac3: .ac3
        case .eac3: .eac3
        case .flac: .flac
        case .alac: .alac
        case .opus: .opus
        case .avc, .hevc, .av1, .vp9: nil
        }
    }
}
