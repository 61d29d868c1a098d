import Foundation
import LoopbackHTTP
import PrismCore

/// The page that plays a session in a browser: four files, embedded, and what it has to know of the session.
enum PlayerPage {
    /// Relative to the playlist: in front of both may stand a token.
    static let path = "player/index.html"

    /// - Parameter asks: Whether the page is to ask its browser what it takes, and go where that leads.
    static func resources(for session: SessionDescription, asks: Bool) -> [String: Resource] {
        var resources: [String: Resource] = [:]
        let files = [
            ("index.html", "text/html; charset=utf-8", PackageResources.player_html), ("player.css", "text/css; charset=utf-8", PackageResources.player_css),
            ("player.js", "text/javascript; charset=utf-8", PackageResources.player_js),
            ("subtitles.js", "text/javascript; charset=utf-8", PackageResources.subtitles_js),
        ]
        for (name, type, bytes) in files { resources["player/\(name)"] = Resource(contentType: type, body: ResourceBody(bytes), isImmutable: false) }
        resources["player/session.json"] = json(PlayerPageDescription(session, asks: asks))
        return resources
    }

    static func json(_ value: some Encodable) -> Resource {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and lists of them can all be written.
        let bytes = (try? encoder.encode(value)).map(Array.init) ?? []
        return Resource(contentType: "application/json", body: ResourceBody(bytes), isImmutable: false)
    }

    /// What a browser answered, where a name says so: `player/target/h264,aac.json`.
    static func answers(in name: String) -> BrowserAnswers? {
        guard name.hasPrefix("player/target/"), name.hasSuffix(".json") else { return nil }
        return BrowserAnswers(String(name.dropFirst(14).dropLast(5)))
    }
}

/// What the page is told, as JSON.
struct PlayerPageDescription: Encodable {
    struct Video: Encodable {
        var codec: String
        var codecString: String?
        var profile: String?
        var width: Int
        var height: Int
        var frameRate: String?
        var dynamicRange: String
        var bitDepth: Int?
    }

    struct Audio: Encodable {
        var name: String
        var language: String?
        var codec: String
        var codecString: String?
        var channels: Int
        var isDefault: Bool
        var delivery: String
        var reason: String?
        /// A multivariant playlist with this track alone, for browsers that offer no choice of tracks.
        var playlist: String?
    }

    struct Checkpoint: Encodable {
        var phase: String
        var elapsedSeconds: Double
    }

    /// Whether the page asks its browser these questions, media types by name, and goes where `target/` and the names answered with yes lead.
    var asks: Bool
    var questions: [String: [String]]
    var title: String
    var playlist: String
    var durationSeconds: Double?
    var originSeconds: Double
    var engine: String
    var reason: String
    var container: String
    var isPlanned: Bool
    var planReason: String?
    var video: Video?
    var audio: [Audio]
    var chapters: [ChapterInfo]
    var ffmpeg: String
    var startup: [Checkpoint]

    init(_ session: SessionDescription, asks: Bool) {
        self.asks = asks
        questions = Dictionary(uniqueKeysWithValues: BrowserAnswers.Question.allCases.map { ($0.rawValue, $0.mediaTypes) })
        title = session.title
        playlist = "../" + session.playlistName
        durationSeconds = session.info.duration
        originSeconds = session.origin
        engine = session.engine.rawValue
        reason = session.reason
        container = session.info.formatName
        switch session.planOrigin {
        case .builtFromSource: isPlanned = true
        case .sequential(let why): (isPlanned, planReason) = (false, why)
        }
        video = session.info.video.map {
            Video(
                codec: $0.codec, codecString: $0.codecString, profile: $0.profile, width: $0.width, height: $0.height,
                frameRate: $0.frameRate.map { "\($0[0])/\($0[1])" }, dynamicRange: $0.dynamicRange.rawValue, bitDepth: $0.bitDepth)
        }
        audio = []
        for (track, delivery) in zip(session.info.audioTracks, session.deliveries) {
            var entry = Audio(
                name: track.title ?? track.language ?? "Audio", language: track.languageTag ?? track.language, codec: track.codec, codecString: track.codecString,
                channels: track.channels, isDefault: false, delivery: "", reason: nil, playlist: nil)
            switch delivery.route {
            case .copied(let name, let isDefault), .bridged(let name, _, _, let isDefault, _):
                let number = audio.count { $0.playlist != nil }
                (entry.name, entry.isDefault, entry.delivery) = (name, isDefault, "copy")
                if case .bridged(_, let codec, let channels, _, let reason) = delivery.route {
                    // What a browser gets is the bridge's codec; the reason names the source's.
                    (entry.delivery, entry.codec, entry.codecString, entry.channels, entry.reason) = ("bridge", codec, codec, channels, reason)
                }
                if session.display.playlist.kind != .media { entry.playlist = "../master-audio\(number).m3u8" }
            case .leftOut(let reason): (entry.delivery, entry.reason) = ("left out", reason)
            }
            audio.append(entry)
        }
        chapters = session.info.chapters
        ffmpeg = FFmpegBuild.version
        startup = session.checkpoints.map { checkpoint in
            let name =
                switch checkpoint.phase {
                case .sourceOpened: "source opened"
                case .streamInfoResolved: "tracks described"
                case .segmentPlanReady: "segments planned"
                case .firstVideoSegmentWritten: "first segment ready"
                case .playlistServable: "playlist ready"
                }
            let parts = checkpoint.elapsed.components
            return Checkpoint(phase: name, elapsedSeconds: Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
        }
    }
}
