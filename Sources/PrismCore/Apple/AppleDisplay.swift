#if canImport(AVFoundation)
internal import AVFoundation
#if os(tvOS)
internal import AVKit
internal import UIKit
#endif

/// What the system says of the display: read, not judged.
@MainActor enum AppleDisplay {
    static var readings: DisplayReadings {
        #if os(tvOS)
        let window = UIApplication.shared.connectedScenes.lazy.compactMap { ($0 as? UIWindowScene)?.windows.first }.first
        return DisplayReadings(
            platform: .tvOS, isEligibleForHDR: AVPlayer.eligibleForHDRPlayback, modes: modes,
            isMatchingEnabled: window?.avDisplayManager.isDisplayCriteriaMatchingEnabled ?? false,
            panelIsCurrentlyHDR: UIScreen.main.currentEDRHeadroom > 1)
        #elseif os(macOS)
        return DisplayReadings(platform: .builtIn, isEligibleForHDR: AVPlayer.eligibleForHDRPlayback, modes: nil)
        #else
        return DisplayReadings(platform: .builtIn, isEligibleForHDR: AVPlayer.eligibleForHDRPlayback, modes: modes)
        #endif
    }

    #if !os(macOS)
    /// Deprecated with the 26 systems and without a successor that tells the modes apart.
    private static var modes: DisplayReadings.Modes {
        let available = AVPlayer.availableHDRModes
        var modes: DisplayReadings.Modes = []
        if available.contains(.hlg) { modes.insert(.hlg) }
        if available.contains(.hdr10) { modes.insert(.hdr10) }
        if available.contains(.dolbyVision) { modes.insert(.dolbyVision) }
        return modes
    }
    #endif
}
#endif
