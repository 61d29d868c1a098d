/// Words that a session offers as a rendition of its playlist.
public struct SubtitleRendition: Sendable, Equatable {
    /// The NAME it has in the playlist; unique among them.
    public let name: String
    /// As an RFC 5646 tag; `nil` where nobody knows.
    public let language: String?
    /// The source's stream it is made of; `nil` for an external file.
    public let streamIndex: Int?
    /// Carries DEFAULT: shown from the start.
    public let isDefault: Bool
    /// Only what has to be read by who understands the sound.
    public let isForced: Bool
    public let isHearingImpaired: Bool

    public init(name: String, language: String?, streamIndex: Int?, isDefault: Bool, isForced: Bool, isHearingImpaired: Bool) {
        self.name = name
        self.language = language
        self.streamIndex = streamIndex
        self.isDefault = isDefault
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
    }
}

/// A track of words that is not offered, and why.
public struct SubtitleRefusal: Sendable, Equatable {
    public let streamIndex: Int
    public let reason: String

    public init(streamIndex: Int, reason: String) {
        self.streamIndex = streamIndex
        self.reason = reason
    }
}

/// What became of a subtitle delay that was asked for.
public enum SubtitleDelayChange: Sendable, Equatable {
    /// Nothing had been served: everything is with it.
    case inForce
    /// Segments that are fetched from now on have it; what a player holds stays as it is.
    case appliesToNewSegments
    case sessionStopped
}
