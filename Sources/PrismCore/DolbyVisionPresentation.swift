internal import Remux

/// What to do with a film's Dolby Vision.
public enum DolbyVisionHandling: String, Sendable, Equatable, Codable {
    case automatic
    /// The base layer alone, on every display, where there is one: for a film whose Dolby Vision is wrong in a way that only a viewer can see.
    case baseLayerOnly
}

/// How a film's Dolby Vision is presented on a display, and why.
public struct DolbyVisionPresentation: Sendable, Equatable, Codable {
    public enum Form: String, Sendable, Equatable, Codable {
        /// There is none, or none that a player knows.
        case none
        /// As it is: the sample entry, the record and the playlist all say so.
        case signalled
        /// As if there were none.
        case baseLayer
        /// Profile 8.1 under profile 5's signalling, so that the player itself applies the metadata to the picture. Nothing but the container's
        /// claim changes.
        case composed
    }

    public let form: Form
    /// In words for a log.
    public let reason: String

    /// - Parameters:
    ///   - claims: The film's, after any conversion: profile 7 comes here as the 8.1 it is served as.
    ///   - forcesComposition: See ``PrismCoreSession/Options/forceDolbyVisionOnNonDVDisplay``.
    init(claims: VideoClaims, handling: DolbyVisionHandling, forcesComposition: Bool, display: DisplayCapabilities) {
        guard let record = claims.dolbyVision else {
            (form, reason) = (.none, "no Dolby Vision that players know")
            return
        }
        let hasBase = claims.baseLayer != nil
        let name = "Dolby Vision \(record.profile).\(record.compatibilityID)"
        switch handling {
        case .baseLayerOnly where hasBase:
            (form, reason) = (.baseLayer, "\(name): the host wants its base layer alone")
        case .baseLayerOnly:
            (form, reason) = (.signalled, "\(name) has no base layer to present, so it stays as it is")
        case .automatic where record.profile == 10 && hasBase && !display.isDolbyVisionCapable:
            (form, reason) = (.baseLayer, "\(name): nobody says that the display takes it from AV1")
        case .automatic where forcesComposition && !display.isDolbyVisionCapable && record.profile == 8 && record.compatibilityID == 1:
            (form, reason) = (.composed, "\(name) under profile 5's signalling, as the host wants on a display without Dolby Vision")
        case .automatic:
            (form, reason) = (.signalled, "\(name), as on every display")
        }
    }

    /// What is claimed then.
    func applied(to claims: VideoClaims) -> VideoClaims {
        switch form {
        case .none, .signalled: return claims
        case .baseLayer: return claims.base ?? claims
        case .composed:
            var composed = claims
            let level = claims.dolbyVision?.level ?? 0
            composed.codecString = "dvh1.05." + (level < 10 ? "0\(level)" : "\(level)")
            composed.supplementalCodecs = []
            composed.dolbyVision = .init(profile: 5, level: level, compatibilityID: 0)
            return composed
        }
    }
}
