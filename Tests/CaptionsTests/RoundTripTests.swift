import BitsAndTime
@testable import Captions
import Testing
import TestSupport
import TimedText

/// Text through the small encoders and back.
@Suite struct RoundTripTests {
    /// The pairs of a character: basic ones are bytes, the others codes, extended ones behind what receivers without them show.
    private func line21(_ text: String) -> [CaptionTriplet] {
        var pairs: [CaptionTriplet] = []
        for scalar in text.unicodeScalars {
            if let code = (0x20...0x7F as ClosedRange<UInt8>).first(where: { CEA608Characters.basic($0) == scalar }) {
                pairs.append(Line21.pair(code, 0))
            } else if let i = CEA608Characters.special.firstIndex(of: scalar) {
                pairs += Line21.code(0x11, 0x30 + UInt8(i))
            } else if let i = CEA608Characters.spanishAndFrench.firstIndex(of: scalar) {
                pairs += Line21.text("?") + Line21.code(0x12, 0x20 + UInt8(i))
            } else if let i = CEA608Characters.portugueseGermanAndDanish.firstIndex(of: scalar) {
                pairs += Line21.text("?") + Line21.code(0x13, 0x20 + UInt8(i))
            }
        }
        return pairs
    }

    private static let repertoire: [Unicode.Scalar] = {
        let basic = (0x20...0x7F as ClosedRange<UInt8>).compactMap(CEA608Characters.basic)
        return (basic + CEA608Characters.special + CEA608Characters.spanishAndFrench + CEA608Characters.portugueseGermanAndDanish).filter { $0 != " " && $0 != "\u{A0}" }
    }()

    @Test func everyCharacterOfLine21InEveryMode() {
        var random = SeededRandom(seed: 21)
        for _ in 0..<100 {
            let words = (0..<Int.random(in: 1...30, using: &random)).map { _ in String(Self.repertoire.randomElement(using: &random) ?? "x") }.joined()
            let row = Int.random(in: 1...15, using: &random)
            for mode in 0..<3 {
                var script = CaptionScript()
                switch mode {
                case 0: script.send(Line21.popOn("", row: row) + line21(words) + Line21.command(.endOfCaption))
                case 1: script.send(Line21.command(.resumeDirectCaptioning) + Line21.preamble(row: row) + line21(words))
                default: script.send(Line21.rollUp("", row: row) + line21(words))
                }
                #expect(script.cues().last?.text.plain == words)
            }
        }
    }

    @Test func textOfServices() {
        var random = SeededRandom(seed: 70)
        for _ in 0..<100 {
            let scalars = (0..<Int.random(in: 1...20, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: [0x21...0x7E, 0xA1...0xFF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F600...0x1F64F].randomElement(using: &random) ?? 0x41...0x5A, using: &random))
            }
            let words = String(String.UnicodeScalarView(scalars))
            let codes = scalars.flatMap { scalar -> [UInt8] in
                switch scalar.value {
                case 0x20...0x7E, 0xA0...0xFF: [UInt8(scalar.value)]
                default: String(scalar).utf16.flatMap { DTVCC.unicode($0) }
                }
            }
            var script = CaptionScript()
            var encoder = DTVCC()
            let service = Int.random(in: 1...63, using: &random)
            // Codes of characters are cut wherever a packet ends.
            script.sendAtOnce(encoder.packet([DTVCC.define(0, rows: 1)], service: service), at: 0)
            for start in stride(from: 0, to: codes.count, by: 29) {
                script.sendAtOnce(encoder.packet([Array(codes[start..<min(start + 29, codes.count)])], service: service), at: 1)
            }
            #expect(script.cues(of: .cea708(service)).map(\.text.plain).last == words)
        }
    }
}
