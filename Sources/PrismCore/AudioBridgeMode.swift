/// What audio tracks that the player does not take are encoded to.
public enum AudioBridgeMode: String, Sendable, Equatable, Codable {
    /// What ``PlayerCapabilities`` prefers. For Apple's players E-AC-3 at 128 kbit/s a channel, 5.1 at most, for tracks of more than two channels: any
    /// receiver takes it; and FLAC, which loses nothing, for others. For browsers AAC and FLAC.
    case surroundCompat
    /// FLAC up to 7.1 at the source's rate, for a sink that takes as many channels of PCM.
    case lossless
}
