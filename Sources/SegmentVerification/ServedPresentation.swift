package import Foundation
package import HLS

/// A multivariant playlist and the media playlists it names, or one media playlist by itself, read from a server.
package struct ServedPresentation: Sendable {
    /// One rendition: its playlist, and where its init segment and segments are.
    package struct Rendition: Sendable {
        package let name: String
        package let isVideo: Bool
        package let language: String?
        package let playlist: MediaPlaylist
        package let initialization: URL
        package let segments: [URL]
        /// Init segments after the first, by the segment each applies from.
        package let renewals: [Int: URL]
    }

    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notText(path: String)
        case noVariant
        case noInitialization(path: String)

        package var description: String {
            switch self {
            case .notText(let path): "\(path) is not UTF-8"
            case .noVariant: "the multivariant playlist has no variant"
            case .noInitialization(let path): "\(path) has no EXT-X-MAP"
            }
        }
    }

    /// Of a media playlist by itself: one variant that claims nothing.
    package let multivariant: MultivariantPlaylist
    package let renditions: [Rendition]

    /// Reads the playlists once. A playlist that still grows is followed by fetching the segments it lists, until it ends.
    package init(url: URL, client: HTTPClient) async throws {
        let text = try await Self.text(url, client)
        if text.contains("#EXTINF") || text.contains("#EXT-X-TARGETDURATION") {
            multivariant = MultivariantPlaylist(
                version: 7, isIndependent: false, renditions: [], variants: [.init(bandwidth: 1, codecs: [], uri: url.lastPathComponent)])
        } else {
            multivariant = try MultivariantPlaylist(parsing: text)
        }
        guard let variant = multivariant.variants.first else { throw Failure.noVariant }
        var renditions = [try await Self.rendition("video", isVideo: true, language: nil, uri: variant.uri, base: url, client)]
        for media in multivariant.renditions where media.type == .audio {
            guard let uri = media.uri else { continue }
            renditions.append(try await Self.rendition(media.name, isVideo: false, language: media.language, uri: uri, base: url, client))
        }
        self.renditions = renditions
    }

    private static func rendition(
        _ name: String, isVideo: Bool, language: String?, uri: String, base: URL, _ client: HTTPClient
    ) async throws -> Rendition {
        guard let url = URL(string: uri, relativeTo: base)?.absoluteURL else { throw Failure.noInitialization(path: uri) }
        var playlist = try MediaPlaylist(parsing: try await text(url, client))
        var fetched = 0
        while !playlist.isEnded, fetched < playlist.segments.count {
            for segment in playlist.segments[fetched...] {
                if let segmentURL = URL(string: segment.uri, relativeTo: url) { _ = try await client.get(segmentURL.absoluteURL) }
            }
            fetched = playlist.segments.count
            for _ in 0..<200 where playlist.segments.count == fetched && !playlist.isEnded {
                try await Task.sleep(for: .milliseconds(25))
                playlist = try MediaPlaylist(parsing: try await text(url, client))
            }
        }
        guard let map = playlist.map.flatMap({ URL(string: $0, relativeTo: url)?.absoluteURL }) else { throw Failure.noInitialization(path: url.path) }
        let segments = playlist.segments.compactMap { URL(string: $0.uri, relativeTo: url)?.absoluteURL }
        var renewals: [Int: URL] = [:]
        for (index, segment) in playlist.segments.enumerated() { renewals[index] = segment.map.flatMap { URL(string: $0, relativeTo: url)?.absoluteURL } }
        return Rendition(
            name: name, isVideo: isVideo, language: language, playlist: playlist, initialization: map, segments: segments, renewals: renewals)
    }

    private static func text(_ url: URL, _ client: HTTPClient) async throws -> String {
        guard let text = String(validating: try await client.get(url), as: UTF8.self) else { throw Failure.notText(path: url.path) }
        return text
    }
}
