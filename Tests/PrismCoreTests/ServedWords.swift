import Foundation
import HLS
import TestSupport

/// The subtitle renditions of a session as a client sees them.
struct ServedWords {
    struct Cue: Hashable, CustomStringConvertible {
        let start: String
        let end: String
        let settings: String
        let text: String

        init(_ start: String, _ end: String, _ text: String, _ settings: String = "") {
            (self.start, self.end, self.text, self.settings) = (start, end, text, settings)
        }

        var description: String { "\(start)-\(end)\(settings.isEmpty ? "" : " [\(settings)]") \(text.replacing("\n", with: "/"))" }
    }

    let rendition: MultivariantPlaylist.Rendition
    let playlist: MediaPlaylist
    let segments: [URL]

    static func renditions(of served: ServedMedia) async throws -> [ServedWords] {
        guard let master = await served.session.playlist else { return [] }
        var found: [ServedWords] = []
        for rendition in served.presentation.multivariant.renditions where rendition.type == .subtitles {
            guard let url = rendition.uri.flatMap({ URL(string: $0, relativeTo: master)?.absoluteURL }) else { continue }
            let playlist = try MediaPlaylist(parsing: String(decoding: try await served.client.get(url), as: UTF8.self))
            found.append(ServedWords(rendition: rendition, playlist: playlist, segments: playlist.segments.compactMap { URL(string: $0.uri, relativeTo: url)?.absoluteURL }))
        }
        return found
    }

    /// All cues, each once, by the first segment that lists it.
    func cues(_ served: ServedMedia) async throws -> [Cue] {
        var cues: [Cue] = []
        for segment in segments {
            for cue in Self.cues(try await served.client.get(segment)) where !cues.contains(cue) { cues.append(cue) }
        }
        return cues
    }

    static func cues(_ bytes: [UInt8]) -> [Cue] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").dropFirst().map { block in
            let lines = block.split(separator: "\n", maxSplits: 1)
            let timing = lines[0].split(separator: " ", maxSplits: 3).map(String.init)
            return Cue(timing[0], timing[2], lines.count > 1 ? String(lines[1]) : "", timing.count > 3 ? timing[3] : "")
        }
    }
}
