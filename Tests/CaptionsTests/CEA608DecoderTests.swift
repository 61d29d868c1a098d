import BitsAndTime
@testable import Captions
import Testing
import TestSupport
import TimedText

@Suite struct CEA608DecoderTests {
    private func lines(_ parts: [CaptionTriplet]..., channel: CaptionChannel = .cea608(1)) -> [Line] {
        var script = CaptionScript()
        for part in parts { script.send(part) }
        return script.cues(of: channel).map(Line.init)
    }

    private func text(_ parts: [CaptionTriplet]...) -> StyledText {
        var script = CaptionScript()
        for part in parts { script.send(part) }
        script.send(Line21.command(.endOfCaption))
        return script.cues().first?.text ?? StyledText()
    }

    // MARK: Modes

    @Test func popOnIsShownAtItsEndAndGoneAtTheNextOrTheErasure() {
        var script = CaptionScript()
        script.send(Line21.popOn("ONE"))
        script.send(Line21.command(.endOfCaption), at: 30)
        script.send(Line21.popOn("TWO"), at: 60)
        script.send(Line21.command(.endOfCaption), at: 90)
        script.send(Line21.command(.eraseDisplayedMemory), at: 150)
        script.send(Line21.popOn("NEVER SHOWN"))
        #expect(script.cues().map(Line.init) == [Line("ONE", 30, 90), Line("TWO", 90, 150)])
    }

    @Test func whatIsLoadedIsKeptUntilItIsErased() {
        var script = CaptionScript()
        script.send(Line21.popOn("FIRST", row: 14))
        script.send(Line21.command(.endOfCaption), at: 30)
        // Not erased: the memory that comes off the screen is written over.
        script.send(Line21.popOn("B", row: 14) + Line21.command(.endOfCaption), at: 60)
        script.send(Line21.command(.resumeCaptionLoading) + Line21.preamble(row: 15) + Line21.text("C") + Line21.command(.endOfCaption), at: 120)
        #expect(script.cues().map(\.text.plain) == ["FIRST", "B", "FIRST\nC"])
    }

    @Test func rollUpMovesRowsAndShowsEachFromItsFirstLetter() {
        var script = CaptionScript()
        script.send(Line21.rollUp("LINE ONE"), at: 0)
        script.send(Line21.rollUp("LINE TWO"), at: 60)
        script.send(Line21.rollUp("LINE THREE"), at: 120)
        script.send(Line21.command(.eraseDisplayedMemory), at: 180)
        // Carriage returns are the third pair; the first row begins with its first letter.
        #expect(script.cues().map(Line.init) == [Line("LINE ONE", 6, 62), Line("LINE ONE\nLINE TWO", 62, 122), Line("LINE TWO\nLINE THREE", 122, 180)])
    }

    @Test(arguments: [(CEA608Code.Command.rollUp2, 2), (.rollUp3, 3), (.rollUp4, 4)])
    func rollUpHasItsRows(command: CEA608Code.Command, rows: Int) {
        var script = CaptionScript()
        for line in 1...6 { script.send(Line21.rollUp("L\(line)", command), at: Int64(line) * 60) }
        script.send(Line21.command(.eraseDisplayedMemory))
        #expect(script.cues().last?.text.plain == ((7 - rows)...6).map { "L\($0)" }.joined(separator: "\n"))
    }

    @Test func rollUpChangesDepthAndRow() {
        var script = CaptionScript()
        for line in 1...4 { script.send(Line21.rollUp("L\(line)", .rollUp4), at: Int64(line) * 60) }
        script.send(Line21.command(.rollUp2), at: 300)
        script.send(Line21.preamble(row: 5), at: 360)
        script.send(Line21.command(.eraseDisplayedMemory), at: 420)
        let cues = script.cues()
        #expect(cues.suffix(3).map(Line.init) == [Line("L1\nL2\nL3\nL4", 242, 300), Line("L3\nL4", 300, 360), Line("L3\nL4", 360, 420)])
        #expect(cues.last?.placement?.alignment == .topLeft)
        // A window that would reach over the top stays on the picture.
        var high = CaptionScript()
        for line in 1...3 { high.send(Line21.rollUp("L\(line)", .rollUp3, row: 1), at: Int64(line) * 60) }
        #expect(high.cues().last?.text.plain == "L1\nL2\nL3")
    }

    @Test func paintOnAppearsAsItIsWritten() {
        var script = CaptionScript()
        script.send(Line21.command(.resumeDirectCaptioning) + Line21.preamble(row: 14) + Line21.text("HELLO THERE") + Line21.preamble(row: 15) + Line21.text("FRIEND"))
        // A pause, and more of it.
        script.send(Line21.text(" OF MINE"), at: 90)
        script.send(Line21.command(.eraseDisplayedMemory), at: 150)
        #expect(script.cues().map(Line.init) == [Line("HELLO THERE\nFRIEND", 4, 90), Line("HELLO THERE\nFRIEND OF MINE", 90, 150)])
    }

    @Test func writingThatGoesOnAndOnIsCutAtTimes() {
        var script = CaptionScript()
        script.send(Line21.rollUp(""))
        for (i, letter) in "ABCDEFGHIJKLMNOPQRST".enumerated() { script.send(Line21.text(String(letter)), at: 30 + Int64(i) * 15) }
        let cues = script.cues().map(Line.init)
        #expect(cues.map(\.start) == [30, 120, 210, 300])
        #expect(cues.first?.text == "ABCDEF" && cues.last?.text == "ABCDEFGHIJKLMNOPQRST")
    }

    @Test func changingToRollUpErasesBothMemories() {
        #expect(lines(Line21.popOn("OLD") + Line21.command(.endOfCaption) + Line21.popOn("LOADED"), Line21.rollUp("NEW"), Line21.command(.endOfCaption)).map(\.text) == ["OLD", "NEW"])
    }

    @Test func textBeforeAnyModeIsLoaded() {
        // The stream begins behind the command.
        #expect(lines(Line21.preamble(row: 3) + Line21.text("FIRST") + Line21.command(.endOfCaption)).map(\.text) == ["FIRST"])
        #expect(lines(Line21.text("REST OF A ROW"), Line21.rollUp("NEXT"), Line21.command(.endOfCaption)).map(\.text) == ["NEXT"])
    }

    @Test func theTextServiceIsPassedOver() {
        for command in [CEA608Code.Command.textRestart, .resumeTextDisplay] {
            let parts = Line21.popOn("CAPTION") + Line21.command(command) + Line21.text("STOCKS") + Line21.preamble(row: 1) + Line21.code(0x11, 0x2E)
            // Erasing acts on captions in this mode, too.
            #expect(lines(parts, Line21.command(.resumeCaptionLoading) + Line21.text("S") + Line21.command(.endOfCaption)).map(\.text) == ["CAPTIONS"])
        }
    }

    @Test func rollUpGoesOnBehindTheTextService() {
        var script = CaptionScript()
        script.send(Line21.rollUp("ONE"), at: 0)
        script.send(Line21.command(.textRestart) + Line21.text("STOCKS") + Line21.command(.carriageReturn) + Line21.text("UP"), at: 30)
        script.send(Line21.rollUp("TWO"), at: 90)
        script.send(Line21.command(.eraseDisplayedMemory), at: 150)
        #expect(script.cues().map(Line.init) == [Line("ONE", 6, 92), Line("ONE\nTWO", 92, 150)])
    }

    // MARK: Editing

    @Test func backspaceTakesBackOneColumn() {
        #expect(text(Line21.popOn("ABC"), Line21.command(.backspace), Line21.text("D")).plain == "ABD")
        #expect(text(Line21.popOn("A"), Line21.command(.backspace), Line21.command(.alarmOn), Line21.command(.backspace), Line21.text("B")).plain == "B")
    }

    @Test func deleteToEndOfRowLeavesWhatIsBeforeTheCursor() {
        let back = Line21.preamble(row: 15, attribute: 9)
        #expect(text(Line21.popOn("ABCDEFGH"), back, Line21.command(.deleteToEndOfRow)).plain == "ABCD")
    }

    @Test func theLastColumnIsWrittenOverAndCanBeTakenBack() {
        let full = String(repeating: "x", count: 31)
        #expect(text(Line21.popOn(full + "ABC")).plain == full + "C")
        #expect(text(Line21.popOn(full + "A"), Line21.command(.backspace), Line21.text("B")).plain == full + "B")
        // An extended character takes the place of the one before it there, too.
        #expect(text(Line21.popOn(full + "E"), Line21.code(0x12, 0x21)).plain == full + "É")
        #expect(text(Line21.popOn(full + "E"), Line21.command(.deleteToEndOfRow)).plain == full + "E")
    }

    @Test func tabsMoveWithoutErasing() {
        #expect(text(Line21.popOn("ABCDEFGH"), Line21.preamble(row: 15), Line21.code(0x17, 0x23), Line21.text("X")).plain == "ABCXEFGH")
        #expect(text(Line21.popOn(""), Line21.code(0x17, 0x21), Line21.text("X"), Line21.code(0x17, 0x22), Line21.text("Y")).plain == "X Y")
    }

    @Test func charactersOfAllSets() {
        let parts = Line21.popOn("a") + Line21.code(0x11, 0x37) + Line21.code(0x11, 0x39) + Line21.text("~") + Line21.text("u") + Line21.code(0x12, 0x25)
        #expect(text(parts, Line21.text("s"), Line21.code(0x13, 0x34)).plain == "a♪ ñüß")
    }

    @Test func carriageReturnMeansNothingInPopOn() {
        #expect(text(Line21.popOn("AB"), Line21.command(.carriageReturn), Line21.text("CD")).plain == "ABCD")
    }

    // MARK: Style and place

    @Test func stylesOfPreamblesAndMidRowCodes() {
        let yellow = StyledText.Colour(red: 0xFF, green: 0xFF, blue: 0)
        let parts = Line21.command(.resumeCaptionLoading) + Line21.preamble(row: 15, attribute: 7, underline: true) + Line21.text("it") + Line21.code(0x11, 0x2A)
        let found = text(parts, Line21.text("ye"), Line21.code(0x11, 0x2E), Line21.text("both"), Line21.code(0x11, 0x20), Line21.text("no"))
        #expect(found.runs == [
            .init("it", .init(isItalic: true, isUnderlined: true)), .init(" "), .init("ye", .init(colour: yellow)), .init(" "),
            .init("both", .init(isItalic: true, colour: yellow)), .init(" no"),
        ])
    }

    @Test func coloursOfPreambles() {
        let colours: [(UInt8, UInt8, UInt8)?] = [nil, (0, 255, 0), (0, 0, 255), (0, 255, 255), (255, 0, 0), (255, 255, 0), (255, 0, 255)]
        for (i, colour) in colours.enumerated() {
            let expected = colour.map { StyledText.Colour(red: $0.0, green: $0.1, blue: $0.2) }
            #expect(text(Line21.popOn("x", attribute: UInt8(i))).runs.first?.style.colour == expected)
        }
        // Black on the players' black could not be read.
        #expect(text(Line21.popOn("", attribute: 4), Line21.code(0x17, 0x2F), Line21.text("x")).runs == [.init("x", .init(isUnderlined: true))])
    }

    @Test func flashingTakesAColumnAndIsNoStyle() {
        #expect(text(Line21.popOn("A"), Line21.command(.flashOn), Line21.text("B")) == StyledText("A B"))
    }

    private func placement(row: Int, attribute: UInt8, _ words: String, tab: UInt8? = nil) -> TextPlacement? {
        var script = CaptionScript()
        script.send(Line21.command(.resumeCaptionLoading) + Line21.preamble(row: row, attribute: attribute))
        if let tab { script.send(Line21.code(0x17, 0x20 + tab)) }
        script.send(Line21.text(words) + Line21.command(.endOfCaption))
        return script.cues().first?.placement
    }

    @Test func placementComesOfRowAndColumn() throws {
        // At the bottom in the middle: the viewer's own place.
        #expect(placement(row: 15, attribute: 10, "IN THE MIDDLE", tab: 1) == nil)
        let top = try #require(placement(row: 1, attribute: 11, "ON TOP"))
        #expect(top.alignment == .top && top.anchor == .init(x: 0.5, y: 0.1))
        let left = try #require(placement(row: 15, attribute: 8, "LEFT"))
        #expect(left.alignment == .bottomLeft && abs((left.anchor?.x ?? 0) - 0.1) < 1e-9 && abs((left.anchor?.y ?? 0) - 0.9) < 1e-9)
        let right = try #require(placement(row: 3, attribute: 15, "END", tab: 1))
        #expect(right.alignment == .topLeft && abs((right.anchor?.x ?? 0) - (0.1 + 0.8 * 29 / 32)) < 1e-9)
    }

    @Test func rowsApartFromEachOtherAreCuesOfTheirOwn() {
        let parts = Line21.command(.resumeCaptionLoading) + Line21.preamble(row: 2) + Line21.text("SHE") + Line21.preamble(row: 14, attribute: 12) + Line21.text("HE")
        let more = Line21.preamble(row: 15, attribute: 12) + Line21.text("TOO") + Line21.command(.endOfCaption)
        #expect(lines(parts, more).map(\.text) == ["SHE", "HE\nTOO"])
    }

    // MARK: The line

    @Test func aRepeatedCodeCountsOnceAndItsThirdCopyAgain() {
        let back = Line21.pair(0x14, 0x21)
        let padding = CaptionTriplet(.field1, 0x80, 0x80)
        #expect(text(Line21.popOn("ABCDEF"), [back]).plain == "ABCDE")
        #expect(text(Line21.popOn("ABCDEF"), [back, back]).plain == "ABCDE")
        #expect(text(Line21.popOn("ABCDEF"), [back, padding, back]).plain == "ABCDE")
        #expect(text(Line21.popOn("ABCDEF"), [back, back, back]).plain == "ABCD")
        #expect(text(Line21.popOn("ABCDEF"), [back, back, back, back]).plain == "ABCD")
        // Characters come as often as they are sent.
        #expect(text(Line21.popOn(""), Line21.text("ABAB")).plain == "ABAB")
    }

    @Test func wrongParity() {
        func spoilt(_ triplet: CaptionTriplet, first: Bool) -> CaptionTriplet {
            CaptionTriplet(triplet.kind, triplet.first ^ (first ? 0x80 : 0), triplet.second ^ (first ? 0 : 0x80))
        }
        let ab = Line21.pair(0x41, 0x42)
        #expect(text(Line21.popOn(""), [spoilt(ab, first: true)]).plain == "█B")
        #expect(text(Line21.popOn(""), [spoilt(ab, first: false)]).plain == "A█")
        // A damaged copy of a code leaves the other to be obeyed, whichever it is.
        let back = Line21.pair(0x14, 0x21)
        for first in [true, false] {
            #expect(text(Line21.popOn("ABC"), [spoilt(back, first: false), back]).plain == "AB", "\(first)")
            #expect(text(Line21.popOn("ABC"), [back, spoilt(back, first: false)]).plain == "AB")
        }
        var receiver = CaptionReceiver()
        _ = receiver.take(spoilt(ab, first: true), at: .zero)
        #expect(receiver.damagedCount == 1)
    }

    @Test func fourChannelsDoNotMix() {
        for channel in 1...4 {
            var script = CaptionScript()
            for other in 1...4 {
                script.send(Line21.popOn("CC\(other)", channel: other) + Line21.command(.endOfCaption, channel: other))
            }
            #expect(script.cues(of: .cea608(channel)).map(\.text.plain) == ["CC\(channel)"])
        }
        // Field 2 has codes of its own for the same commands.
        var script = CaptionScript()
        script.send([0x20, 0x20, 0x2E, 0x2E].map { Line21.pair(0x15, $0, field: .field2) } + Line21.text("HI", channel: 3) + [Line21.pair(0x15, 0x2F, field: .field2)])
        #expect(script.cues(of: .cea608(3)).map(\.text.plain) == ["HI"])
    }

    @Test func extendedDataIsNoCaption() {
        var script = CaptionScript()
        let name = [Line21.pair(0x01, 0x03, field: .field2)] + Line21.text("A PROGRAMME", channel: 3)
        let rest = [Line21.pair(0x02, 0x03, field: .field2)] + Line21.text("'S NAME", channel: 3) + [Line21.pair(0x0F, 0x1D, field: .field2)]
        script.send(Line21.popOn("SEEN", channel: 3) + name)
        // A caption goes on with its mode's code; without it what follows is nobody's.
        script.send(Line21.command(.resumeCaptionLoading, channel: 3) + Line21.text("!", channel: 3) + rest + Line21.text("LOST", channel: 3))
        script.send(Line21.command(.endOfCaption, channel: 3))
        #expect(script.captions().map { "\($0.channel.instreamIdentifier) \($0.cue.text.plain)" } == ["CC3 SEEN!"])
    }

    // MARK: Ends

    @Test func whatNothingEndsEndsByItself() {
        var script = CaptionScript()
        script.send(Line21.popOn("FORGOTTEN") + Line21.command(.endOfCaption))
        let shown = script.end.ticks - 2
        // Renewed by nothing: what is written later is no reason to show it again.
        script.send(Line21.popOn("NEXT"), at: 600)
        script.send(Line21.command(.endOfCaption), at: 630)
        #expect(script.cues().map(Line.init) == [Line("FORGOTTEN", shown, shown + 300), Line("NEXT", 630, 720)])
        #expect(script.cues(endingAt: CaptionScript.time(640)).map(Line.init).last == Line("NEXT", 630, 640))
        #expect(script.cues(endingAt: CaptionScript.time(9000)).map(Line.init).last == Line("NEXT", 630, 930))
        #expect(script.cues(endingAt: CaptionScript.time(630)).map(Line.init).last == Line("NEXT", 630, 720))
    }

    @Test func aRowThatEndedByItselfDoesNotRollUpAgain() {
        var script = CaptionScript()
        script.send(Line21.rollUp("OLD"))
        script.send(Line21.rollUp("NEW"), at: 900)
        #expect(script.cues().map(\.text.plain) == ["OLD", "NEW"])
    }

    @Test func nothingTrapsOnAnyBytes() {
        var random = SeededRandom(seed: 608)
        for _ in 0..<200 {
            var script = CaptionScript()
            script.send((0..<400).map { _ in
                let isCode = Bool.random(using: &random)
                let first = isCode ? UInt8.random(in: 0x10...0x1F, using: &random) : UInt8.random(in: 0...0x7F, using: &random)
                return Line21.pair(first, UInt8.random(in: 0...0x7F, using: &random), field: Bool.random(using: &random) ? .field1 : .field2)
            })
            for cue in script.captions().map(\.cue) {
                #expect(cue.start < cue.end ?? cue.start && !cue.text.isEmpty)
                #expect(!cue.text.plain.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
            }
        }
    }
}
