import BitsAndTime
@testable import Captions
import Foundation
import Testing
import TestSupport
import TimedText

/// The same Scenarist files through FFmpeg's decoder.
@Suite struct FFmpegComparisonTests {
    /// Each caption's pairs as a line of its own, a second and a half apart.
    private func file(_ captions: [[CaptionTriplet]]) -> String {
        captions.enumerated().reduce("Scenarist_SCC V1.0\n\n") { text, caption in
            let frame = caption.offset * 45 + 30
            let pairs = caption.element.map { triplet in
                let word = String(UInt16(triplet.first) << 8 | UInt16(triplet.second), radix: 16)
                return String(repeating: "0", count: 4 - word.count) + word
            }
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return text + "00:\(two(frame / 1800)):\(two(frame / 30 % 60)):\(two(frame % 30))\t\(pairs.joined(separator: " "))\n\n"
        }
    }

    /// Texts of what is shown, lines apart by bars, blanks of any number as one.
    private func texts(_ captions: [[CaptionTriplet]]) throws -> (ours: [String], ffmpeg: [String]) {
        let file = file(captions)
        let ours = try ScenaristFile(file).captions().map { $0.cue.text.plain.split(separator: "\n").joined(separator: "|") }
        let fixture = try FFmpegFixture()
        try Data(file.utf8).write(to: fixture.url("captions.scc"))
        let output = String(decoding: try FFmpegFixture.run(["ffmpeg", "-nostdin", "-v", "quiet", "-i", fixture.url("captions.scc").path, "-f", "ass", "-"]).output, as: UTF8.self)
        let shown = output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Dialogue:") }.map { line in
            let text = line.split(separator: ",", maxSplits: 9, omittingEmptySubsequences: false).last.map(String.init) ?? ""
            let rows = text.replacing(/\{[^\\}][^}]*\}|\{\\[^}]*\}/, with: "").replacing("\\N", with: "|").replacing("\\h", with: " ")
            return rows.split(separator: "|").map { $0.split(whereSeparator: { $0 == " " || $0 == "\u{A0}" }).joined(separator: " ") }.filter { !$0.isEmpty }.joined(separator: "|")
        }
        return (ours, shown)
    }

    /// Pop-on of random words, rows, indents, tabs, attributes. Backspace is left out: FFmpeg's takes nothing back (47 CFR 15.119 (f)(1)(vi)).
    @Test func popOnOfEverySort() throws {
        var random = SeededRandom(seed: 5)
        let captions = (0..<60).map { _ -> [CaptionTriplet] in
            var parts = Line21.command(.resumeCaptionLoading) + Line21.command(.eraseNondisplayedMemory)
            for row in Set((0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 12...15, using: &random) }).sorted() {
                parts += Line21.preamble(row: row, attribute: UInt8.random(in: 0...11, using: &random), underline: Bool.random(using: &random))
                if Bool.random(using: &random) { parts += Line21.code(0x17, UInt8.random(in: 0x21...0x23, using: &random)) }
                parts += Line21.text("WORD\(Int.random(in: 0...99, using: &random))")
                if Bool.random(using: &random) { parts += Line21.code(0x11, UInt8.random(in: 0x20...0x2F, using: &random)) + Line21.text("more") }
                if Bool.random(using: &random) { parts += Line21.command(.deleteToEndOfRow) }
            }
            return parts + Line21.command(.endOfCaption)
        }
        let (ours, ffmpeg) = try texts(captions + [Line21.command(.eraseDisplayedMemory)])
        // Rows that do not touch are cues of their own here.
        #expect(ours.joined(separator: "|") == ffmpeg.joined(separator: "|"))
    }

    @Test(arguments: [CEA608Code.Command.rollUp2, .rollUp3, .rollUp4])
    func rollUp(command: CEA608Code.Command) throws {
        let (ours, ffmpeg) = try texts((1...12).map { Line21.rollUp("LINE \($0)", command) } + [Line21.command(.eraseDisplayedMemory)])
        #expect(ours == ffmpeg)
    }

    @Test func everyCharacter() throws {
        let basic = (0x21...0x7F as ClosedRange<UInt8>).map { [Line21.pair(0x3D, $0)] }
        let special = (0x30...0x3F as ClosedRange<UInt8>).map { Line21.text("=") + Line21.code(0x11, $0) }
        let extended = [0x12, 0x13].flatMap { set in (0x20...0x3F as ClosedRange<UInt8>).map { Line21.text("=?") + Line21.code(set, $0) } }
        let captions = (basic + special + extended).map { Line21.popOn("") + $0 + Line21.command(.endOfCaption) }
        let (ours, ffmpeg) = try texts(captions + [Line21.command(.eraseDisplayedMemory)])
        let different = Set(zip(ours, ffmpeg).filter { $0 != $1 }.map { "\($0.dropFirst()) \($1.dropFirst())" })
        // By CTA-608-E: opening quote (12 26), plain quote (12 29), em dash (12 2A), bullet (12 2D), vertical line (13 37). 13 2E is what
        // lines are told apart by here.
        #expect(ours.count == ffmpeg.count && different.isSubset(of: ["‘ ´", "' ‘", "— -", "• ·", "| ", "│ ¦"]), "\(different)")
    }
}
