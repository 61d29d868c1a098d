/// How often a source's timestamps had to be mended. All zero for a healthy file.
public struct TimestampRepairs: Sendable, Equatable, Codable {
    /// Jumps of the source's clock taken out (sequential sessions only).
    public var discontinuities = 0
    /// Packets without any time.
    public var missingTimes = 0
    /// Times that repeated or fell within a track.
    public var repeatedTimes = 0
    /// Pictures before the first keyframe, which nothing can decode.
    public var undecodablePictures = 0
    /// Audio frames that came after their segment was out.
    public var lateAudioFrames = 0
    /// Frames of silence put where a copied audio track had nothing so far: over the session, each segment once.
    public var silentAudioFrames = 0
    /// Samples whose units overran them, cut at the last whole one; no matter of time, but of the same kind of source.
    public var cutSamples = 0
    /// Packets that held no whole unit and were left out.
    public var damagedPackets = 0

    public init() {}
}
