import BitsAndTime
import Libav
import Subtitles
import TestSupport
import Testing
import TimedText

@Suite struct SubtitleFileTests {
    static let assHead = "[Script Info]\nPlayResX: 100\nPlayResY: 100\n\n[V4+ Styles]\nFormat: Name, Bold, Alignment, MarginV\nStyle: Default,0,2,5\nStyle: Top,-1,8,5\n\n[Events]\n"
    static let assFormat = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    static let sami = "<SAMI><HEAD><STYLE TYPE=\"text/css\"><!-- P { } .ENCC {Name: English; lang: en-US;} --></STYLE></HEAD><BODY>\n<SYNC Start=1000><P Class=ENCC>One<br>two\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n<SYNC Start=3000><P Class=ENCC>Three\n</BODY></SAMI>\n"

    /// What a file holds, as ``CueTable`` shows it. The hint is the ending of its name.
    static let table: [(name: String, hint: String, text: String, cues: [String])] = [
        ("subrip", "srt", "1\n00:00:01,000 --> 00:00:02,500\nOne\ntwo\n\n2\n00:00:02,000 --> 00:00:03,000\nOverlap\n", ["1000-2500 |One/two", "2000-3000 |Overlap"]),
        ("subrip, CR LF", "srt", "1\r\n00:00:01,000 --> 00:00:02,500\r\nOne\r\ntwo\r\n\r\n", ["1000-2500 |One/two"]),
        ("subrip, CR", "srt", "1\r00:00:01,000 --> 00:00:02,500\rOne\rtwo\r\r", ["1000-2500 |One/two"]),
        ("subrip, byte order mark", "", "\u{FEFF}1\n00:00:01,000 --> 00:00:02,000\nOne\n", ["1000-2000 |One"]),
        ("subrip, tags", "srt", "1\n00:00:01,000 --> 00:00:02,000\n<i>a</i> <b>b</b> <u>c</u> <s>d</s> <font color=\"#00ff00\">e</font>\n", ["1000-2000 |[i]a[] [b]b[] [u]c[] [s]d[] [#0.255.0]e[]"]),
        ("subrip, no hours", "srt", "1\n00:01,000 --> 00:02,000\nOne\n", ["1000-2000 |One"]),
        ("subrip, points and odd digits", "srt", "1\n0:00:01.5 --> 0:00:02.123456\nOne\n\n2\n00:00:03 --> 00:00:04\nTwo\n", ["1500-2123 |One", "3000-4000 |Two"]),
        ("subrip, without numbers", "srt", "00:00:01,000 --> 00:00:02,000\nOne\n\n00:00:03,000 --> 00:00:04,000\nTwo\n", ["1000-2000 |One", "3000-4000 |Two"]),
        ("subrip, place", "srt", "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Up\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\a5}Left up\n", ["1000-2000 8 |Up", "3000-4000 |Left up"]),
        ("subrip, backwards and empty times", "srt", "1\n00:00:02,000 --> 00:00:01,000\nBack\n\n2\n00:00:05,000 --> 00:00:05,000\nNone\n", ["2000-5000 |Back", "5000-8000 |None"]),
        ("subrip, out of order", "srt", "1\n00:00:05,000 --> 00:00:06,000\nLate\n\n2\n00:00:01,000 --> 00:00:02,000\nEarly\n", ["1000-2000 |Early", "5000-6000 |Late"]),
        ("subrip, an arrow in the words", "srt", "1\n00:00:01,000 --> 00:00:02,000\na --> b <i-->\n", ["1000-2000 |a --> b <i-->"]),
        ("subrip, entities", "srt", "1\n00:00:01,000 --> 00:00:02,000\na &amp; b &lt;i&gt;\n", ["1000-2000 |a & b <i>"]),
        ("subrip, empty lines between", "srt", "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n", ["1000-2000 |One", "3000-4000 |Two"]),
        ("subrip, no end of line at the end", "srt", "1\n00:00:01,000 --> 00:00:02,000\nOne", ["1000-2000 |One"]),
        ("subrip, an empty cue", "srt", "1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n", ["3000-4000 |Two"]),
        ("webvtt", "vtt", "WEBVTT\n\n00:01.000 --> 00:02.000 line:10% align:start\n<b>One</b>\n\nid\n01:00:00.000 --> 01:00:01.000\n<c.red>Two</c>\n", ["1000-2000 7@0,10 |[b]One[]", "3600000-3601000 |[#255.0.0]Two[]"]),
        ("webvtt, CR", "", "WEBVTT\r\r00:01.000 --> 00:02.000\rOne\rtwo\r\r", ["1000-2000 |One/two"]),
        ("webvtt, position alone", "vtt", "WEBVTT\n\n00:01.000 --> 00:02.000 position:20% align:left\nOne\n", ["1000-2000 1 |One"]),
        ("webvtt, a note, a style, a region", "vtt", "WEBVTT\n\nNOTE a --> b\n\nSTYLE\n::cue {}\n\nREGION\nid:r\n\n00:01.000 --> 00:02.000 region:r line:-1\nOne\n", ["1000-2000 |One"]),
        ("webvtt, nothing to read", "vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<b></b>\n", []),
        ("ass", "ass", assHead + assFormat + "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,One\\Ntwo, three\nDialogue: 0,0:00:02.00,0:00:03.00,Top,,0,0,0,,Sign\n", ["1000-2500 |One/two, three", "2000-3000 8 |[b]Sign[]"]),
        ("ass, CR LF", "ass", (assHead + assFormat + "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\pos(50,25)}One\n").replacing("\n", with: "\r\n"), ["1000-2500 2@50,25 |One"]),
        ("ass, columns in another order", "ass", assHead + "Format: Start, End, Style, Text\nDialogue: 0:00:01.00,0:00:02:50,Top,a, b\n", ["1000-2500 8 |[b]a, b[]"]),
        ("ass, comments and drawings", "ass", assHead + assFormat + "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,no\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}\nDialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,yes\n", ["3000-4000 |yes"]),
        ("ass, in no order", "ass", assHead + assFormat + "Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,late\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,early\n", ["1000-2000 |early", "5000-6000 |late"]),
        ("ass, a margin to the top", "ass", assHead + assFormat + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,80,,up\n", ["1000-2000 2@50,20 |up"]),
        ("ass, karaoke", "ass", assHead + assFormat + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\k10}ka{\\k10}ra\n", ["1000-2000 |kara"]),
        ("ssa", "ssa", "[Script Info]\nScriptType: v4.00\n\n[V4 Styles]\nFormat: Name, Italic, Alignment\nStyle: Default,-1,6\n\n[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,,0,0,0,,One\n", ["1000-2000 8 |[i]One[]"]),
        ("microdvd", "sub", "{1}{1}25.000\n{25}{50}One|two\n{50}{75}{y:i}Three\n", ["1000-2000 |One/two", "2000-3000 |[i]Three[]"]),
        ("mpl2", "txt", "[10][20]One|two\n[30][40]/Three\n[50][60]Four\n", ["1000-2000 |One/two", "3000-4000 |[i]Three[]", "5000-6000 |Four"]),
        ("subviewer", "sub", "[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n00:00:01.00,00:00:02.00\nOne[br]two\n\n00:00:03.00,00:00:04.00\nThree\n", ["1000-2000 |One/two", "3000-4000 |Three"]),
        ("sami", "smi", sami, ["1000-2000 |One/two", "3000-6000 |Three"]),
        ("spruce stl", "stl", "//Font select and font size\n$FontName = Arial\n\n00:00:01:00 , 00:00:02:00 , One|two\n00:00:03:00 , 00:00:04:00 , Three\n", ["1000-2000 |One/two", "3000-4000 |Three"]),
        ("vplayer", "txt", "00:00:01:One\n00:00:03:Two|three\n00:00:05:\n", ["1000-3000 |One", "3000-5000 |Two/three"]),
        ("ttml", "ttml", "<?xml version=\"1.0\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><div><p begin=\"1s\" end=\"2s\">One<br/>two</p></div></body></tt>", ["1000-2000 |One/two"]),
        ("dfxp with prefixes", "dfxp", "<!-- x --><tt:tt xmlns:tt=\"http://www.w3.org/2006/10/ttaf1\" xmlns:tts=\"x\"><tt:body><tt:div><tt:p begin=\"00:00:01.00\" end=\"00:00:02.00\" tts:textAlign=\"left\"><tt:span tts:fontWeight=\"bold\">One</tt:span></tt:p></tt:div></tt:body></tt:tt>", ["1000-2000 1 |[b]One[]"]),
        ("nothing at all", "srt", "", []), ("nothing", "", "", ["notSubtitles"]),
        ("a text of something else", "", "Once upon a time there was a file that held no subtitles at all.\n", ["notSubtitles"]),
        ("xml of something else", "xml", "<html><body>x</body></html>", ["notSubtitles"]),
        ("ttml that breaks off", "ttml", "<tt><body><p begin='1s' end='2s'>a", ["malformed(\"XML: 3 elements are open (truncated at byte 34)\")"]),
    ]

    @Test(arguments: table.indices) func filesGiveTheirCues(_ index: Int) {
        let row = Self.table[index]
        let cues = CueTable.show(Array(row.text.utf8), SubtitleFile.Options(formatHint: row.hint))
        #expect(cues == row.cues, "\(row.name)")
    }

    @Test func limitsHold() {
        var options = SubtitleFile.Options(formatHint: "srt")
        options.byteLimit = 10
        #expect(throws: SubtitleFileError.tooLarge(11)) { try SubtitleFile(bytes: Array(repeating: 65, count: 11), options: options) }
        options = .init(formatHint: "srt")
        options.cueLimit = 1
        #expect(throws: SubtitleFileError.tooMany("cues")) { try SubtitleFile(bytes: Array(Self.table[0].text.utf8), options: options) }
        options = .init()
        options.streamIndex = 7
        #expect(throws: SubtitleFileError.noSuchStream(7)) { try SubtitleFile(bytes: Array(Self.table[0].text.utf8), options: options) }
    }

    @Test func markupComesAlongForASSAlone() throws {
        var options = SubtitleFile.Options(formatHint: "ass")
        options.preservesASSMarkup = true
        let text = Self.assHead + Self.assFormat + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0{\\p0}\nDialogue: 3,0:00:03.00,0:00:04.00,Top,X,1,2,3,,{\\b1}One\n"
        let track = try #require(SubtitleFile(bytes: Array(text.utf8), options: options).tracks.first)
        #expect(track.cues.map(\.event) == ["0,0,Default,,0,0,0,,{\\p1}m 0 0{\\p0}", "1,3,Top,X,1,2,3,,{\\b1}One"] && track.scriptHeader?.contains("PlayResX: 100") == true)
        let events = track.cues.compactMap { cue in cue.cue.end.flatMap { end in cue.event.map { ASSScript.Event(start: cue.cue.start, end: end, line: $0) } } }
        let script = ASSScript.written(header: track.scriptHeader ?? "", events: events + events)
        #expect(CueTable.show(Array(script.utf8)) == CueTable.show(Array(text.utf8)) && ASSScript(Array(script.utf8)).events.count == 2)
        let plain = try SubtitleFile(bytes: Array(Self.table[0].text.utf8), options: options)
        #expect(plain.tracks.allSatisfy { $0.scriptHeader == nil && $0.cues.allSatisfy { $0.event == nil } })
    }

    @Test func damageIsReadWithoutATrap() {
        var random = SeededRandom(seed: 12)
        for row in Self.table where !row.text.isEmpty {
            for _ in 0..<12 {
                var bytes = Array(row.text.utf8)
                for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
                _ = CueTable.show(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), SubtitleFile.Options(formatHint: row.hint))
            }
        }
    }
}
