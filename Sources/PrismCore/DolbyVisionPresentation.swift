internal import DolbyVision
internal import Remux

/// What to do with a film's Dolby Vision.
public enum DolbyVisionHandling: String, Sendable, Equatable, Codable {
    case automatic
    /// The base layer alone, on every display, where there is one: for a film whose Dolby Vision is wrong in a way that only a viewer can see.
    case baseLayerOnly
}

/// How a film's Dolby Vision is presented, and why.
public struct DolbyVisionPresentation: Sendable, Equatable, Codable {
    public enum Form: String, Sendable, Equatable, Codable {
        /// There is none.
        case none
        /// The sample entry, the record and the playlist all say so.
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

    init(_ route: DolbyVisionRoute?) {
        guard let route else {
            (form, reason) = (.none, "no Dolby Vision that players know")
            return
        }
        form = route.findings.contains(.claimedAsProfile5) ? .composed : route.record == nil ? .baseLayer : .signalled
        let name = "Dolby Vision \(route.sourceProfile).\(route.sourceCompatibilityID)"
        let served = route.record.map { ", served as \($0.profile).\($0.compatibilityID)" } ?? ""
        reason = ([name + served] + route.findings.map(\.description)).joined(separator: "; ")
    }
}

extension DolbyVisionPreferences {
    init(_ options: PrismCoreSession.Options) {
        self.init(
            handling: options.dolbyVisionHandling == .baseLayerOnly ? .baseLayerOnly : .automatic,
            claimsProfile5: options.forceDolbyVisionOnNonDVDisplay && !options.display.isDolbyVisionCapable,
            signalsAV1: options.display.isDolbyVisionCapable)
    }
}
