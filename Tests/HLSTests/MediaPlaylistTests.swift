import BitsAndTime
import HLS
import Testing
import TestSupport

struct MediaPlaylistTests {
    private static func playlist(_ type: MediaPlaylist.PlaylistType?, ended: Bool, starts: Bool = false) -> MediaPlaylist {
        MediaPlaylist(
            version: 7, targetDurationSeconds: 6, mediaSequenceNumber: type == nil ? 12 : 0, playlistType: type, map: "v/init.mp4",
            segments: [
                .init(uri: "v/0.m4s", duration: MediaTime(ticks: 6_006_000, timescale: 1_000_000)),
                .init(uri: "v/1.m4s", duration: MediaTime(ticks: 5, timescale: 1), isDiscontinuity: true),
                .init(uri: "v/2.m4s?a=1,b=%22", duration: MediaTime(ticks: 41_708, timescale: 1_000_000)),
            ], isEnded: ended, isIndependent: true, startsAtBeginning: starts)
    }

    @Test func roundTrip() throws {
        for playlist in [Self.playlist(.vod, ended: true), Self.playlist(.event, ended: false, starts: true), Self.playlist(nil, ended: false)] {
            let text = playlist.serialized()
            let parsed = try MediaPlaylist(parsing: text)
            #expect(parsed == playlist && parsed.serialized() == text)
            #expect(try MediaPlaylist(parsing: text.split(separator: "\n").joined(separator: "\r\n")) == playlist)
        }
    }

    @Test func linesInTheOrderOfTheStandard() {
        #expect(
            Self.playlist(.vod, ended: true).serialized() == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MAP:URI="v/init.mp4"
                #EXTINF:6.006,
                v/0.m4s
                #EXT-X-DISCONTINUITY
                #EXTINF:5.000,
                v/1.m4s
                #EXTINF:0.041708,
                v/2.m4s?a=1,b=%22
                #EXT-X-ENDLIST

                """)
    }

    @Test func foreignPlaylist() throws {
        let parsed = try MediaPlaylist(parsing: """
            #EXTM3U
            # a comment
            #EXT-X-TARGETDURATION:10
            #EXT-X-FUTURE-TAG:7

            #EXTINF:9.009,A title, with a comma
            http://media.example.com/first.ts
            #EXTINF:3
            third.ts
            """)
        #expect(parsed.version == 1 && parsed.segments.map(\.uri) == ["http://media.example.com/first.ts", "third.ts"])
        #expect(parsed.segments[0].duration == MediaTime(ticks: 9009, timescale: 1000) && !parsed.isEnded && parsed.playlistType == nil)
    }

    @Test func brokenRulesAreNamedWithTheirLine() {
        func line(_ text: String) -> Int? {
            do throws(PlaylistError) {
                _ = try MediaPlaylist(parsing: text)
                return nil
            } catch {
                return error.line
            }
        }
        #expect(line("") == 1 && line("#EXTINF:1,\na.ts") == 1)
        #expect(line("#EXTM3U\n#EXTINF:1,\na.ts") == 1)  // no target duration
        #expect(line("#EXTM3U\n#EXT-X-TARGETDURATION:1\na.ts") == 3)
        #expect(line("#EXTM3U\n#EXT-X-TARGETDURATION:x") == 2 && line("#EXTM3U\n#EXT-X-TARGETDURATION:-1") == 2)
        #expect(line("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:-1,\na.ts") == 3)
        #expect(line("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts") == nil)
    }

    @Test func onlyLineFeedsEndLines() throws {
        let parsed = try MediaPlaylist(parsing: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,one\u{2028}two\na.ts\n")
        #expect(parsed.segments.map(\.uri) == ["a.ts"])
    }

    @Test func damageNeverTraps() {
        for bytes in Damage.all(of: Array(Self.playlist(.vod, ended: true).serialized().utf8), mutations: 2000) {
            if let parsed = try? MediaPlaylist(parsing: String(decoding: bytes, as: UTF8.self)) { _ = parsed.serialized() }
        }
    }
}
