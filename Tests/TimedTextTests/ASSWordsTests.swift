import Testing
import TimedText

@Suite struct ASSWordsTests {
    static let header = "[Script Info]\r\nPlayResX: 640\r\nPlayResY: 360\r\n\r\n[V4+ Styles]\r\nFormat: Name, Fontname, Fontsize, Bold, Italic, Alignment, MarginL, MarginR, MarginV\r\nStyle: Default,Arial,20,0,0,2,10,10,10\r\nStyle: Sign,Arial,20,0,-1,8,10,10,10\r\nStyle: High,Arial,20,0,0,2,10,10,300\r\n"

    static func read(_ text: String, style: String = "Default", margin: Int = 0, header: String = header) -> (text: StyledText, placement: TextPlacement?)? {
        ASSWords(header: header).words(of: "0,0,\(style),,0,0,\(margin),,\(text)")
    }

    /// One run a line: its marks, then its words.
    static func show(_ text: StyledText?) -> String {
        (text?.runs ?? []).map { run in
            let style = run.style
            var marks = (style.isBold ? "b" : "") + (style.isItalic ? "i" : "") + (style.isUnderlined ? "u" : "") + (style.isStruckThrough ? "s" : "")
            if let colour = style.colour { marks += "#\(colour.red).\(colour.green).\(colour.blue)" }
            if let name = style.fontName { marks += "@\(name)" }
            if let size = style.fontSize { marks += "*\(Int(size))" }
            return marks.isEmpty ? run.text : "[\(marks)]\(run.text)[/]"
        }.joined()
    }

    @Test(arguments: [
        ("plain, with a comma", "plain, with a comma"),
        (#"one\Ntwo\nthree\hfour"#, "one\ntwo three\u{A0}four"),
        (#"{\b1}bold{\b0} {\i1}italic{\i} {\u1}under{\u0} {\s1}struck"#, "[b]bold[/] [i]italic[/] [u]under[/] [s]struck[/]"),
        (#"{\b700}a{\b400}b{\blur3\bord2\be1}c{\shad1\fscx120\fsp2\clip(1,2,3,4)}d"#, "[b]a[/]bcd"),
        (#"{\c&H0000FF&}red{\1c&HFF0000&}blue{\c}none{\3c&HFFFFFF&}x"#, "[#255.0.0]red[/][#0.0.255]blue[/]nonex"),
        (#"{\fnCourier New}a{\fs30}b{\fn}{\fs}c"#, "[@Courier New]a[/][@Courier New*30]b[/]c"),
        (#"{\i1\b1}x{\r}y{\rSign}z{\rNobody}w"#, "[bi]x[/]y[i]z[/]w"),
        (#"{\k20}ka{\kf30}ra{\ko10}{\K5}o{\kt5}ke"#, "karaoke"),
        (#"{\p1}m 0 0 l 10 10{\p0}seen{\pbo5}"#, "seen"),
        (#"{a comment}text{\t(0,500,\i1\b1)}x{}"#, "textx"),
        (#"{\i1 {nested}a}b"#, "[i]a}b[/]"),
        (#"{\i1 never closed"#, #"{\i1 never closed"#),
        (#"a } b { c"#, "a } b { c"),
        (#"\{kept\} C:\\dir \x"#, #"{kept} C:\dir \x"#),
        (#"{\q2}one\ntwo"#, "one\ntwo"),
        (#"  \N spaced \N"#, "spaced"),
    ])
    func overridesBecomeStyle(_ input: String, _ expected: String) {
        #expect(Self.show(Self.read(input)?.text) == expected)
    }

    @Test func whatHoldsNothingToReadIsNoCue() {
        for text in [#"{\p1}m 0 0 l 9 9"#, "", "   ", #"\N\h\N"#, "{only a comment}"] { #expect(Self.read(text) == nil, "\(text)") }
        #expect(ASSWords(header: "").words(of: "0,0,Default,,0,0,0,no text field") == nil)
    }

    @Test func theStyleOfALineCounts() {
        let read = Self.read(#"{\i0}a{\i}b"#, style: "Sign")
        #expect(Self.show(read?.text) == "a[i]b[/]" && read?.placement == TextPlacement(.top))
        #expect(Self.read("a", style: "*default")?.placement == nil)
    }

    @Test func theFirstPlaceOfALineCounts() {
        #expect(Self.read(#"{\an8}a{\an1}"#)?.placement == TextPlacement(.top))
        #expect(Self.read(#"{\a6}a"#)?.placement == TextPlacement(.top) && Self.read(#"{\a9}a"#)?.placement == TextPlacement(.left))
        #expect(Self.read(#"{\an2}a"#, style: "Sign")?.placement == nil)
        #expect(Self.read(#"{\pos(320,90)\pos(1,1)}a"#)?.placement == TextPlacement(.bottom, anchor: .init(x: 0.5, y: 0.25)))
        #expect(Self.read(#"{\an7\move(64, 36, 600, 300, 0, 100)}a"#)?.placement == TextPlacement(.topLeft, anchor: .init(x: 0.1, y: 0.1)))
        #expect(Self.read(#"{\pos(320)}{\pos(a,b)}{\pos}a"#)?.placement == nil)
    }

    @Test func aMarginBeyondTheMiddleMovesALineUp() {
        #expect(Self.read("a", style: "High")?.placement == TextPlacement(.bottom, anchor: .init(x: 0.5, y: 1 - 300.0 / 360)))
        #expect(Self.read("a", margin: 270)?.placement == TextPlacement(.bottom, anchor: .init(x: 0.5, y: 0.25)))
        #expect(Self.read("a", margin: 40)?.placement == nil)
    }

    @Test func theCanvasHasTheRenderersDefaults() {
        let sizes = [("", 384.0, 288.0), ("PlayResX: 640", 640, 480), ("PlayResY: 1024", 1280, 1024), ("playresx:1280", 1280, 1024), ("PlayResX: 0\nPlayResY: -5", 384, 288)]
        for (line, width, height) in sizes {
            let head = ASSHead("[script info]\n\(line)\n")
            #expect(head.width == width && head.height == height, "\(line)")
        }
    }

    @Test func legacyStylesCountAlignmentTheirWay() {
        let header = "[V4 Styles]\nStyle: Default,Arial,20,1,2,3,4,-1,0,1,1,1,6,10,10,10,0,0\n"
        let read = Self.read("a", header: header)
        #expect(read?.placement == TextPlacement(.top) && Self.show(read?.text) == "[b]a[/]")
    }

    @Test func tensOfThousandsOfBracesAndTagsCostLittle() {
        let braces = String(repeating: "{", count: 50_000)
        #expect(Self.read(braces)?.text.plain == braces)
        #expect(Self.read(String(repeating: #"{\i1}"#, count: 50_000) + "a")?.text.plain == "a")
        #expect(Self.read("{" + String(repeating: #"\t("#, count: 50_000) + "}a")?.text.plain == "a")
    }
}
