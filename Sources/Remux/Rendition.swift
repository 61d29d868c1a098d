package import BitsAndTime
internal import ISOBMFF

/// Names one rendition of a session: the video, or one audio track by its place in the source's audio list.
package enum RenditionID: Sendable, Hashable, Comparable, CustomStringConvertible {
    case video
    case audio(Int)

    /// Folder prefix of the rendition's resources, as hosts of the seeds' engine know them: none for video, `audio0/` for audio.
    package var directory: String {
        switch self {
        case .video: ""
        case .audio(let n): "audio\(n)/"
        }
    }

    package var description: String {
        switch self {
        case .video: "video"
        case .audio(let n): "audio\(n)"
        }
    }
}

/// One rendition as it is served: its track's description, its clock, and its init segment.
package struct Rendition: Sendable {
    package let id: RenditionID
    package let track: TrackDescription
    /// Ticks a second of this rendition's media timeline.
    package let timescale: Int32
    /// See ``FragmentBuilder/presentationOffset``.
    package let presentationOffset: Int64
    /// See ``FragmentBuilder/decodeDelay``.
    package let decodeDelay: Int64
    /// `ftyp` and `moov`.
    package let initialization: [UInt8]
    /// Presentation time of the track's first sample, source axis; `nil` when none was seen at open.
    package let firstPresentation: MediaTime?
    /// Length of one audio frame; zero for video.
    package let frameDuration: MediaTime
    /// Fills this track's holes; `nil` for video, for tracks that are encoded here, and where there is no silent frame.
    package let silence: SilenceFiller?
    /// What its holes are filled with.
    package let padding: SilencePadding

    package init(
        id: RenditionID, track: TrackDescription, timescale: Int32, presentationOffset: Int64, decodeDelay: Int64, initialization: [UInt8],
        firstPresentation: MediaTime?, frameDuration: MediaTime, silence: SilenceFiller? = nil, padding: SilencePadding = .whole
    ) {
        self.silence = silence
        self.padding = padding
        self.id = id
        self.track = track
        self.timescale = timescale
        self.presentationOffset = presentationOffset
        self.decodeDelay = decodeDelay
        self.initialization = initialization
        self.firstPresentation = firstPresentation
        self.frameDuration = frameDuration
    }

    /// The video as it is served where one audio track's fragments are written into its own (see ``FragmentJoiner``).
    package func joining(_ audio: Rendition) -> Rendition {
        Rendition(
            id: id, track: track, timescale: timescale, presentationOffset: presentationOffset, decodeDelay: decodeDelay,
            initialization: Self.joined(initialization, with: audio), firstPresentation: firstPresentation, frameDuration: frameDuration, silence: silence)
    }

    /// An init segment of the picture's with that of an audio rendition as its second track.
    static func joined(_ initialization: [UInt8], with audio: Rendition) -> [UInt8] {
        do throws(ParseError) {
            var second = try InitializationSegment(parsing: audio.initialization)
            second.trackID = FragmentJoiner.audioTrackID
            return InitializationSegment.serialized([try InitializationSegment(parsing: initialization), second])
        } catch {
            // Both were written here, and what is written parses.
            return initialization
        }
    }

    var builder: FragmentBuilder { FragmentBuilder(rendition: id, timescale: timescale, presentationOffset: presentationOffset, decodeDelay: decodeDelay) }
}
