/// What the player that will be handed the playlist can decode beyond the sure things, as data: a host states it, a test varies it.
public struct DecoderAvailability: Sendable, Equatable {
    /// A hardware AV1 decoder (on Apple systems, as VideoToolbox says).
    public var av1: Bool
    /// H.264 High 10, 4:2:2 and 4:4:4; HEVC range extensions (4:2:2, 4:4:4, 12 bit).
    public var highChromaAndDepth: Bool
    /// A player that deinterlaces by itself.
    public var interlaced: Bool

    public init(av1: Bool, highChromaAndDepth: Bool, interlaced: Bool) {
        self.av1 = av1
        self.highChromaAndDepth = highChromaAndDepth
        self.interlaced = interlaced
    }

    /// What every Apple player since 2017 takes, and nothing more.
    public static let conservative = DecoderAvailability(av1: false, highChromaAndDepth: false, interlaced: false)

    /// Players that bring their own software decoders: browsers for AV1, GStreamer, mpv and VLC for the rest.
    public static let desktop = DecoderAvailability(av1: true, highChromaAndDepth: true, interlaced: true)

    /// What this machine's own player can do. Away from Apple systems the player is another program, often on another machine, and
    /// is taken to be a desktop one.
    public static var current: DecoderAvailability {
        #if canImport(VideoToolbox)
        HardwareDecoders.availability
        #else
        .desktop
        #endif
    }
}
