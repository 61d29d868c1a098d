import BitsAndTime
@testable import Captions
import Testing
import TestSupport
import TimedText

@Suite struct CEA708DecoderTests {
    /// Packets of these codes, each in one picture at its frame.
    private func cues(_ packets: [(frame: Int64, codes: [[UInt8]])], service: Int = 1, endingAt end: Int64? = nil) -> [TextCue] {
        var script = CaptionScript()
        var encoder = DTVCC()
        for packet in packets { script.sendAtOnce(encoder.packet(packet.codes, service: service), at: packet.frame) }
        return script.cues(of: .cea708(service), endingAt: end.map(CaptionScript.time))
    }

    private func lines(_ packets: [(frame: Int64, codes: [[UInt8]])], service: Int = 1, endingAt end: Int64? = nil) -> [Line] {
        cues(packets, service: service, endingAt: end).map(Line.init)
    }

    private func text(_ codes: [UInt8]...) -> StyledText? { cues([(0, codes)], endingAt: 30).first?.text }

    // MARK: Windows

    @Test(arguments: [1, 6, 7, 63])
    func aWindowIsShownWhileItIsVisible(service: Int) {
        let found = lines([(0, [DTVCC.define(0, visible: false), DTVCC.text("HELLO")]), (30, [DTVCC.display(1)]), (90, [DTVCC.hide(1)]), (120, [DTVCC.toggle(1)]), (150, [DTVCC.toggle(1)])], service: service)
        #expect(found == [Line("HELLO", 30, 90), Line("HELLO", 120, 150)])
    }

    @Test func popOnWithTwoWindows() {
        let found = lines([
            (0, [DTVCC.define(0, visible: false), DTVCC.text("ONE")]), (30, [DTVCC.display(1)]),
            (60, [DTVCC.define(1, visible: false), DTVCC.text("TWO")]), (90, [DTVCC.delete(1), DTVCC.display(2)]), (150, [DTVCC.clear(2)]),
        ])
        #expect(found == [Line("ONE", 30, 90), Line("TWO", 90, 150)])
    }

    @Test func severalWindowsAreSeveralCuesByTheirPriority() {
        let found = cues([
            (0, [
                DTVCC.define(2, priority: 1, vertical: 10, anchor: 1), DTVCC.text("BEHIND"), DTVCC.define(5, priority: 0, vertical: 70), DTVCC.text("BEFORE"),
                DTVCC.define(0, priority: 1, vertical: 40, anchor: 4), DTVCC.text("BETWEEN"),
            ]),
            (60, [DTVCC.delete(0xFF)]),
        ])
        #expect(found.map(\.text.plain) == ["BEFORE", "BETWEEN", "BEHIND"] && found.allSatisfy { Line($0).start == 0 && Line($0).end == 60 })
    }

    @Test func rollUpScrollsAtTheLastRow() {
        let found = lines([
            (0, [DTVCC.define(0, rows: 2), DTVCC.text("ONE")]), (60, [DTVCC.carriageReturn, DTVCC.text("TWO")]), (120, [DTVCC.carriageReturn, DTVCC.text("THREE")]),
            (180, [DTVCC.reset]),
        ])
        #expect(found == [Line("ONE", 0, 60), Line("ONE\nTWO", 60, 120), Line("TWO\nTHREE", 120, 180)])
    }

    @Test func clearingKeepsTheWindowAndDeletingDoesNot() {
        let found = lines([
            (0, [DTVCC.define(0), DTVCC.text("ONE")]), (30, [DTVCC.clear(1), DTVCC.text("TWO")]), (60, [[0x0C], DTVCC.text("THREE")]),
            (90, [DTVCC.delete(1), DTVCC.text("NOWHERE")]), (120, [DTVCC.setCurrent(0), DTVCC.text("NOWHERE")]),
        ])
        #expect(found == [Line("ONE", 0, 30), Line("TWO", 30, 60), Line("THREE", 60, 90)])
    }

    @Test func setCurrentWindowChoosesWhereTextGoes() {
        let two = [DTVCC.define(0, visible: false), DTVCC.define(1, visible: false)]
        let found = lines([(0, two + [DTVCC.setCurrent(0), DTVCC.text("A"), DTVCC.setCurrent(1), DTVCC.text("B"), DTVCC.setCurrent(7), DTVCC.text("C")]), (30, [DTVCC.display(3)]), (60, [DTVCC.reset])])
        #expect(found == [Line("A", 30, 60), Line("BC", 30, 60)])
    }

    @Test func aDefinitionSentAgainChangesNothingAndAnotherKeepsTheText() {
        let same = [DTVCC.define(0), DTVCC.text("ONE")]
        #expect(lines([(0, same), (60, [DTVCC.define(0), DTVCC.text(" MORE")]), (90, [DTVCC.reset])]) == [Line("ONE", 0, 60), Line("ONE MORE", 60, 90)])
        let moved = cues([(0, same), (60, [DTVCC.define(0, vertical: 0, anchor: 1)]), (90, [DTVCC.reset])])
        #expect(moved.map(Line.init) == [Line("ONE", 0, 60), Line("ONE", 60, 90)])
        #expect(moved[0].placement?.alignment == .bottomLeft && moved[1].placement?.alignment == .topLeft)
        let smaller = lines([(0, [DTVCC.define(0, rows: 2), DTVCC.text("ONE"), [0x0D], DTVCC.text("TWO")]), (60, [DTVCC.define(0, rows: 1)]), (90, [DTVCC.reset])])
        #expect(smaller == [Line("ONE\nTWO", 0, 60), Line("ONE", 60, 90)])
    }

    @Test func resetDeletesAll() {
        #expect(lines([(0, [DTVCC.define(0), DTVCC.text("A"), DTVCC.define(1, vertical: 10), DTVCC.text("B")]), (30, [DTVCC.reset, DTVCC.text("C")])]) == [Line("A", 0, 30), Line("B", 0, 30)])
    }

    // MARK: Delay

    @Test func delayHoldsCodesBackUntilItEnds() {
        let begin: (Int64, [[UInt8]]) = (0, [DTVCC.define(0), DTVCC.text("ONE")])
        // A second and a half; the rest of the film goes on meanwhile.
        #expect(lines([begin, (30, [DTVCC.delay(15), DTVCC.clear(1), DTVCC.text("TWO")]), (60, []), (120, [DTVCC.reset])]) == [Line("ONE", 0, 75), Line("TWO", 75, 120)])
        #expect(lines([begin, (30, [DTVCC.delay(15), DTVCC.clear(1), DTVCC.text("TWO")]), (60, [DTVCC.delayCancel]), (120, [DTVCC.reset])]) == [Line("ONE", 0, 60), Line("TWO", 60, 120)])
        #expect(lines([begin, (30, [DTVCC.delay(15), DTVCC.clear(1), DTVCC.text("TWO")]), (60, [DTVCC.reset]), (120, [])]) == [Line("ONE", 0, 60)])
        // More than a receiver has to hold ends it.
        let much = (0..<5).map { (Int64(40 + $0), [Array(repeating: UInt8(0x20), count: 29)]) }
        #expect(lines([begin, (30, [DTVCC.delay(250), DTVCC.clear(1)])] + much + [(120, [DTVCC.reset])]).first == Line("ONE", 0, 44))
    }

    // MARK: The pen

    @Test func penLocationAndEditing() {
        #expect(text(DTVCC.define(0), DTVCC.penLocation(1, 0), DTVCC.text("LOW"), DTVCC.penLocation(0, 0), DTVCC.text("HIGH"))?.plain == "HIGH\nLOW")
        #expect(text(DTVCC.define(0), DTVCC.text("ABC"), [0x08], DTVCC.text("D"))?.plain == "ABD")
        #expect(text(DTVCC.define(0), DTVCC.text("ABC"), [0x0E], DTVCC.text("D"))?.plain == "D")
        // Text may go on past the window's columns, but not past a window's most.
        #expect(text(DTVCC.define(0, columns: 4), DTVCC.text("ABCDEF"))?.plain == "ABCDEF")
        #expect(text(DTVCC.define(0), DTVCC.text(String(repeating: "x", count: 50)))?.plain.count == 42)
    }

    @Test func penStyles() {
        let found = text(
            DTVCC.define(0), DTVCC.penAttributes(italic: true), DTVCC.text("I"), DTVCC.penAttributes(underline: true), DTVCC.text("U"), DTVCC.penAttributes(),
            DTVCC.penColour(0x30), DTVCC.text("R"), DTVCC.penColour(0x3F), DTVCC.text("W"), DTVCC.penColour(0x00), DTVCC.text("K"), DTVCC.penColour(0xFF), DTVCC.text("?"))
        let red = StyledText.Colour(red: 0xFF, green: 0, blue: 0)
        #expect(found?.runs == [.init("I", .init(isItalic: true)), .init("U", .init(isUnderlined: true)), .init("R", .init(colour: red)), .init("WK")])
        #expect(text(DTVCC.define(0), DTVCC.penColour(0x15), DTVCC.text("G"))?.runs.first?.style.colour == .init(red: 0x55, green: 0x55, blue: 0x55))
    }

    @Test func unicodeOfTwoHalvesIsOneCharacter() {
        #expect(text(DTVCC.define(0), DTVCC.unicode(0xD83D), DTVCC.unicode(0xDE00), DTVCC.unicode(0xAC00))?.plain == "😀가")
        #expect(text(DTVCC.define(0), DTVCC.unicode(0xDE00), DTVCC.unicode(0xD83D), DTVCC.text("A"), DTVCC.unicode(0xDE00))?.plain == "A")
    }

    // MARK: Directions

    @Test func rightToLeftAndVerticalWriting() {
        func written(print: UInt8, scroll: UInt8, _ codes: [UInt8]...) -> String? {
            cues([(0, [DTVCC.define(0, rows: 4, columns: 3), DTVCC.windowAttributes(print: print, scroll: scroll)] + codes)], endingAt: 30).first?.text.plain
        }
        #expect(written(print: 1, scroll: 3, DTVCC.text("ABC"), [0x0D], DTVCC.text("D")) == "ABC\nD")
        // Down, with the next column to the right, and to the left.
        #expect(written(print: 2, scroll: 1, DTVCC.text("ABCD"), [0x0D], DTVCC.text("EF")) == "ABCD\nEF")
        #expect(written(print: 2, scroll: 0, DTVCC.penLocation(0, 2), DTVCC.text("ABCD"), [0x0D], DTVCC.text("EF")) == "ABCD\nEF")
        #expect(written(print: 3, scroll: 1, DTVCC.text("AB"), [0x0D], DTVCC.text("CD")) == "AB\nCD")
        // Columns move when there is none left.
        #expect(written(print: 2, scroll: 1, DTVCC.text("A"), [0x0D], DTVCC.text("B"), [0x0D], DTVCC.text("C")) == "A\nB\nC")
        let moved = cues([(0, [DTVCC.define(0, rows: 4, columns: 2), DTVCC.windowAttributes(print: 2, scroll: 1), DTVCC.text("A"), [0x0D], DTVCC.text("B")]), (30, [[0x0D], DTVCC.text("C")])], endingAt: 60)
        #expect(moved.map(\.text.plain) == ["A\nB", "B\nC"])
        // New lines on top.
        #expect(written(print: 0, scroll: 2, DTVCC.text("OLD"), [0x0D], DTVCC.text("NEW")) == "NEW\nOLD")
    }

    @Test func predefinedStyles() {
        let directions = (1...7).map { CEA708WindowAttributes.style($0) }
        #expect(directions.map(\.justification) == [.left, .left, .centre, .left, .left, .centre, .left])
        #expect(directions.map(\.wrapsWords) == [false, false, false, true, true, true, false])
        #expect(directions.last?.printDirection == .topToBottom && directions.last?.scrollDirection == .rightToLeft)
    }

    // MARK: Place

    private func placement(_ definition: [UInt8], _ codes: [UInt8]...) -> TextPlacement? {
        cues([(0, [definition] + codes + [DTVCC.text("WORDS")])], endingAt: 30).first?.placement
    }

    @Test func placementComesOfTheAnchor() throws {
        #expect(placement(DTVCC.define(0, style: 3)) == nil)
        let top = try #require(placement(DTVCC.define(0, vertical: 0, anchor: 1, rows: 1, style: 3)))
        #expect(top.alignment == .top && abs((top.anchor?.x ?? 0) - 0.5) < 0.01 && top.anchor?.y == 0.1)
        let relative = try #require(placement(DTVCC.define(0, relative: true, vertical: 100, horizontal: 0, anchor: 6, rows: 1)))
        #expect(relative.alignment == .bottomLeft && abs((relative.anchor?.x ?? 0) - 0.1) < 0.01 && abs((relative.anchor?.y ?? 0) - 0.9) < 0.01)
        let right = try #require(placement(DTVCC.define(0, vertical: 20, horizontal: 209, anchor: 2, rows: 1), DTVCC.windowAttributes(justify: 1)))
        #expect(right.alignment == .topRight && abs((right.anchor?.x ?? 0) - 0.9) < 0.01)
    }

    @Test func aLineInAWindowAsLargeAsThePictureIsWhereItsPenWas() throws {
        let whole = DTVCC.define(0, relative: true, vertical: 0, horizontal: 0, anchor: 0, rows: 15, columns: 32)
        let low = try #require(placement(whole, DTVCC.penLocation(13, 0)))
        #expect(low.alignment == .bottomLeft && abs((low.anchor?.y ?? 0) - (0.1 + 0.8 * 14 / 15)) < 0.01)
        let high = try #require(placement(whole, DTVCC.penLocation(2, 0)))
        #expect(high.alignment == .topLeft && abs((high.anchor?.y ?? 0) - (0.1 + 0.8 * 2 / 15)) < 0.01)
    }

    // MARK: Damage

    @Test func aCodeAcrossTwoBlocksIsOneUnlessThereIsAGap() {
        var encoder = DTVCC()
        var script = CaptionScript()
        script.sendAtOnce(encoder.packet([DTVCC.define(0), DTVCC.text("A"), [0x18, 0xAC]]), at: 0)
        script.sendAtOnce(encoder.packet([[0x00], DTVCC.text("B")]), at: 1)
        #expect(script.cues(of: .cea708(1)).map(\.text.plain) == ["A가B"])
        var gap = CaptionScript()
        gap.sendAtOnce(encoder.packet([DTVCC.define(0), DTVCC.text("A"), [0x18, 0xAC]]), at: 0)
        _ = encoder.packet([[0x00]])
        gap.sendAtOnce(encoder.packet([DTVCC.text("B")]), at: 1)
        #expect(gap.cues(of: .cea708(1)).map(\.text.plain) == ["AB"])
    }

    @Test func whatNothingEndsEndsByItself() {
        #expect(lines([(0, [DTVCC.define(0), DTVCC.text("FORGOTTEN")]), (900, [DTVCC.text("NEW")]), (930, [DTVCC.reset])]) == [Line("FORGOTTEN", 0, 300), Line("NEW", 900, 930)])
    }

    @Test func nothingTrapsOnAnyBytes() {
        var random = SeededRandom(seed: 708)
        for _ in 0..<200 {
            var encoder = DTVCC()
            var script = CaptionScript()
            for frame in 0..<60 as Range<Int64> {
                var codes = [DTVCC.define(UInt8.random(in: 0...7, using: &random), rows: UInt8.random(in: 1...15, using: &random), columns: UInt8.random(in: 1...42, using: &random), style: UInt8.random(in: 0...7, using: &random))]
                codes.append((0..<30).map { _ in Bool.random(using: &random) ? UInt8.random(in: 0x80...0x9F, using: &random) : UInt8.random(in: 0...255, using: &random) })
                codes.append(DTVCC.windowAttributes(print: UInt8.random(in: 0...3, using: &random), scroll: UInt8.random(in: 0...3, using: &random)))
                script.sendAtOnce(encoder.packet(codes), at: frame * 7)
            }
            for cue in script.captions().map(\.cue) {
                #expect(cue.start < cue.end ?? cue.start && !cue.text.isEmpty)
                #expect(!cue.text.plain.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
            }
        }
    }
}
