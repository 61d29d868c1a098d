internal import Libav
internal import Remux
internal import SoundShaping

/// What is done to the sound of a session before it is served. A track that any of it changes is decoded and encoded, whatever the player takes:
/// object audio arrives as the channels of its bed. A track that none of it changes is served as ever.
public struct AudioShaping: Sendable, Hashable, Codable {
    /// A change of dynamics.
    public enum Compressor: String, Sendable, Hashable, Codable {
        /// For a house that sleeps: what is above −30 dBFS four to one, and all 10 dB louder.
        case night
    }

    /// Channels at most, folded as ITU-R BS.775-3 says; `nil`: as many as there are. No track gets more than it has, and a track is encoded as one with so
    /// many channels would be.
    public var maxChannels: Int?
    /// Raises dialogue by so many decibels, 0 to 12: the centre channel, or what both fronts have in common where there is none. Mono is left as it is.
    public var dialogueGainDB: Double
    /// Night mode.
    public var compressor: Compressor?

    public init(maxChannels: Int? = nil, dialogueGainDB: Double = 0, compressor: Compressor? = nil) {
        self.maxChannels = maxChannels
        self.dialogueGainDB = dialogueGainDB
        self.compressor = compressor
    }

    /// Nothing is done.
    public static let none = AudioShaping()

    /// - Parameter bedGain: Decibels that all but dialogue is raised by.
    func shaping(bedGain: Double = 0) -> Shaping {
        let gain = dialogueGainDB.isFinite ? min(max(dialogueGainDB, 0), Shaping.gains.upperBound) : 0
        return Shaping(maximumChannels: maxChannels, dialogueGain: gain, bedGain: bedGain, compression: compressor == .night ? .night : nil)
    }

    /// What becomes of a track that could be copied: sound that is changed is decoded for it.
    func routed(_ verdict: TrackAnalyzer.Verdict, of stream: StreamInfo) -> TrackAnalyzer.Verdict {
        guard case .copyable = verdict, self != .none else { return verdict }
        // Where the count alone tells no layout, the decoder will.
        let isIdle = ChannelLayout(channels: stream.channels).map { shaping().isIdle(for: Speakers(rawValue: $0.mask)) } ?? false
        return isIdle ? verdict : .bridgeable(reason: "its sound is shaped, as asked for")
    }
}

/// How far a dialogue-boost rendition lowers all that is not dialogue.
public enum DialogueBoost: String, Sendable, Hashable, Codable, CaseIterable {
    /// By 6 dB.
    case medium
    /// By 12 dB.
    case strong

    /// Decibels.
    public var bedGainDB: Double {
        switch self {
        case .medium: -6
        case .strong: -12
        }
    }

    /// Behind the NAME of the track it is made from.
    var label: String {
        switch self {
        case .medium: "Dialogue Boost"
        case .strong: "Strong Dialogue Boost"
        }
    }
}

/// A rendition that a session offers beside the track it starts with, for who finds dialogue hard to hear.
public struct DialogueBoostRendition: Sendable, Equatable {
    public let level: DialogueBoost
    /// The rendition's NAME. Its characteristic is `public.accessibility.enhances-speech-intelligibility`.
    public let name: String
    /// The track of the source it is made from.
    public let streamIndex: Int
}

extension PrismCoreSession.Options {
    /// All that changes bytes of sound and nothing else, for a session's identity.
    var soundVariation: String {
        "\(audioShaping.shaping()) \(DialogueBoost.allCases.filter(dialogueBoost.contains)) \(AudioDelay(seconds: audioDelaySeconds).seconds)"
    }
}
