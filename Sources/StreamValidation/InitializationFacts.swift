internal import BitsAndTime
internal import Bitstreams
internal import ISOBMFF

/// What an init segment says of its tracks, read one part at a time so that a fault in one leaves the others to look at.
struct InitializationFacts: Sendable {
    enum Media: Sendable, Equatable {
        case video, audio, text, other
    }

    struct Edit: Sendable, Equatable {
        let durationTicks: UInt64
        /// -1: an empty edit.
        let mediaTime: Int64
        let rate: UInt32
    }

    struct Track: Sendable {
        var id: UInt32 = 0
        var timescale: Int32 = 0
        var media = Media.other
        var format = "none"
        /// As RFC 6381 writes it; `nil` where the configuration cannot be read or is not known here.
        var codec: String?
        var visual: VisualSampleEntry?
        var audio: AudioSampleEntry?
        /// Codec of the pictures and how their units lie, where sync samples can be told from their bytes.
        var pictures: (codec: RandomAccess.Codec, framing: NALUnitFraming)?
        /// Of the parameter sets.
        var codedSize: (width: Int, height: Int)?
        /// transfer_characteristics: the parameter sets', else the `colr` box's.
        var transfer: Int?
        var channels: Int?
        var edits: [Edit] = []
        /// 16.16 of `tkhd`, whole part.
        var displayWidth = 0
        var displayHeight = 0

        /// What the edit list takes off composition times, in ticks; what an empty edit adds is not counted.
        var presentationOffset: Int64 { edits.first { $0.mediaTime >= 0 }?.mediaTime ?? 0 }
        /// Length of an empty edit at the start, in ticks of the movie.
        var leadingEmptyTicks: UInt64 { edits.first.map { $0.mediaTime < 0 ? $0.durationTicks : 0 } ?? 0 }
    }

    var brands: Set<String> = []
    var tracks: [Track] = []
    /// Tracks with a header too broken to go by.
    var unreadableTracks = 0
    var movieTimescale: UInt32 = 0
    var defaults: [UInt32: TrackExtends] = [:]

    func track(_ id: UInt32) -> Track? { tracks.first { $0.id == id } }

    /// The earliest presentation time is this much after composition time zero of a track.
    func presentationShift(of track: Track) -> MediaTime {
        let taken = MediaTime(ticks: -track.presentationOffset, timescale: max(track.timescale, 1))
        guard track.leadingEmptyTicks > 0, let scale = Int32(exactly: movieTimescale), scale > 0 else { return taken }
        return taken + MediaTime(ticks: Int64(clamping: track.leadingEmptyTicks), timescale: scale)
    }
}
