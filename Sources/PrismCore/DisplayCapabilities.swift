/// What the display that a film ends up on can show, as data: a host states it, a test varies it. On Apple systems ``current(presentsDolbyVision:)``
/// reads it off the system; where the film goes to another device (AirPlay), it is that device's display that counts, and only the host knows it.
public struct DisplayCapabilities: Sendable, Equatable, Codable {
    /// A picture of high dynamic range will be shown as such, by a display that is in that mode, switches to it or needs no switch.
    public var isHDRReady: Bool
    /// A Dolby Vision picture will be accepted as such.
    public var isDolbyVisionCapable: Bool
    /// The mode an external display was found in, after a handshake for instance; `nil`: nobody looked, or it has no modes.
    public var panelIsCurrentlyHDR: Bool?

    public init(isHDRReady: Bool, isDolbyVisionCapable: Bool, panelIsCurrentlyHDR: Bool? = nil) {
        self.isHDRReady = isHDRReady
        self.isDolbyVisionCapable = isDolbyVisionCapable
        self.panelIsCurrentlyHDR = panelIsCurrentlyHDR
    }

    /// Nothing but standard range is certain.
    public static let conservative = DisplayCapabilities(isHDRReady: false, isDolbyVisionCapable: false)

    /// Whatever the film is: for players that choose by themselves and convert what the display cannot show, as all do away from Apple systems.
    public static let unrestricted = DisplayCapabilities(isHDRReady: true, isDolbyVisionCapable: true)

    /// What a session takes that was told nothing: certain things only where a player would refuse the others.
    public static var platformDefault: DisplayCapabilities {
        #if canImport(AVFoundation)
        .conservative
        #else
        .unrestricted
        #endif
    }

    /// The display of this machine, now. Away from Apple systems ``unrestricted``.
    ///
    /// - Parameter presentsDolbyVision: A host's own knowledge that the display takes Dolby Vision, for where the system does not say (macOS).
    @MainActor public static func current(presentsDolbyVision: Bool = false) -> DisplayCapabilities {
        #if canImport(AVFoundation)
        var readings = AppleDisplay.readings
        readings.claimsDolbyVision = presentsDolbyVision
        return DisplayCapabilities(readings)
        #else
        .unrestricted
        #endif
    }

    /// Whether an HDR variant will pass: the display is ready to switch, or in that mode already. A panel that was found in standard range does
    /// not count against one that switches: it does so when asked, before the playlist is read.
    var admitsHDR: Bool { isHDRReady || panelIsCurrentlyHDR == true }
}

/// What a system says of a display, before it is judged.
struct DisplayReadings: Sendable, Equatable {
    enum Platform: Sendable, Equatable {
        /// An external panel with modes, switched over HDMI.
        case tvOS
        /// Panels that show each picture's own range without a switch.
        case builtIn
    }

    struct Modes: OptionSet, Sendable {
        let rawValue: Int
        static let hlg = Modes(rawValue: 1)
        static let hdr10 = Modes(rawValue: 2)
        static let dolbyVision = Modes(rawValue: 4)
    }

    var platform: Platform
    /// The system's own answer to whether HDR can be shown.
    var isEligibleForHDR: Bool
    /// Its table of modes; `nil` where there is none (macOS).
    var modes: Modes?
    /// Whether the viewer lets content switch the panel's mode (tvOS, Match Content).
    var isMatchingEnabled = false
    var panelIsCurrentlyHDR: Bool?
    /// The host says that the display takes Dolby Vision.
    var claimsDolbyVision = false
}

extension DisplayCapabilities {
    init(_ readings: DisplayReadings) {
        let modes = readings.modes ?? []
        switch readings.platform {
        case .tvOS:
            // The table leaves out HLG over HDMI on panels that show it: it may add to the answer, never take from it.
            let isCapable = readings.isEligibleForHDR || !modes.isEmpty
            isHDRReady = (isCapable && readings.isMatchingEnabled) || readings.panelIsCurrentlyHDR == true
        case .builtIn:
            isHDRReady = readings.isEligibleForHDR
        }
        isDolbyVisionCapable = modes.contains(.dolbyVision) || readings.claimsDolbyVision
        panelIsCurrentlyHDR = readings.panelIsCurrentlyHDR
    }
}
