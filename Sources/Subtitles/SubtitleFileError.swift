package import Libav

/// Why an external file gave no subtitles.
package enum SubtitleFileError: Error, Sendable, Hashable {
    /// More bytes than the limit; that many.
    case tooLarge(Int)
    /// More cues or tracks than the limits.
    case tooMany(String)
    /// Nothing this package knows how to read, or nothing of subtitles in it.
    case notSubtitles
    /// A stream was asked for that is not there, or holds no subtitles.
    case noSuchStream(Int)
    /// The file is of a known format and damaged.
    case malformed(String)
    case libav(LibavError)
}
