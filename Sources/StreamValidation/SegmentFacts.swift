internal import BitsAndTime
internal import Bitstreams

/// What was found in a media segment, its bytes no longer needed.
struct SegmentFacts: Sendable {
    /// The fragments of one track, taken together.
    struct Run: Sendable {
        let trackID: UInt32
        let media: InitializationFacts.Media
        var decodeStart: MediaTime
        var decodeEnd: MediaTime
        /// First and last instant shown, and when the sample that decoding begins with is shown; edit list taken off.
        var presentationStart: MediaTime
        var presentationEnd: MediaTime
        var openingPresentation: MediaTime
        var sampleCount = 0
        /// Longest sample.
        var longest = MediaTime.zero
        var shortest = MediaTime.zero
        /// How far presentation lies from decoding at most.
        var reordering = MediaTime.zero
        var opensOnSync = false
        /// Read off the first sample's bytes; `nil` where that cannot be done.
        var opening: RandomAccessKind?
        /// Pictures that refer behind the one the segment opens with.
        var skippedPictures = 0
    }

    let byteCount: Int
    var sequenceNumbers: [UInt32] = []
    var runs: [Run] = []

    func run(_ media: InitializationFacts.Media) -> Run? { runs.first { $0.media == media } }
}
