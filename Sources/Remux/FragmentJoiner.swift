internal import ISOBMFF

/// Writes one audio track's fragments into the video's: the segments of a presentation that is one media playlist.
///
/// A picture's fragment waits for the sound of the same segment. One `moof` holds a `traf` for each and one `mdat` the bytes of both, picture
/// first (ISO/IEC 14496-12:2022 §8.8; RFC 8216 §3.3): players read a segment whole, so nothing is gained by interleaving further.
struct FragmentJoiner: Sendable {
    static let audioTrackID: UInt32 = 2

    private var pictures: [MediaFragment] = []
    private var sound: [Int: MediaFragment] = [:]

    /// - Parameter fragments: Of the video and one audio rendition, each in order.
    /// - Returns: Fragments of the video, in order, that hold both.
    mutating func join(_ fragments: [MediaFragment]) -> [MediaFragment] {
        for fragment in fragments {
            if fragment.rendition == .video { pictures.append(fragment) } else { sound[fragment.index] = fragment }
        }
        var joined: [MediaFragment] = []
        while let picture = pictures.first, let heard = sound.removeValue(forKey: picture.index) {
            pictures.removeFirst()
            joined.append(Self.write(picture, with: heard))
        }
        return joined
    }

    /// The source has ended: what waits goes out with the sound there is.
    mutating func finish(_ fragments: [MediaFragment]) -> [MediaFragment] {
        var joined = join(fragments)
        for picture in pictures { joined.append(sound[picture.index].map { Self.write(picture, with: $0) } ?? picture) }
        (pictures, sound) = ([], [:])
        return joined
    }

    private static func write(_ picture: MediaFragment, with heard: MediaFragment) -> MediaFragment {
        guard let first = picture.movieFragment, var second = heard.movieFragment else { return picture }
        second.trackID = audioTrackID
        let header = MovieFragment.serializedHeader(of: [first, second])
        var content = FragmentContent(header)
        for part in [picture, heard] {
            for piece in part.content.dropping(header: part.headerByteCount).pieces { content.append(piece) }
        }
        return MediaFragment(
            rendition: .video, index: picture.index, content: content, start: picture.start, duration: picture.duration, sampleCount: picture.sampleCount)
    }
}
