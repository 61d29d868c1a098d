/// How many cues a session keeps for a handler that is set late, or again.
public enum SubtitleCueHistory: Sendable, Equatable {
    /// All of them.
    case complete
    /// The newest. Both limits are at least 1. A cue's bytes are those of its text, twice (it is kept to know it again, too); one that is larger
    /// than all of it is delivered and not kept.
    case bounded(maxCues: Int, maxBytes: Int)

    /// The bound in force.
    var clamped: SubtitleCueHistory {
        guard case .bounded(let cues, let bytes) = self else { return self }
        return .bounded(maxCues: max(cues, 1), maxBytes: max(bytes, 1))
    }
}

/// What a session's cue history holds, and what it let go of.
public struct SubtitleCueHistoryStats: Sendable, Equatable {
    public var retainedCues = 0
    /// UTF-8 of text and of what a cue is known by.
    public var retainedBytes = 0
    /// Delivered, and no longer there for a handler set later.
    public var evictedCues = 0
    /// Never delivered: too many came before the presentation's start was known.
    public var droppedBeforeOrigin = 0

    public init() {}
}
