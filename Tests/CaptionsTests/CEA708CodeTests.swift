@testable import Captions
import Testing
import TestSupport

@Suite struct CEA708CodeTests {
    private func read(_ bytes: [UInt8]) -> CEA708Code? {
        guard let (code, count) = CEA708Code.read(bytes[...]), count == bytes.count else { return nil }
        return code
    }

    @Test func charactersOfTheFourSets() {
        #expect(read([0x41]) == .character("A") && read([0x7E]) == .character("~") && read([0x7F]) == .character("♪"))
        #expect(read([0xA0]) == .character("\u{A0}") && read([0xE9]) == .character("é") && read([0xFF]) == .character("ÿ"))
        let g2: [UInt8: Unicode.Scalar] = [
            0x20: "\u{A0}", 0x21: "\u{A0}", 0x25: "…", 0x2A: "Š", 0x2C: "Œ", 0x30: "█", 0x31: "‘", 0x32: "’", 0x33: "“", 0x34: "”", 0x35: "•", 0x39: "™",
            0x3A: "š", 0x3C: "œ", 0x3D: "℠", 0x3F: "Ÿ", 0x76: "⅛", 0x77: "⅜", 0x78: "⅝", 0x79: "⅞", 0x7A: "│", 0x7B: "┐", 0x7C: "└", 0x7D: "─", 0x7E: "┘", 0x7F: "┌",
        ]
        for code in 0x20...0x7F as ClosedRange<UInt8> { #expect(read([0x10, code]) == .character(g2[code] ?? "_")) }
        #expect(read([0x10, 0xA0]) == .character("㏄") && read([0x10, 0xA1]) == .character("_"))
    }

    @Test func unicode() {
        #expect(read([0x18, 0xAC, 0x00]) == .character("가") && read([0x18, 0x00, 0x41]) == .character("A"))
        #expect(read([0x18, 0xD8, 0x3D]) == .surrogate(0xD83D))
        // A line feed, a separator or a mark of byte order is no character.
        for unit in [0x000A, 0x001B, 0x0085, 0x2028, 0x2029, 0xFEFF, 0xFFFF] as [UInt16] { #expect(read(DTVCC.unicode(unit)) == .other) }
    }

    @Test func controlsOfC0() {
        #expect(read([0x00]) == .other && read([0x03]) == .endOfText && read([0x08]) == .backspace && read([0x0C]) == .formFeed)
        #expect(read([0x0D]) == .carriageReturn && read([0x0E]) == .horizontalCarriageReturn)
        // Codes without a meaning: one byte, two, three.
        #expect(read([0x01]) == .other && read([0x11, 0x41]) == .other && read([0x17, 0x41]) == .other && read([0x19, 0x41, 0x42]) == .other)
    }

    @Test func commandsOfC1() {
        for window in 0...7 as ClosedRange<UInt8> { #expect(read([0x80 | window]) == .setCurrentWindow(Int(window))) }
        #expect(read([0x88, 0x81]) == .clearWindows(0x81) && read([0x89, 2]) == .displayWindows(2) && read([0x8A, 4]) == .hideWindows(4))
        #expect(read([0x8B, 8]) == .toggleWindows(8) && read([0x8C, 0xFF]) == .deleteWindows(0xFF))
        #expect(read([0x8D, 15]) == .delay(15) && read([0x8E]) == .delayCancel && read([0x8F]) == .reset)
        #expect(read([0x90, 0x05, 0xC3]) == .setPenAttributes(isItalic: true, isUnderlined: true))
        #expect(read([0x91, 0x30, 0x00, 0x00]) == .setPenColour(CEA708Pen.Colour(0x30)))
        #expect(read([0x92, 0x0E, 0x1F]) == .setPenLocation(row: 14, column: 31))
        #expect(read([0x93]) == .other && read([0x96]) == .other)
        let attributes = CEA708WindowAttributes(justification: .centre, print: .rightToLeft, scroll: .topToBottom, wrapsWords: true)
        #expect(read([0x97, 0x00, 0x00, 0x40 | 0x10 | 0x08 | 0x02, 0x00]) == .setWindowAttributes(attributes))
        guard case .defineWindow(5, let definition) = read([0x9D, 0x3B, 0xCA, 0x69, 0x71, 0x1F, 0x1A]) else {
            Issue.record("no definition")
            return
        }
        #expect(definition.isVisible && definition.locksRows && definition.locksColumns && definition.priority == 3)
        #expect(definition.isRelative && definition.anchorVertical == 0x4A && definition.anchorHorizontal == 0x69 && definition.anchorPoint == 7)
        #expect(definition.rowCount == 2 && definition.columnCount == 32 && definition.windowStyle == 3 && definition.penStyle == 2)
    }

    @Test func extendedCodesWithoutAMeaningArePassedOverByTheirLengths() {
        for (first, count) in [(0x00, 0), (0x07, 0), (0x08, 1), (0x0F, 1), (0x10, 2), (0x17, 2), (0x18, 3), (0x1F, 3), (0x80, 4), (0x87, 4), (0x88, 5), (0x8F, 5)] as [(UInt8, Int)] {
            #expect(read([0x10, first] + Array(repeating: 0x41, count: count)) == .other, "\(first)")
        }
        #expect(read([0x10, 0x90, 0x03, 1, 2, 3]) == .other)
    }

    @Test func aCodeThatIsNotAllThereIsNone() {
        for code in [[0x18, 0x00, 0x41], [0x88, 1], [0x91, 1, 2, 3], [0x97, 1, 2, 3, 4], DTVCC.define(0), [0x10, 0x41], [0x10, 0x8F, 1, 2, 3, 4, 5], [0x10, 0x91, 2, 1, 2]] as [[UInt8]] {
            for prefix in Damage.truncations(of: code) { #expect(CEA708Code.read(prefix[...]) == nil) }
            #expect(CEA708Code.read(code[...])?.byteCount == code.count)
        }
    }
}
