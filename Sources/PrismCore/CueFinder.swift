internal import BitsAndTime
internal import Remux
internal import SubtitleRenditions

/// Who finds the cues of a subtitle rendition.
enum CueFinder: Sendable {
    /// Read beside the film.
    case reader(CueReader, track: Int)
    /// Handed over by the film's producer.
    case sequential(SequentialCues, streamIndex: Int, lane: Int)
    /// From a file whose zero is the presentation's.
    case file(ExternalCues)
}
