import BitsAndTime
@testable import Captions
import Testing
import TestSupport
import TimedText

@Suite struct ScenaristFileTests {
    private static let words = "9420 9420 94ae 94ae 9470 9470 c8e5 ecec efa1 942f 942f"

    @Test func linesAreDecodedFromTheirTimeCodes() throws {
        let file = try ScenaristFile("Scenarist_SCC V1.0\r\n\r\n00:00:01:00\t\(Self.words)\r\n\r\n00:00:03:00\t942c 942c\r\n")
        let cues = file.captions()
        #expect(cues.map(\.cue.text.plain) == ["Hello!"] && cues.first?.channel == .cea608(1) && file.damagedCount == 0)
        // End Of Caption is the tenth pair.
        #expect(cues.first?.cue.start == MediaTime(ticks: 39 * 1001, timescale: 30_000) && cues.first?.cue.end == MediaTime(ticks: 90 * 1001, timescale: 30_000))
    }

    @Test func timeCodesWithAndWithoutDroppedFrames() {
        #expect(ScenaristFile.frame("00:00:01:00") == 30 && ScenaristFile.frame("01:00:00:00") == 108_000)
        #expect(ScenaristFile.frame("00:00:59;29") == 1799 && ScenaristFile.frame("00:01:00;02") == 1800)
        #expect(ScenaristFile.frame("00:10:00;00") == 17_982 && ScenaristFile.frame("01:00:00;00") == 107_892)
        #expect(ScenaristFile.frame("00:01:00.02") == 1800 && ScenaristFile.frame("00:01:00,02") == 1800)
        for code in ["", "00:00:00", "00:00:00:30", "00:60:00:00", "a0:00:00:00", "-1:00:00:00", "00:00:00:00:00", "000:00:00:00", "00:00:+1:00"] { #expect(ScenaristFile.frame(code[...]) == nil) }
    }

    @Test func aLineThatIsNotSentYetWhenTheNextBeginsDelaysIt() throws {
        let file = try ScenaristFile("Scenarist_SCC V1.0\n00:00:00:00 \(Self.words)\n00:00:00:05 942c 942c")
        #expect(file.captions().first?.cue.end == MediaTime(ticks: 11 * 1001, timescale: 30_000))
    }

    @Test func bytesWithoutParityAreRead() throws {
        let bare = "1420 1420 142e 142e 1470 1470 4865 6c6c 6f21 142f 142f"
        let file = try ScenaristFile("scenarist_scc v1.0\n00:00:01;00 \(bare) 142c\n")
        #expect(file.captions().map(\.cue.text.plain) == ["Hello!"])
    }

    @Test func damageIsRefusedOrCounted() throws {
        #expect(throws: ParseError.self) { try ScenaristFile("WEBVTT\n") }
        #expect(throws: ParseError.self) { try ScenaristFile("") }
        let file = try ScenaristFile("Scenarist_SCC V1.0\nnonsense\n00:00:00:00 94 zzzz +123 9420")
        #expect(file.damagedCount == 4 && file.lines.map(\.pairs) == [[[0x94, 0x20]]])
        for bytes in Damage.all(of: Array("Scenarist_SCC V1.0\n\n00:00:01:00\t\(Self.words)\n\n00:00:02;10\t942c 942c\n".utf8)) {
            guard let found = try? ScenaristFile(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(found.captions().allSatisfy { $0.cue.start < $0.cue.end ?? $0.cue.start })
        }
    }
}
