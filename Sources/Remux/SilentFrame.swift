package import Bitstreams

/// One coded frame that decodes to silence, of a copied track's own kind: rate, channels, depth and length agree with its sample entry.
package enum SilentFrame: Sendable, Equatable {
    /// The same bytes in every place.
    case coded([UInt8])
    /// Numbered by its place.
    case flac(FLACSilence)

    /// - Parameter offset: Samples from the track's first frame to this one.
    package func payload(at offset: Int64) -> [UInt8] {
        switch self {
        case .coded(let bytes): bytes
        case .flac(let silence): silence.frame(at: offset)
        }
    }
}

/// What a track's holes are filled with.
package enum SilencePadding: Sendable, Equatable {
    /// Frames of the track's own kind.
    case whole
    /// Frames of its channels, without the sound objects that others of its frames carry.
    case withoutObjects
    /// Nothing: its holes stay holes.
    case none(reason: String)
}
