internal import Remux

/// What to ask of an external display before the playlist is handed to a player: on tvOS, the host's `AVDisplayManager` gets it. An HDR variant is
/// held against the mode the panel is in, so the switch has to come first.
public struct DisplayCriteriaChoice: Sendable, Equatable, Codable {
    public enum Target: String, Sendable, Equatable, Codable {
        case dolbyVision
        case hdr10
        case hlg
        /// The range stays as it is; only the rate is to match.
        case rateOnly
    }

    public let target: Target
    /// Hz, exactly as the film has it; `nil` where its rate is not known.
    public let refreshRate: Double?

    public init(target: Target, refreshRate: Double?) {
        self.target = target
        self.refreshRate = refreshRate
    }

    /// What a film's claims ask of a display, held to what the display can do; `nil` where there is nothing to ask.
    init?(claims: VideoClaims, display: DisplayCapabilities) {
        refreshRate = claims.frameRate?.hertz
        if !display.admitsHDR {
            target = .rateOnly
        } else if claims.dolbyVision != nil, display.isDolbyVisionCapable {
            target = .dolbyVision
        } else {
            // Without a base layer the player maps the picture to the range the variant claims.
            switch claims.baseLayer?.range ?? claims.range {
            case .pq: target = .hdr10
            case .hlg: target = .hlg
            case .sdr: target = .rateOnly
            }
        }
        if target == .rateOnly, refreshRate == nil { return nil }
    }
}
