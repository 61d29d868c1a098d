internal import BitsAndTime
package import Libav
internal import Matroska

/// Languages of a Matroska file as its own tags have them.
///
/// libavformat reads Language, three letters that know neither regions nor scripts: `por` for both Portugueses, `chi` for both ways of writing
/// Chinese, `eng` where there is nothing. LanguageBCP47 has them, and where it is there Language does not count (RFC 9559 §5.1.4.1.20).
package enum MatroskaLanguages {
    /// Puts the tags in place of the codes. A file that cannot be read, or whose tracks are not the demuxer's, keeps the codes: no film is
    /// refused for its languages.
    package static func complete(_ streams: inout [StreamInfo], file: SourceFile) {
        let window = file.window {}
        guard let layout = try? MatroskaLayout.scan(stopsAtMedia: true, read: { offset, count in try window.copy(at: offset, count: count) }),
            let place = layout.tracks, place.payloadByteCount <= tracksLimit,
            let payload = try? window.copy(at: place.payloadOffset, count: Int(place.payloadByteCount)), let tracks = try? TrackEntry.parse(tracks: payload[...])
        else { return }
        for (kind, wanted) in [(StreamInfo.Kind.audio, TrackEntry.Kind.audio), (.subtitle, .subtitle), (.video, .video)] {
            // libavformat's streams stand in the order of the tracks; attached pictures come behind them all.
            let places = streams.indices.filter { streams[$0].kind == kind && !streams[$0].isAttachedPicture }
            let entries = tracks.filter { $0.kind == wanted }
            guard places.count == entries.count else { continue }
            for (place, entry) in zip(places, entries) {
                if let tag = entry.languageBCP47, !tag.isEmpty { streams[place].language = tag }
            }
        }
    }

    /// Real Tracks take kilobytes; fonts and covers are attachments.
    private static let tracksLimit: Int64 = 4 << 20
}
