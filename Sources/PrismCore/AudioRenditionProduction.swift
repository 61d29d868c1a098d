internal import Remux

/// How an audio rendition of a session is produced.
public struct AudioRenditionProduction: Sendable, Equatable {
    public enum State: String, Sendable, Equatable, Codable {
        /// Its packets are served, or decoded and encoded.
        case produced
        /// Nothing of it is decoded: no client has asked for it, or its listener has gone over to another track.
        case resting
    }

    /// What went through a bridge so far. Nothing encoded yet is normal at the start.
    public struct Bridge: Sendable, Equatable {
        /// Packets given to the decoder; a few between segments are given twice.
        public let packets: Int
        /// Packets that could not be decoded.
        public let damagedPackets: Int
        public let decodedFrames: Int
        /// Frames encoded and served.
        public let encodedFrames: Int
        /// Decoders or encoders that would not open or go on.
        public let failures: Int
        /// Samples of silence served where the track had nothing.
        public let silentSamples: Int
        /// Packets went in, and nothing ever came out of the decoder: what is served is silence.
        public let producedNoAudio: Bool
    }

    /// What stands in where the track has nothing: it begins late, ends early, or pauses. Players stop for good at a segment without sound.
    public enum Padding: Sendable, Equatable {
        /// Silence of the track's own kind.
        case silence
        /// Silence of its channels: frames without the sound objects (Dolby Atmos) of the others.
        case silenceWithoutObjects
        /// Nothing, and why.
        case none(reason: String)
    }

    public let streamIndex: Int
    /// The rendition's NAME.
    public let name: String
    public let isDefault: Bool
    public let state: State
    /// `nil` for a copied track.
    public let bridge: Bridge?
    public let padding: Padding

    /// One line for a startup log: "English (default): copied; Deutsch: bridged, resting".
    public static func summary(_ productions: [AudioRenditionProduction]) -> String {
        productions.map { production in
            var words = [production.bridge == nil ? "copied" : "bridged"]
            if production.state == .resting { words.append("resting") }
            if production.bridge?.producedNoAudio ?? false { words.append("no audio came out") }
            return "\(production.name)\(production.isDefault ? " (default)" : ""): \(words.joined(separator: ", "))"
        }.joined(separator: "; ")
    }
}

extension AudioRenditionProduction.Padding {
    init(_ padding: SilencePadding) {
        switch padding {
        case .whole: self = .silence
        case .withoutObjects: self = .silenceWithoutObjects
        case .none(let reason): self = .none(reason: reason)
        }
    }
}

extension AudioRenditionProduction.Bridge {
    init(_ counts: BridgeCounts) {
        self.init(
            packets: counts.packets, damagedPackets: counts.damagedPackets, decodedFrames: counts.decodedFrames, encodedFrames: counts.encodedFrames,
            failures: counts.failures, silentSamples: counts.silentSamples, producedNoAudio: counts.producedNoAudio)
    }
}
