internal import Remux

/// What a player takes, as data: which tracks of a film it gets as they are, what it gets of the others, and what it cannot get at all follow from
/// this, from the track and from nothing else.
///
/// Ready-made: ``apple``, ``browser(_:)`` by what the browser answers, ``desktop``. A host that knows its player better changes what it knows.
public struct PlayerCapabilities: Sendable, Hashable, Codable {
    /// Pictures that fragmented MP4 in HLS carries.
    public enum VideoCodec: String, Sendable, Hashable, Codable, CaseIterable { case h264, hevc, av1, vp9 }

    /// Sound that it carries.
    public enum AudioCodec: String, Sendable, Hashable, Codable, CaseIterable {
        /// AAC LC, with or without SBR and PS (HE-AAC).
        case aac
        /// xHE-AAC (MPEG-D USAC).
        case xheAAC
        case ac3, eac3, flac, alac, opus
    }

    /// How far a video codec is taken.
    public struct Picture: Sendable, Hashable, Codable {
        /// Bits of a sample, at most.
        public var maximumBitDepth: Int
        /// 4:2:2 and 4:4:4 as well as 4:2:0.
        public var highChroma: Bool
        /// Interlaced pictures of H.264 and HEVC, which the player deinterlaces.
        public var interlaced: Bool

        public init(maximumBitDepth: Int = 8, highChroma: Bool = false, interlaced: Bool = false) {
            self.maximumBitDepth = maximumBitDepth
            self.highChroma = highChroma
            self.interlaced = interlaced
        }
    }

    /// How far an audio codec is taken.
    public struct Sound: Sendable, Hashable, Codable {
        public var maximumChannels: Int
        /// Hz.
        public var maximumSampleRate: Int
        /// Bits of a sample, where the codec is lossless.
        public var maximumBitDepth: Int

        public init(maximumChannels: Int = 8, maximumSampleRate: Int = 192_000, maximumBitDepth: Int = 32) {
            self.maximumChannels = maximumChannels
            self.maximumSampleRate = maximumSampleRate
            self.maximumBitDepth = maximumBitDepth
        }
    }

    /// In words for reports: "Apple's players", "a browser".
    public var name: String
    public var video: [VideoCodec: Picture]
    public var audio: [AudioCodec: Sound]
    /// What sound of one or two channels that is not taken is encoded to, the best first. A bridge makes ``AudioCodec/aac``, ``AudioCodec/eac3`` and
    /// ``AudioCodec/flac``; others, and what the player does not take, are passed over.
    public var bridgesStereoTo: [AudioCodec]
    /// The same for sound of more.
    public var bridgesSurroundTo: [AudioCodec]

    public init(
        name: String, video: [VideoCodec: Picture], audio: [AudioCodec: Sound], bridgesStereoTo: [AudioCodec] = [.flac, .aac, .eac3],
        bridgesSurroundTo: [AudioCodec] = [.eac3, .aac, .flac]
    ) {
        self.name = name
        self.video = video
        self.audio = audio
        self.bridgesStereoTo = bridgesStereoTo
        self.bridgesSurroundTo = bridgesSurroundTo
    }

    // MARK: Ready-made

    /// AVPlayer: E-AC-3 and AC-3 for any receiver, FLAC and ALAC, no Opus and no VP9.
    public static let apple = apple(.conservative)

    /// AVPlayer on a system whose decoders are known, ``DecoderAvailability/current`` for instance.
    public static func apple(_ availability: DecoderAvailability) -> PlayerCapabilities {
        let high = availability.highChromaAndDepth
        var video: [VideoCodec: Picture] = [
            .h264: Picture(maximumBitDepth: high ? 14 : 8, highChroma: high, interlaced: availability.interlaced),
            .hevc: Picture(maximumBitDepth: high ? 16 : 10, highChroma: high, interlaced: true),
        ]
        if availability.av1 { video[.av1] = Picture(maximumBitDepth: 12, highChroma: true) }
        return PlayerCapabilities(
            name: "Apple's players", video: video, audio: [.aac: Sound(), .xheAAC: Sound(), .ac3: Sound(), .eac3: Sound(maximumChannels: 16), .flac: Sound(), .alac: Sound()],
            bridgesStereoTo: [.flac, .eac3], bridgesSurroundTo: [.eac3, .flac])
    }

    /// A browser, by what its page was answered. What it does not take is encoded to FLAC, or above two channels to E-AC-3 where it takes that, and else to AAC. A yes to AAC is one to 5.1: how 7.1 stands in AAC, each
    /// reads in its own way or not at all.
    public static func browser(_ answers: BrowserAnswers) -> PlayerCapabilities {
        var video: [VideoCodec: Picture] = [:]
        if answers.contains(.h264) { video[.h264] = Picture(maximumBitDepth: answers.contains(.h264High10) ? 10 : 8, interlaced: true) }
        if answers.contains(.hevc) { video[.hevc] = Picture(maximumBitDepth: answers.contains(.hevcMain10) ? 10 : 8, interlaced: true) }
        if answers.contains(.av1) { video[.av1] = Picture(maximumBitDepth: answers.contains(.av1TenBit) ? 10 : 8) }
        if answers.contains(.vp9) { video[.vp9] = Picture(maximumBitDepth: answers.contains(.vp9TenBit) ? 10 : 8) }
        var audio: [AudioCodec: Sound] = [:]
        let asked: [(BrowserAnswers.Question, AudioCodec, Sound)] = [
            (.aac, .aac, Sound(maximumChannels: 6, maximumSampleRate: 96_000)), (.xheAAC, .xheAAC, Sound()), (.ac3, .ac3, Sound()), (.eac3, .eac3, Sound()), (.flac, .flac, Sound()),
            (.alac, .alac, Sound()), (.opus, .opus, Sound()),
        ]
        for (question, codec, sound) in asked where answers.contains(question) { audio[codec] = sound }
        return PlayerCapabilities(name: "a browser", video: video, audio: audio)
    }

    /// Players that bring decoders for everything: GStreamer, mpv, VLC. All that fragmented MP4 carries is copied, and what it does not carry loses
    /// nothing.
    public static let desktop = PlayerCapabilities(
        name: "a desktop player", video: Dictionary(uniqueKeysWithValues: VideoCodec.allCases.map { ($0, Picture(maximumBitDepth: 16, highChroma: true, interlaced: true)) }),
        audio: Dictionary(uniqueKeysWithValues: AudioCodec.allCases.map { ($0, Sound(maximumChannels: 64, maximumSampleRate: 768_000)) }), bridgesStereoTo: [.flac, .aac, .eac3],
        bridgesSurroundTo: [.flac, .aac, .eac3])
}
