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

        /// Seconds.
        var times: [Double] { [start, end].map { Double(ServedWords.milliseconds($0[...])) / 1000 } }

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

    /// Cues with the times a player shows them at, which count from the presentation's start: the map says where that lies on the cues' axis.
    static func cues(_ bytes: [UInt8]) -> [Cue] {
        let blocks = String(decoding: bytes, as: UTF8.self).split(separator: "\n\n")
        let start = blocks.first.flatMap { $0.split(separator: "LOCAL:").dropFirst().first }.map { milliseconds($0.prefix(12)) } ?? 0
        return blocks.dropFirst().map { block in
            let lines = block.split(separator: "\n", maxSplits: 1)
            let timing = lines[0].split(separator: " ", maxSplits: 3)
            return Cue(
                stamp(milliseconds(timing[0]) - start), stamp(milliseconds(timing[2]) - start), lines.count > 1 ? String(lines[1]) : "",
                timing.count > 3 ? String(timing[3]) : "")
        }
    }

    private static func milliseconds(_ stamp: Substring) -> Int {
        let parts = stamp.split { $0 == ":" || $0 == "." }.compactMap { Int($0) }
        return parts.count == 4 ? ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3] : .min / 2
    }

    private static func stamp(_ milliseconds: Int) -> String {
        func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
        let rest = milliseconds % 1000
        return "\(two(milliseconds / 3_600_000)):\(two(milliseconds / 60_000 % 60)):\(two(milliseconds / 1000 % 60))." + (rest < 10 ? "00" : rest < 100 ? "0" : "") + "\(rest)"
    }
}
