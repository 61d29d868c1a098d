internal import Remux

/// What audio tracks that HLS players do not take are encoded to.
public enum AudioBridgeMode: String, Sendable, Equatable, Codable {
    /// E-AC-3 at 128 kbit/s a channel, 5.1 at most, for tracks of more than two channels: any receiver takes it. FLAC, which loses nothing, for others.
    case surroundCompat
    /// FLAC up to 7.1 at the source's rate, for a sink that takes as many channels of PCM.
    case lossless

    var bridgeMode: Remux.AudioBridgeMode {
        switch self {
        case .surroundCompat: .compatible
        case .lossless: .lossless
        }
    }
}
