internal import Remux

/// Which playlist a session serves, and why. Players hold a variant's claims against the display and refuse the whole multivariant playlist
/// (RFC 8216 calls it master) over one they do not like; a media playlist claims nothing and is taken by all.
public struct PlaylistDecision: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Equatable, Codable {
        /// All audio tracks to choose from, and everything that is known of the picture.
        case multivariant
        /// The same without SUPPLEMENTAL-CODECS: Dolby Vision 8.1 as plain HDR10.
        case reducedMultivariant
        /// One media playlist: the picture and one audio track in the same segments.
        case media
    }

    public enum Cause: String, Sendable, Equatable, Codable {
        case standardRange
        case displayTakesRange
        /// The host asked for it, by ``PrismCoreSession/Options/forceMuxedShape`` or by a fallback.
        case mediaWanted
        case reducedWanted
        /// A reduced playlist was wanted, and the full one has nothing to leave out: it would be the one that failed.
        case nothingToReduce
        /// An HDR variant, and a display in standard range that will not switch (AVFoundation's -11848).
        case displayNotReadyForHDR
        /// A picture that only Dolby Vision decoders show, and a display without (-11868).
        case displayWithoutDolbyVision
        /// An HDR variant without FRAME-RATE is left out as the playlist is read, and none remains (-1002).
        case frameRateUnknown
    }

    public let kind: Kind
    public let cause: Cause

    /// - Parameters:
    ///   - claims: What would be said of the picture.
    init(claims: VideoClaims, display: DisplayCapabilities, wantsMedia: Bool = false, wantsReduced: Bool = false) {
        let isHDR = claims.range != .sdr
        if wantsMedia {
            (kind, cause) = (.media, .mediaWanted)
        } else if isHDR || claims.needsDolbyVision, !display.admitsHDR {
            (kind, cause) = (.media, .displayNotReadyForHDR)
        } else if claims.needsDolbyVision, !display.isDolbyVisionCapable {
            (kind, cause) = (.media, .displayWithoutDolbyVision)
        } else if isHDR, claims.frameRate == nil {
            (kind, cause) = (.media, .frameRateUnknown)
        } else if wantsReduced {
            (kind, cause) = claims.reduced == nil ? (.media, .nothingToReduce) : (.reducedMultivariant, .reducedWanted)
        } else {
            (kind, cause) = (.multivariant, isHDR ? .displayTakesRange : .standardRange)
        }
    }

    /// In words for a log.
    public var reason: String {
        switch cause {
        case .standardRange: "standard range, which every display takes"
        case .displayTakesRange: "the display takes its range"
        case .mediaWanted: "one media playlist was asked for"
        case .reducedWanted: "a playlist without Dolby Vision was asked for"
        case .nothingToReduce: "a playlist without Dolby Vision was asked for, and there is none to leave out"
        case .displayNotReadyForHDR: "the display is not ready for HDR, and a player refuses to offer it (-11848)"
        case .displayWithoutDolbyVision: "the picture is Dolby Vision alone and the display has none: a player refuses to offer it (-11868)"
        case .frameRateUnknown: "an HDR picture of unknown frame rate is left out by players, and nothing remains (-1002)"
        }
    }

    /// What is claimed then: a media playlist claims nothing, but the init segment says what it did.
    func applied(to claims: VideoClaims) -> VideoClaims { kind == .reducedMultivariant ? claims.reduced ?? claims : claims }
}
