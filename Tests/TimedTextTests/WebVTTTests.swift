import BitsAndTime
import TestSupport
import Testing
import TimedText

@Suite struct WebVTTTests {
    static func time(_ milliseconds: Int64) -> MediaTime { MediaTime(ticks: milliseconds, timescale: 1000) }

    static func parsed(_ text: String) throws -> [TextCue] { try WebVTTDocument(Array(text.utf8)).cues.map(\.cue) }

    // MARK: Words

    @Test(arguments: [
        ("a<b>b<i>c</b>d</i>e", "a[b]b[/][bi]cd[/][b]e[/]"),
        ("<b>b<i>c</i></b><u>d", "[b]b[/][bi]c[/][u]d[/]"),
        ("<c.yellow.bg_blue>y</c><c.loud>l</c><lime>x", "[#255.255.0]y[/]lx"),
        ("<v Fred Smith>hi</v> <lang en>there</lang><00:01.000>!", "hi there!"),
        ("<ruby>漢<rt>かん</rt>字<rt>じ</ruby>x", "漢(かん)字(じ)x"),
        ("&amp;&lt;&gt;&nbsp;&lrm;&#65;&#x42;&bogus;&amp", "&<>\u{A0}\u{200E}AB&bogus;&"),
        ("a < b and <unclosed", "a "),
    ])
    func tagsAndEntitiesAreRead(_ input: String, _ expected: String) {
        #expect(ASSWordsTests.show(WebVTTCueText.read(input)) == expected)
    }

    @Test func nothingInATextIsMarkup() {
        for text in ["<i-->", "a --> b", "00:00:01.000 --> 00:00:02.000", "<b>", "&lt;", "<\u{301}b>", "\r\n", "a\n\nb", "NOTE x", "WEBVTT", "STYLE\n\nx", "a\u{0}b\u{1}", "a\n \n\tb"] {
            let written = WebVTTCueText.written(StyledText(text))
            #expect(!written.contains("-->") && !written.contains("\n\n") && !written.hasPrefix("\n"), "\(text)")
            let kept = text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 }
            #expect(WebVTTCueText.read(written) == StyledText(String(String.UnicodeScalarView(kept))).trimmed, "\(text)")
        }
    }

    @Test func stylesNestAndClose() {
        var text = StyledText("a", .init(isBold: true))
        text.append("b", .init(isBold: true, isItalic: true))
        text.append("c\n", .init(isItalic: true, colour: .init(red: 255, green: 255, blue: 0)))
        text.append("\nd", .init(isUnderlined: true, colour: .init(red: 255, green: 255, blue: 255)))
        #expect(WebVTTCueText.written(text) == "<b>a<i>b</i></b><c.yellow><i>c\n<c></c>\n</i></c><u>d</u>")
    }

    // MARK: Settings

    @Test(arguments: [
        ("line:10% align:start", "line:10% align:start"),
        ("align:middle position:10%,middle size:33.3333% line:-1,end vertical:lr", "vertical:lr line:-1,end position:10%,center size:33.333% align:center"),
        ("region:fred line:auto position:101% size:5 line:3% line:0", "line:0"),
        ("line:1.5 line:99999 line:5%,middle align: align:up position:-4% --> size:1%\u{0}", ""),
        ("position:050.500%,line-left", "position:50.5%,line-left"),
    ])
    func settingsAreCheckedAndWrittenInOneOrder(_ input: String, _ expected: String) {
        #expect(WebVTTCueSettings(parsing: input).text == expected)
        #expect(WebVTTCueSettings(parsing: expected).text == expected)
    }

    @Test func settingsAreAPlaceAsNearAsOneCanSay() {
        func place(_ text: String) -> TextPlacement? { WebVTTCueSettings(parsing: text).placement }
        #expect(place("line:10% align:start") == TextPlacement(.topLeft, anchor: .init(x: 0, y: 0.1)))
        #expect(place("position:20% align:end") == TextPlacement(.bottomRight) && place("position:20%") == nil)
        #expect(place("line:0") == TextPlacement(.top) && place("line:-1") == nil && place("") == nil && place("vertical:rl line:0") == nil)
        #expect(place("line:90%,end position:50%") == TextPlacement(.bottom, anchor: .init(x: 0.5, y: 0.9)))
    }

    @Test func placesComeBackFromTheirSettings() {
        for alignment in TextPlacement.Alignment.allCases {
            for anchor in [TextPlacement.Anchor(x: 0.25, y: 0.125), nil] {
                let placement = TextPlacement(alignment, anchor: anchor)
                let settings = WebVTTCueSettings(placement)
                let back = WebVTTCueSettings(parsing: settings.text).placement
                let isMiddle = alignment.row == .middle && anchor == nil
                let column = alignment.column == .left ? 0.0 : alignment.column == .right ? 1 : 0.5
                let expected: TextPlacement? = isMiddle ? TextPlacement(alignment, anchor: .init(x: column, y: 0.5)) : alignment == .bottom && anchor == nil ? nil : placement
                #expect(back == expected, "\(settings.text)")
            }
        }
    }

    // MARK: Documents

    @Test func blocksThatAreNoCuesArePassedOver() throws {
        let text = "\u{FEFF}WEBVTT - a title\rKind: captions\r\rNOTE\rx\r\rSTYLE\r::cue { color: red }\r\rREGION\rid:a\r\rid 1\r00:01.000 --> 00:02.500 line:0 region:a\rOne\rtwo\r\r00:03.000 --> 00:02.000\rnever\r\rjunk --> junk\rx\r\r1:00:03.000-->100:00:04.000\rthree"
        let document = try WebVTTDocument(Array(text.utf8))
        #expect(document.cues.map(\.identifier) == ["id 1", ""] && document.skippedBlocks == 2)
        #expect(document.cues[0].cue == TextCue(start: Self.time(1000), end: Self.time(2500), text: StyledText("One\ntwo"), placement: TextPlacement(.top), settings: "line:0"))
        #expect(document.cues[1].cue.start == Self.time(3_603_000) && document.cues[1].cue.end == Self.time(360_004_000))
    }

    @Test func aTimingLineEndsABlockWithoutAnEmptyLine() throws {
        let cues = try Self.parsed("WEBVTT\n00:01.000 --> 00:02.000\na\n00:02.000 --> 00:03.000\nb\n")
        #expect(cues.map(\.text.plain) == ["a", "b"])
    }

    @Test func aFileThatIsNoneIsRefused() throws {
        for text in ["", "WEBVT", "webvtt\n", "WEBVTTx\n", " WEBVTT"] { #expect(throws: ParseError.self) { try WebVTTDocument(Array(text.utf8)) } }
        #expect(try Self.parsed("WEBVTT").isEmpty && Self.parsed("WEBVTT\n\n00:01.000 --> 00:02.000").count == 1)
    }

    @Test func theMapOfTimesIsRead() throws {
        let map = try WebVTTDocument(Array("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:01.500,MPEGTS:900000\n\n".utf8)).timestampMap
        #expect(map?.ticks == 900_000 && map?.milliseconds == 1500)
    }

    // MARK: Segments

    static func written(_ cues: [TextCue], origin: MediaTime = .zero) -> String { String(decoding: WebVTTSegment.written(cues, origin: origin), as: UTF8.self) }

    @Test func aSegmentWithoutCuesIsAClosedHeader() {
        #expect(Self.written([], origin: MediaTime(ticks: 7, timescale: 5)) == "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:126000,LOCAL:00:00:00.000\n\n")
        #expect(Self.written([], origin: MediaTime(ticks: -1, timescale: 90_000)).contains("MPEGTS:8589934591,"))
    }

    @Test func cuesStandByTheirBeginAndKeepTheirOverlap() {
        let cues = [
            TextCue(start: Self.time(2000), end: Self.time(5000), text: StyledText("late")),
            TextCue(start: Self.time(1000), end: Self.time(3000), text: StyledText("first"), placement: TextPlacement(.top)),
            TextCue(start: Self.time(1000), end: Self.time(3000), text: StyledText("second"), settings: "line:1 align:left evil --> x"),
            TextCue(start: Self.time(1000), end: Self.time(3000), text: StyledText("first"), placement: TextPlacement(.top)),
            TextCue(start: Self.time(-500), end: Self.time(500), text: StyledText("early")), TextCue(start: Self.time(-500), end: Self.time(0), text: StyledText("gone")),
            TextCue(start: Self.time(9000), end: nil, text: StyledText("open")), TextCue(start: Self.time(9000), end: nil, text: StyledText(" \n ")),
        ]
        #expect(
            Self.written(cues) == """
                WEBVTT
                X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000

                00:00:00.000 --> 00:00:00.500
                early

                00:00:01.000 --> 00:00:03.000 line:0
                first

                00:00:01.000 --> 00:00:03.000 line:1 align:left
                second

                00:00:02.000 --> 00:00:05.000
                late

                00:00:09.000 --> 00:00:12.000
                open


                """)
    }

    @Test func timesNoReaderTakesAreNotWritten() throws {
        let far = MediaTime(ticks: .max, timescale: 1000)
        let cues = [TextCue(start: Self.time(1), end: far, text: StyledText("a")), TextCue(start: far, end: nil, text: StyledText("b"))]
        #expect(try Self.parsed(Self.written(cues)).map(\.text.plain) == ["a"])
    }

    @Test func roundingMakesNoCueEmptyAndNoneOverlapItsSuccessor() throws {
        var random = SeededRandom(seed: 6)
        var at: Int64 = 0
        var cues: [TextCue] = []
        for index in 0..<500 {
            let length = Int64.random(in: 1...4000, using: &random)
            cues.append(TextCue(start: MediaTime(ticks: at, timescale: 90_000), end: MediaTime(ticks: at + length, timescale: 90_000), text: StyledText("\(index)")))
            at += length
        }
        let read = try Self.parsed(Self.written(cues))
        #expect(read.count == 500)
        for (cue, next) in zip(read, read.dropFirst()) {
            let end = try #require(cue.end)
            #expect(end > cue.start && cue.start <= next.start)
            // Below a millisecond there is no other way.
            #expect(end <= next.start || end - cue.start == Self.time(1))
        }
    }

    // MARK: Properties

    static func randomText(_ random: inout SeededRandom) -> StyledText {
        let pieces: [String] = ["<", ">", "&", "-->", "\n", "\r\n", "--", " ", "a", "é", "\u{301}", "\u{200F}", "שלום", "lt;", "<b>", "</c>", "\u{0}", "\u{7}", "字", "0", "00:00:01.000", "😀", "\u{A0}", "NOTE"]
        var text = StyledText()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let colours: [StyledText.Colour?] = [nil, nil, .init(red: 255, green: 0, blue: 0), .init(red: 0, green: 255, blue: 255)]
            let style = StyledText.Style(
                isBold: .random(using: &random), isItalic: .random(using: &random), isUnderlined: .random(using: &random), colour: colours.randomElement(using: &random) ?? nil)
            text.append(pieces.randomElement(using: &random) ?? "", style)
        }
        return text
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var random = SeededRandom(seed: 60)
        for _ in 0..<3000 {
            let cues = (0..<Int.random(in: 1...4, using: &random)).map { index in
                TextCue(start: Self.time(Int64(index) * 10), end: Self.time(Int64(index) * 10 + 5), text: Self.randomText(&random))
            }
            let written = WebVTTSegment.written(cues, origin: .zero)
            let read = try WebVTTDocument(written).cues.map(\.cue)
            let expected = cues.filter { !WebVTTCueText.written($0.text).isEmpty }
            #expect(read.count == expected.count && read.map(\.start) == expected.map(\.start))
            for (cue, source) in zip(read, expected) {
                let kept = source.text.plain.unicodeScalars.filter { $0 == "\n" || $0.value >= 0x20 }
                #expect(Array(cue.text.plain.unicodeScalars) == Array(StyledText(String(String.UnicodeScalarView(kept))).trimmed.plain.unicodeScalars))
            }
            #expect(Self.written(read) == String(decoding: written, as: UTF8.self))
        }
    }

    @Test func anyBytesAreReadWithoutATrap() {
        var random = SeededRandom(seed: 61)
        let alphabet = Array("WEBVTT\n\r 0123:.,->%&<>;/abcilne\u{0}".utf8)
        for _ in 0..<4000 {
            let noise = (0..<Int.random(in: 0...80, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            _ = try? WebVTTDocument(Array("WEBVTT\n\n".utf8) + noise)
            _ = WebVTTCueSettings(parsing: noise[...]).text
            let text = WebVTTCueText.read(noise[...])
            let written = WebVTTCueText.written(text)
            #expect(WebVTTCueText.written(WebVTTCueText.read(written)) == written)
        }
    }
}
