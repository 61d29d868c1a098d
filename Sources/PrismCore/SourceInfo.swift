/// What a source is: a value a host can keep, compare and test against.
public struct SourceInfo: Sendable, Equatable, Codable {
    /// libavformat's name for the container, `matroska,webm` for instance.
    public var formatName: String
    /// Seconds; `nil` where the container does not say (a live source, a pipe).
    public var duration: Double?
    /// Where presentation begins on the source's own clock, seconds.
    public var startTime: Double?
    /// Bits a second of the whole; `nil` where unknown.
    public var bitRate: Int64?
    /// The picture that plays; attached cover art is none.
    public var video: VideoTrackInfo?
    public var audioTracks: [AudioTrackInfo]
    public var subtitleTracks: [SubtitleTrackInfo]
    public var chapters: [ChapterInfo]
    /// `nil` where nobody looked (`SourceProbe.open(url:hdr10Plus:)`). What was found changes nothing about how the source plays: the
    /// metadata rides along in the bitstream either way.
    public var hdr10Plus: DynamicMetadataFinding?
    /// HDR Vivid (T/UWA 005.1), from the same look.
    public var hdrVivid: DynamicMetadataFinding?

    public init(
        formatName: String, duration: Double? = nil, startTime: Double? = nil, bitRate: Int64? = nil, video: VideoTrackInfo? = nil,
        audioTracks: [AudioTrackInfo] = [], subtitleTracks: [SubtitleTrackInfo] = [], chapters: [ChapterInfo] = []
    ) {
        self.formatName = formatName
        self.duration = duration
        self.startTime = startTime
        self.bitRate = bitRate
        self.video = video
        self.audioTracks = audioTracks
        self.subtitleTracks = subtitleTracks
        self.chapters = chapters
    }
}

/// How a track reaches a native player.
public enum NativeReadiness: Sendable, Equatable, Codable {
    /// Bit for bit.
    case streamCopy
    /// Decoded and encoded; the picture never is.
    case requiresAudioBridge(reason: String)
    /// Not at all on the remux path.
    case unsupported(reason: String)

    public var isStreamCopy: Bool { self == .streamCopy }
}

/// One chapter, in seconds on the presentation axis.
public struct ChapterInfo: Sendable, Equatable, Codable {
    public var title: String?
    public var start: Double
    /// `nil` where the container gives none: until the next one.
    public var end: Double?

    public init(title: String?, start: Double, end: Double?) {
        self.title = title
        self.start = start
        self.end = end
    }
}
