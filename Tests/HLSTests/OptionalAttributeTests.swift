import BitsAndTime
import HLS
import Testing

struct OptionalAttributeTests {
    private static func playlist(title: String, map: String = "init.mp4") -> MediaPlaylist {
        MediaPlaylist(
            version: 7, targetDurationSeconds: 1, mediaSequenceNumber: 0, playlistType: .vod, map: map,
            segments: [.init(uri: "0.m4s", duration: MediaTime(ticks: 1, timescale: 1), title: title)], isEnded: true, isIndependent: true)
    }

    @Test(arguments: ["", "One", "One, two", "Česky \u{2028}x", "#EXT-X-ENDLIST"]) func titlesComeBack(title: String) throws {
        let playlist = Self.playlist(title: title)
        #expect(try MediaPlaylist(parsing: playlist.serialized()) == playlist)
    }

    /// A title, or the name of an init segment, that would end its line adds no tags.
    @Test(arguments: ["a\n#EXT-X-DISCONTINUITY", "a\r\n#EXT-X-DISCONTINUITY\r"]) func hostileTextStaysOnItsLine(text: String) throws {
        let written = Self.playlist(title: text, map: text + "\",X=\"").serialized()
        let parsed = try MediaPlaylist(parsing: written)
        #expect(parsed.segments.count == 1 && !parsed.segments[0].isDiscontinuity && parsed.segments[0].title.hasPrefix("a "))
        #expect(parsed.map?.hasSuffix("#EXT-X-DISCONTINUITY',X='") == true || parsed.map?.hasSuffix("#EXT-X-DISCONTINUITY ',X='") == true)
        #expect(parsed.serialized() == written)
    }

    @Test func languagesAndProtection() throws {
        let playlist = MultivariantPlaylist(
            version: 7, isIndependent: true,
            renditions: [.init(type: .audio, groupID: "a", name: "N", language: "cmn", assocLanguage: "zh-Hant", isAutoselect: true, uri: "a.m3u8")],
            variants: [.init(bandwidth: 1, codecs: ["avc1.640028"], videoRange: "SDR", hdcpLevel: "TYPE-1", audioGroup: "a", uri: "v.m3u8")])
        let text = playlist.serialized()
        #expect(text.contains(",LANGUAGE=\"cmn\",ASSOC-LANGUAGE=\"zh-Hant\",DEFAULT=NO,") && text.contains(",HDCP-LEVEL=TYPE-1,VIDEO-RANGE=SDR,"))
        #expect(try MultivariantPlaylist(parsing: text) == playlist)
    }
}
