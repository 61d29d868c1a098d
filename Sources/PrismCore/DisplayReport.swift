internal import Remux

/// What a session decided about the display it was built for, and what it claims: no fallback is silent.
public struct DisplayReport: Sendable, Equatable, Codable {
    public let display: DisplayCapabilities
    /// Where the session comes from: a host, or a session that a player refused.
    public let origin: PrismCoreSession.Origin
    public let dolbyVision: DolbyVisionPresentation
    public let playlist: PlaylistDecision
    public let criteria: DisplayCriteriaChoice?
    /// CODECS of the picture, SUPPLEMENTAL-CODECS, VIDEO-RANGE and FRAME-RATE in Hz. Only a multivariant playlist has the place to say them.
    public let codec: String
    public let supplementalCodecs: [String]
    public let videoRange: String
    public let frameRate: Double?

    init(claims presented: VideoClaims, dolbyVision route: DolbyVisionRoute?, options: PrismCoreSession.Options, origin: PrismCoreSession.Origin) {
        display = options.display
        self.origin = origin
        dolbyVision = DolbyVisionPresentation(route)
        playlist = PlaylistDecision(
            claims: presented, display: options.display, wantsMedia: options.forceMuxedShape, wantsReduced: options.reducesMaster)
        let served = playlist.applied(to: presented)
        // What the film is, not what the playlist has room to say: the panel's mode comes first.
        criteria = DisplayCriteriaChoice(claims: served, display: options.display)
        codec = served.codecString
        supplementalCodecs = served.supplementalCodecs
        videoRange = served.range.rawValue
        frameRate = served.frameRate?.hertz
    }

    /// What the playlist says, of a film that claims this.
    func served(_ claims: VideoClaims) -> VideoClaims { playlist.applied(to: claims) }
}
