import HLS
import Testing
import TestSupport

struct MultivariantPlaylistTests {
    private static let playlist = MultivariantPlaylist(
        version: 7, isIndependent: true,
        renditions: [
            .init(type: .audio, groupID: "aac", name: "Česky", language: "cs", isDefault: true, isAutoselect: true, channels: "2", uri: "a/cs.m3u8"),
            .init(
                type: .audio, groupID: "aac", name: "Commentary", language: "en", characteristics: ["public.accessibility.describes-video", "public.x"], channels: "16/JOC",
                uri: "a/en.m3u8"),
            .init(type: .subtitles, groupID: "subs", name: "Forced", language: "en", isAutoselect: true, isForced: true, uri: "s/en.m3u8"),
            .init(type: .closedCaptions, groupID: "cc", name: "CC1", instreamID: "CC1"),
        ],
        variants: [
            .init(
                bandwidth: 8_000_000, averageBandwidth: 5_000_000, codecs: ["hvc1.2.4.L150.90", "mp4a.40.2"], supplementalCodecs: ["dvh1.08.07/db1p"],
                resolution: .init(width: 3840, height: 2160), frameRate: .init(numerator: 25, denominator: 1), videoRange: "PQ", audioGroup: "aac",
                subtitleGroup: "subs", closedCaptions: .group("cc"), uri: "v/0.m3u8"),
            .init(bandwidth: 128_000, codecs: ["mp4a.40.2"], audioGroup: "aac", closedCaptions: MultivariantPlaylist.ClosedCaptions.none, uri: "a/cs.m3u8"),
        ])

    @Test func roundTrip() throws {
        let text = Self.playlist.serialized()
        let parsed = try MultivariantPlaylist(parsing: text)
        #expect(parsed.serialized() == text)
        #expect(parsed.renditions == Self.playlist.renditions)
        #expect(parsed.variants[1] == Self.playlist.variants[1])
        // A frame rate comes back as the decimal it was written as.
        #expect(parsed.variants[0].frameRate == .init(numerator: 25_000, denominator: 1000))
    }

    @Test func attributesAsTheStandardTypesThem() {
        let lines = Self.playlist.serialized().split(separator: "\n").map(String.init)
        #expect(lines[0...2] == ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"])
        #expect(lines[3] == "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"aac\",NAME=\"Česky\",LANGUAGE=\"cs\",DEFAULT=YES,AUTOSELECT=YES,CHANNELS=\"2\",URI=\"a/cs.m3u8\"")
        #expect(lines[5].contains("FORCED=YES") && !lines[3].contains("FORCED"))
        #expect(lines[6].hasSuffix("INSTREAM-ID=\"CC1\"") && !lines[6].contains("URI"))
        #expect(
            lines[7] == "#EXT-X-STREAM-INF:BANDWIDTH=8000000,AVERAGE-BANDWIDTH=5000000,CODECS=\"hvc1.2.4.L150.90,mp4a.40.2\","
                + "SUPPLEMENTAL-CODECS=\"dvh1.08.07/db1p\",RESOLUTION=3840x2160,FRAME-RATE=25.000,VIDEO-RANGE=PQ,AUDIO=\"aac\",SUBTITLES=\"subs\",CLOSED-CAPTIONS=\"cc\"")
        #expect(lines[8] == "v/0.m3u8" && lines[9].hasSuffix("CLOSED-CAPTIONS=NONE"))
    }

    @Test(arguments: [(24_000, 1001, "23.976"), (30_000, 1001, "29.970"), (60, 1, "60.000"), (24, 1, "24.000"), (100_000, 4171, "23.975"), (25, 2, "12.500")])
    func frameRates(numerator: Int64, denominator: Int64, text: String) {
        let variant = MultivariantPlaylist.Variant(bandwidth: 1, codecs: [], frameRate: .init(numerator: numerator, denominator: denominator), uri: "a")
        #expect(variant.attributes["FRAME-RATE"] == text)
    }

    @Test func frameRatesThatAreNone() {
        for (numerator, denominator) in [(0, 1), (1, 0), (-1, 1), (Int64.max, 1), (4, 10_000)] as [(Int64, Int64)] {
            let variant = MultivariantPlaylist.Variant(bandwidth: 1, codecs: [], frameRate: .init(numerator: numerator, denominator: denominator), uri: "a")
            #expect(variant.attributes["FRAME-RATE"] == nil)
        }
    }

    /// RFC 8216 §4.3.4.1: where AUTOSELECT is said it is YES when DEFAULT is.
    @Test func aDefaultIsSelectedByItself() {
        let rendition = MultivariantPlaylist.Rendition(type: .audio, groupID: "a", name: "A", isDefault: true, isAutoselect: false)
        #expect(rendition.attributes["AUTOSELECT"] == "YES")
    }

    @Test func brokenRulesAreNamedWithTheirLine() {
        func line(_ text: String) -> Int? {
            do throws(PlaylistError) {
                _ = try MultivariantPlaylist(parsing: text)
                return nil
            } catch {
                return error.line
            }
        }
        #expect(line("#EXT-X-VERSION:7") == 1)
        #expect(line("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"a\"") == 2)
        #expect(line("#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\nv.m3u8") == 2)
        #expect(line("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n") == 2)
        #expect(line("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n# comment\n\nv.m3u8\n") == nil)
    }

    @Test func damageNeverTraps() {
        for bytes in Damage.all(of: Array(Self.playlist.serialized().utf8), mutations: 2000) {
            if let parsed = try? MultivariantPlaylist(parsing: String(decoding: bytes, as: UTF8.self)) { _ = parsed.serialized() }
        }
    }
}
