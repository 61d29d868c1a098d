import Foundation
import HLS
import PrismCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What caches are told of a session's addresses.
@Suite(.fewAtATime) struct SessionCachingTests {
    private static let film = "\(FFmpegFixture.inputs(seconds: 14)) -c:v libx264 -preset ultrafast -g 48 -c:a aac"

    private func answer(_ url: URL, _ fields: [String: String] = [:]) async throws -> HTTPURLResponse {
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let (_, response) = try await URLSession(configuration: configuration).data(for: request)
        return try #require(response as? HTTPURLResponse)
    }

    private func url(_ name: String, _ base: URL) throws -> URL { try #require(URL(string: name, relativeTo: base)).absoluteURL }

    private func playlists(_ served: ServedMedia) throws -> (master: URL, media: URL) {
        let beside = served.presentation.renditions[0].initialization
        return (try url("/master.m3u8", beside), try url("index.m3u8", beside))
    }

    @Test func addressesThatNameTheSessionAreGoodForEver() async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make("film.mkv", Self.film)
        try await ServedMedia.serve(film) { served in
            let (master, playlist) = try playlists(served)
            let media = served.presentation.renditions[0]
            let final = [playlist, try #require(media.segments.first), media.initialization]
            for address in final {
                let got = try await answer(address)
                #expect(got.value(forHTTPHeaderField: "Cache-Control") == "public, max-age=31536000, immutable")
                let tag = try #require(got.value(forHTTPHeaderField: "ETag"))
                #expect(tag.hasPrefix("\""), "strong")
                #expect(try await answer(address, ["If-None-Match": "\"x\", W/\(tag)"]).statusCode == 304)
                #expect(try await answer(address, ["If-Match": "\"x\""]).statusCode == 412)
                #expect(try await answer(address, ["Range": "bytes=0-9", "If-Range": tag]).statusCode == 206)
                #expect(try await answer(address, ["Range": "bytes=0-9", "If-Range": "\"x\""]).statusCode == 200)
                // The same by its bare name is not.
                let bare = try url("/" + address.lastPathComponent, address)
                #expect(try await answer(bare).value(forHTTPHeaderField: "Cache-Control") == "no-cache")
                #expect(try await answer(bare, ["If-None-Match": tag]).statusCode == 304)
            }
            let front = try await answer(master)
            #expect(front.value(forHTTPHeaderField: "Cache-Control") == "no-cache")
            let tag = try #require(front.value(forHTTPHeaderField: "ETag"))
            #expect(try await answer(master, ["If-None-Match": tag]).statusCode == 304)
        }
    }

    private func tags(_ addresses: [URL]) async throws -> [String] {
        var tags: [String] = []
        for address in addresses { tags.append(try #require(try await answer(address).value(forHTTPHeaderField: "ETag"))) }
        return tags
    }

    /// One session after the other at the same port. The same film may be had from what a cache kept of the first; another may not, not even one of
    /// the same name, size and plan.
    @Test func sessionsOfDifferentBytesShareNoAddressAndNoTag() async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make("film.mkv", Self.film)
        var first: (addresses: [URL], tags: [String]) = ([], [])
        var port: UInt16 = 0
        for round in 0..<3 {
            if round == 2 {
                // The last byte of the last audio frame or so: nothing that a plan or a header could show.
                var bytes = try Data(contentsOf: film)
                let end = try #require(bytes.indices.last)
                bytes[end] ^= 1
                try bytes.write(to: film)
            }
            try await ServedMedia.serve(film, options: .init(port: port)) { served in
                let (master, playlist) = try playlists(served)
                port = UInt16(master.port ?? 0)
                let addresses = [master, playlist, served.presentation.renditions[0].segments[0]]
                let tags = try await tags(addresses)
                #expect(Set(tags).count == 3)
                switch round {
                case 0: first = (addresses, tags)
                case 1: #expect(tags == first.tags && addresses == first.addresses)
                default:
                    #expect(Set(tags).isDisjoint(with: first.tags))
                    #expect(try await answer(master, ["If-None-Match": first.tags[0]]).statusCode == 200)
                    for old in first.addresses.dropFirst() { #expect(try await answer(old).statusCode == 404) }
                }
            }
        }
    }

    @Test func withoutAPlanEverySessionIsItsOwn() async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.makeUnindexed("film.avi", Self.film)
        var seen: [[URL]] = []
        for _ in 0..<2 { try await ServedMedia.serve(film) { seen.append($0.presentation.renditions.map(\.initialization)) } }
        #expect(Set(seen[0].map(\.path)).isDisjoint(with: seen[1].map(\.path)))
    }

    @Test func aGrowingPlaylistIsAskedForUntilItsEnd() async throws {
        let fixture = try FFmpegFixture()
        try await ServedMedia.serve(try await fixture.makeUnindexed("film.avi", Self.film)) { served in
            let media = try playlists(served).media
            var seen: [String: String] = [:]
            for _ in 0..<200 {
                let text = String(decoding: try await served.client.get(media), as: UTF8.self)
                let isEnded = text.contains("#EXT-X-ENDLIST")
                let got = try await answer(media)
                if isEnded {
                    #expect(got.value(forHTTPHeaderField: "Cache-Control") == "public, max-age=31536000, immutable")
                    break
                }
                if try await served.client.get(media) == Array(text.utf8) {
                    let tag = try #require(got.value(forHTTPHeaderField: "ETag"))
                    #expect(seen[tag] == nil || seen[tag] == text, "one tag, one text")
                    seen[tag] = text
                }
                for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                    _ = try await served.client.get(try url(String(line), media))
                }
            }
        }
    }
}
