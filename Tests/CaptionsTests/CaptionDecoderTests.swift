import BitsAndTime
@testable import Captions
import Testing
import TestSupport
import TimedText

/// The law: cues follow from the stream, not from where decoding began.
@Suite struct CaptionDecoderTests {
    private func decode(_ script: CaptionScript, from start: MediaTime? = nil, joining: Bool = true) -> [Caption] {
        var decoder = CaptionDecoder(joiningAt: joining ? start : nil)
        var captions: [Caption] = []
        var isInOrder = true
        for picture in script.pictures where start.map({ picture.time >= $0 }) ?? true {
            let complete = decoder.completeBefore
            let found = decoder.decode(picture.triplets, at: picture.time)
            isInOrder = isInOrder && found.allSatisfy { $0.cue.start >= complete ?? $0.cue.start }
            captions += found
        }
        #expect(isInOrder)
        return Self.ordered(captions + decoder.flush(at: script.end))
    }

    private static func ordered(_ captions: [Caption]) -> [Caption] {
        captions.enumerated().sorted { ($0.element.cue.start, $0.element.channel, $0.offset) < ($1.element.cue.start, $1.element.channel, $1.offset) }.map(\.element)
    }

    /// Two minutes and more of one style, with pauses of any length.
    private func script(_ kind: String, seed: UInt64) -> CaptionScript {
        var random = SeededRandom(seed: seed)
        var script = CaptionScript()
        var encoder = DTVCC()
        var frame: Int64 = 0
        var number = 0
        while frame < 30 * 150 {
            number += 1
            let words = "CAPTION \(number)"
            let channel = kind == "all" ? Int.random(in: 1...4, using: &random) : 1
            let row = Int.random(in: 1...15, using: &random)
            switch kind == "all" ? ["pop-on", "paint-on", "roll-up", "windows", "noise"].randomElement(using: &random) ?? "" : kind {
            case "pop-on":
                script.send(Line21.popOn(words, row: row, channel: channel), at: frame)
                frame += Int64.random(in: 10...200, using: &random)
                script.send(Line21.command(.endOfCaption, channel: channel), at: frame)
                if Bool.random(using: &random) { script.send(Line21.command(.eraseDisplayedMemory, channel: channel), at: frame + Int64.random(in: 20...400, using: &random)) }
            case "paint-on":
                script.send(Line21.command(.resumeDirectCaptioning, channel: channel) + Line21.preamble(row: row, channel: channel) + Line21.text(words, channel: channel), at: frame)
                if Bool.random(using: &random) { script.send(Line21.command(.eraseDisplayedMemory, channel: channel), at: frame + 60) }
            case "roll-up":
                let depth: CEA608Code.Command = kind == "all" ? [.rollUp2, .rollUp3, .rollUp4].randomElement(using: &random) ?? .rollUp2 : .rollUp3
                script.send(Line21.rollUp(words, depth, channel: channel), at: frame)
            case "windows":
                let window = UInt8.random(in: 0...3, using: &random)
                script.sendAtOnce(encoder.packet([DTVCC.define(window, visible: Bool.random(using: &random), rows: 2), DTVCC.text(words), DTVCC.carriageReturn, DTVCC.text("MORE")]), at: frame)
                script.sendAtOnce(encoder.packet([DTVCC.display(UInt8.random(in: 0...15, using: &random)), DTVCC.hide(UInt8.random(in: 0...15, using: &random))]), at: frame + 40)
            default:
                script.send((0..<20).map { _ in Line21.pair(UInt8.random(in: 0x10...0x30, using: &random), UInt8.random(in: 0x20...0x7F, using: &random), field: Bool.random(using: &random) ? .field1 : .field2) }, at: frame)
            }
            frame += Int64.random(in: 5...150, using: &random)
        }
        return script
    }

    @Test(arguments: ["pop-on", "paint-on", "roll-up", "windows", "noise", "all"], [UInt64(1), 2, 3, 4])
    func cuesAreTheSameWhereverDecodingBegan(kind: String, seed: UInt64) {
        let script = script(kind, seed: seed)
        let whole = decode(script)
        #expect(whole.count > 10)
        var random = SeededRandom(seed: seed)
        var compared = 0
        for _ in 0..<25 {
            let start = CaptionScript.time(Int64.random(in: 0..<(30 * 120), using: &random))
            guard let exact = CaptionDecoder(joiningAt: start).exactFrom else { continue }
            #expect(exact > start && exact - start < MediaTime(ticks: 20, timescale: 1))
            let expected = whole.filter { $0.cue.start >= exact }
            #expect(decode(script, from: start) == expected)
            compared += expected.count
        }
        #expect(compared > 100)
    }

    @Test func firstReadLeadsToEveryCueShownAtATime() {
        let script = script("all", seed: 9)
        let whole = decode(script)
        for frame in stride(from: Int64(0), to: 30 * 150, by: 97) {
            let time = CaptionScript.time(frame)
            let first = CaptionDecoder.firstRead(forCuesAt: time)
            #expect(time - first < MediaTime(ticks: 30, timescale: 1))
            let shown: (Caption) -> Bool = { $0.cue.end ?? $0.cue.start > time }
            #expect(decode(script, from: first).filter(shown) == whole.filter(shown))
        }
    }

    /// In streams that renew what they need, as broadcasts do, the epochs take nothing away.
    @Test(arguments: ["pop-on", "paint-on", "roll-up"])
    func epochsLoseNothingOfCaptionsThatRenewTheirMode(kind: String) {
        for seed in 1...4 as ClosedRange<UInt64> {
            let script = script(kind, seed: seed)
            #expect(decode(script) == Self.ordered(script.captions(endingAt: script.end, memory: CaptionDecoder.memory)))
        }
    }

    @Test func aRowThatRollsUpForLongerThanTheMemoryIsGone() {
        var script = CaptionScript()
        for line in 1...8 { script.send(Line21.rollUp("L\(line)", .rollUp4), at: Int64(line) * 30 * 7) }
        // Seven seconds a row: three rows are younger than 16 s when the fourth comes, wherever the epochs lie.
        #expect(decode(script).map(\.cue.text.plain).dropFirst(3) == ["L2\nL3\nL4", "L3\nL4\nL5", "L4\nL5\nL6", "L5\nL6\nL7", "L6\nL7\nL8"])
    }

    @Test func whatWasLoadedLongAgoIsNotKnownInAnyRun() {
        var script = CaptionScript()
        script.send(Line21.popOn("LOADED"), at: 30 * 40)
        script.send(Line21.command(.endOfCaption), at: 30 * 50)
        script.send(Line21.popOn("EARLY"), at: 30 * 70)
        script.send(Line21.command(.endOfCaption), at: 30 * 103)
        script.send(Line21.command(.eraseDisplayedMemory), at: 30 * 105)
        let texts = decode(script).map(\.cue.text.plain)
        #expect(texts == ["LOADED"])
        #expect(decode(script, from: CaptionScript.time(30 * 60)).isEmpty)
    }

    @Test func completenessIsToldByTheOldestOpenCue() {
        var decoder = CaptionDecoder()
        #expect(decoder.completeBefore == nil)
        var script = CaptionScript()
        script.send(Line21.popOn("ONE") + [Line21.pair(0x14, 0x2F)])
        for picture in script.pictures { #expect(decoder.decode(picture.triplets, at: picture.time) == []) }
        let shown = script.pictures.last?.time
        #expect(decoder.completeBefore == shown)
        #expect(decoder.advance(to: CaptionScript.time(200)) == [] && decoder.completeBefore == shown)
        let found = decoder.advance(to: CaptionScript.time(600))
        #expect(found.map(\.cue.end) == [shown.map { $0 + CaptionDecoder.longestCue }] && decoder.completeBefore == CaptionScript.time(600))
    }

    @Test func timesThatGoBackOrFarAheadDoNotHarm() {
        var decoder = CaptionDecoder(joiningAt: MediaTime(ticks: .max, timescale: 1))
        _ = decoder.decode(Line21.popOn("X"), at: MediaTime(ticks: .min, timescale: 1))
        _ = decoder.decode(Line21.popOn("X"), at: MediaTime(ticks: .max, timescale: 1))
        var head = CaptionDecoder()
        for ticks in [Int64.min, 0, .max, -5, .min] {
            for scale in [1, 30, .max] as [Int32] { _ = head.decode(Line21.rollUp("A"), at: MediaTime(ticks: ticks, timescale: scale)) }
        }
        _ = head.flush(at: MediaTime(ticks: .max, timescale: 1))
        #expect(CaptionDecoder.firstRead(forCuesAt: MediaTime(ticks: .min, timescale: 1)) <= .zero)
    }

    @Test func pairsOfSeveralFramesAreSpread() {
        var decoder = CaptionDecoder()
        let group = [Line21.popOn("DVD"), Line21.command(.endOfCaption)].joined().enumerated().map { i, triplet in
            CaptionTriplet(triplet.kind, triplet.first, triplet.second, frameOffset: UInt8(i))
        }
        #expect(decoder.decode(group, at: .zero) == [])
        #expect(decoder.flush(at: nil).map(\.cue.start) == [MediaTime(ticks: 8 * 1001, timescale: 30_000)])
    }

    @Test func damageIsCountedOnce() {
        var decoder = CaptionDecoder()
        for frame in 0..<900 as Range<Int64> { _ = decoder.decode([CaptionTriplet(.field1, 0x41, 0x41)], at: CaptionScript.time(frame)) }
        #expect(decoder.damagedCount == 900)
    }
}
