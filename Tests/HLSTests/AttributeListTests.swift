import HLS
import Testing
import TestSupport

struct AttributeListTests {
    @Test func quotedCommasAndEqualSigns() {
        let list = AttributeList(parsing: "CODECS=\"avc1.640028,mp4a.40.2\",BANDWIDTH=128000, RESOLUTION=1920x1080,NAME=\"a=b\",X-EMPTY=\"\"")
        #expect(list.items.map(\.name) == ["CODECS", "BANDWIDTH", "RESOLUTION", "NAME", "X-EMPTY"])
        #expect(list["CODECS"] == "avc1.640028,mp4a.40.2" && list["BANDWIDTH"] == "128000" && list["NAME"] == "a=b" && list["X-EMPTY"] == "")
        #expect(list["RESOLUTION"] == "1920x1080" && list["NONE"] == nil)
    }

    @Test func damageKeepsWhatCameBefore() {
        #expect(AttributeList(parsing: "A=1,B=\"open").items.map(\.name) == ["A"])
        #expect(AttributeList(parsing: "A=1,B").items.map(\.name) == ["A"])
        #expect(AttributeList(parsing: "").items.isEmpty)
    }

    @Test func textThatAQuotedStringCannotHold() {
        var list = AttributeList()
        list.append("NAME", quoted: "Say \"hi\"\r\nnow\u{85}")
        #expect(list.serialized() == "NAME=\"Say 'hi'  now \"")
        #expect(AttributeList(parsing: list.serialized()) == list)
    }

    /// A quote and the mark behind it are one `Character`, and two code points to everyone who reads the playlist.
    /// Found by the fuzzer: `VIDEO-RANGE="PQ,AUDIO=x"` was written without its quotes, as two attributes.
    @Test func plainValuesHoldNothingThatEndsThem() throws {
        for value in ["a,B=1", "\"a\"", "a b", "a\nb", "a\r"] {
            var list = AttributeList()
            list.append("VIDEO-RANGE", plain: value)
            #expect(list.items.isEmpty, "\(value)")
        }
        let parsed = try MultivariantPlaylist(parsing: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO-RANGE=\"PQ,AUDIO=x\"\na\n")
        #expect(try MultivariantPlaylist(parsing: parsed.serialized()).variants[0].audioGroup == nil)
    }

    @Test func combiningMarksHideNoQuotes() {
        var list = AttributeList()
        list.append("NAME", quoted: "a\"\u{301}b")
        list.append("TITLE", quoted: "\u{301}x")
        list.append("LAST", plain: "YES")
        #expect(list.serialized().unicodeScalars.filter { $0 == "\"" }.count == 4)
        #expect(AttributeList(parsing: list.serialized()) == list)
    }

    @Test func anyTextIsRead() {
        let text = Array("TYPE=AUDIO,GROUP-ID=\"aud\",NAME=\"Žluťoučký\",CHANNELS=\"6\",URI=\"a.m3u8\"".utf8)
        for bytes in Damage.all(of: text, mutations: 2000) {
            let list = AttributeList(parsing: String(decoding: bytes, as: UTF8.self))
            #expect(AttributeList(parsing: list.serialized()).items.count <= list.items.count)
        }
    }
}
