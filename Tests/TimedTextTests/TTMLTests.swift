import BitsAndTime
import Testing
import TimedText

@Suite struct TTMLTests {
    static func cues(_ body: String, head: String = "", root: String = "") throws -> [TextCue] {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE tt [<!ENTITY x \"y\">]><tt xmlns=\"http://www.w3.org/ns/ttml\" xmlns:tts=\"urn:s\" xmlns:ttp=\"urn:p\" \(root)><head>\(head)</head>\(body)</tt>"
        return try TTMLDocument(Array(text.utf8)).cues
    }

    static func show(_ cues: [TextCue]) -> [String] {
        cues.map { "\(Int(($0.start.seconds * 1000).rounded()))-\($0.end.map { String(Int(($0.seconds * 1000).rounded())) } ?? "?") \(ASSWordsTests.show($0.text))" }
    }

    @Test(arguments: [
        ("begin='00:00:01' end='00:00:02.5'", "", "1000-2500"), ("begin='1.5s' dur='500ms'", "", "1500-2000"), ("begin='1m' end='0.02h'", "", "60000-72000"),
        ("begin='00:00:01:12' end='50f'", "ttp:frameRate='25'", "1480-2000"), ("begin='10000000t' end='2s'", "ttp:tickRate='10000000'", "1000-2000"),
        ("begin='24f' end='48f'", "ttp:frameRate='24' ttp:frameRateMultiplier='1000 1001'", "1001-2002"),
        ("begin='00:01:00:02' end='00:10:00:00'", "ttp:timeBase='smpte' ttp:dropMode='dropNTSC' ttp:frameRate='30' ttp:frameRateMultiplier='1000 1001'", "60060-599999"),
        ("begin='1s'", "", "1000-?"), ("begin='1s' end='3s' dur='1s'", "", "1000-2000"),
    ])
    func timesInEveryForm(_ attributes: String, _ root: String, _ expected: String) throws {
        #expect(try Self.show(Self.cues("<body><div><p \(attributes)>x</p></div></body>", root: root)) == ["\(expected) x"])
    }

    @Test func timesNestAndFollowEachOther() throws {
        let nested = try Self.cues("<body begin='10s'><div begin='1s' end='5s'><p begin='1s' end='20s'>a<span begin='1s' end='2s'>b</span></p><p>c</p></div></body>")
        #expect(Self.show(nested) == ["11000-15000 c", "12000-13000 a", "13000-14000 ab", "14000-15000 a"])
        let sequence = try Self.cues("<body><div timeContainer='seq'><p dur='1s'>a</p><p begin='1s' dur='1s'>b</p><p end='2s'>c</p></div></body>")
        #expect(Self.show(sequence) == ["0-1000 a", "2000-3000 b", "3000-5000 c"])
    }

    @Test func stylesComeByReferenceInlineAndFromTheRegion() throws {
        let head = """
            <styling><style xml:id="a" tts:fontStyle="italic" tts:color="#ffff00"/><style xml:id="b" style="a" tts:fontWeight="bold"/><style xml:id="loop" style="loop2"/><style xml:id="loop2" style="loop"/></styling>
            <layout><region xml:id="r" tts:origin="10% 5%" tts:extent="80% 20%" tts:displayAlign="before"><style tts:textAlign="center"/><style tts:textDecoration="underline"/></region></layout>
            """
        let cues = try Self.cues("<body><div region='r'><p style='b loop' end='1s'>x<span tts:fontWeight='normal' tts:textDecoration='noUnderline lineThrough' tts:color='rgb(0,255,0)'>y</span></p></div></body>", head: head)
        #expect(Self.show(cues) == ["0-1000 [biu#255.255.0]x[/][is#0.255.0]y[/]"])
        #expect(cues.first?.placement == TextPlacement(.top, anchor: .init(x: 0.5, y: 0.05)))
    }

    @Test func regionsSayWhereInEveryUnit() throws {
        func place(_ region: String, _ root: String = "") throws -> TextPlacement? {
            try Self.cues("<body><p region='r' end='1s'>x</p></body>", head: "<layout><region xml:id='r' \(region)/></layout>", root: root).first?.placement
        }
        #expect(try place("tts:origin='10% 80%' tts:extent='80% 10%' tts:displayAlign='after'") == nil)
        #expect(try place("tts:origin='192px 108px' tts:extent='10% 10%' tts:textAlign='start'", "tts:extent='1920px 1080px'") == TextPlacement(.topLeft, anchor: .init(x: 0.1, y: 0.1)))
        #expect(try place("tts:origin='16c 3c' tts:extent='16c 9c' tts:displayAlign='center' tts:textAlign='right'") == TextPlacement(.right, anchor: .init(x: 1, y: 0.5)))
        #expect(try place("tts:origin='auto' tts:displayAlign='before'") == TextPlacement(.top) && place("") == nil)
    }

    @Test func whiteSpaceIsFoldedOrKept() throws {
        let cues = try Self.cues("<body><div><p end='1s'>\n  a  <span> b</span>\r\n c <br/>  d\t</p><p end='1s' xml:space='preserve'>  e\n f</p><p end='1s'>  <br/> </p></div></body>")
        #expect(cues.map(\.text.plain) == ["a b c\nd", "e\n f"])
    }

    @Test func entitiesSectionsAndHiddenPartsAreWhatTheyAre() throws {
        let cues = try Self.cues("<body><p end='1s'>&lt;&#65;&#x42;&amp;&x;<![CDATA[<b>]]><!-- - --><span tts:display='none'>no</span><metadata>no</metadata><set begin='0s'/></p></body>")
        #expect(cues.first?.text.plain == "<AB&&x;<b>")
        let ruby = try Self.cues("<body><p end='1s'><span tts:ruby='container'><span tts:ruby='base'>漢</span><span tts:ruby='text'>かん</span></span></p></body>")
        #expect(ruby.first?.text.plain == "漢(かん)")
    }

    @Test func whatIsNoDocumentIsRefused() {
        let bad = ["", "x", "<tt>", "<tt></p>", "<p/>", "<tt/><tt/>", "<tt a=b/>", "<tt><!-- </tt>", String(repeating: "<tt>", count: 200), "<tt " + (0..<200).map { "a\($0)='' " }.joined() + "/>"]
        for text in bad { #expect(throws: ParseError.self, "\(text.prefix(30))") { try TTMLDocument(Array(text.utf8)) } }
    }
}
