@testable import Captions
import Testing
import TimedText

@Suite struct CEA608CodeTests {
    /// 47 CFR 15.119 (i): the sixteen miscellaneous codes, in both fields' form.
    @Test(arguments: [UInt8(0x14), 0x15])
    func miscellaneousCodesAreTheStandards(first: UInt8) {
        let names: [CEA608Code.Command] = [
            .resumeCaptionLoading, .backspace, .alarmOff, .alarmOn, .deleteToEndOfRow, .rollUp2, .rollUp3, .rollUp4,
            .flashOn, .resumeDirectCaptioning, .textRestart, .resumeTextDisplay, .eraseDisplayedMemory, .carriageReturn, .eraseNondisplayedMemory, .endOfCaption,
        ]
        for (i, name) in names.enumerated() {
            #expect(CEA608Code(first, 0x20 + UInt8(i)) == .command(name))
            // The second data channel's form has bit 3 set.
            #expect(CEA608Code(first | 8, 0x20 + UInt8(i)) == .command(name))
        }
    }

    /// Table of preamble address codes: the row by both bytes, the style by the second.
    @Test func preamblesNameRowIndentAndStyle() {
        let rows: [(UInt8, UInt8, Int)] = [
            (0x11, 0x40, 1), (0x11, 0x60, 2), (0x12, 0x40, 3), (0x12, 0x60, 4), (0x15, 0x40, 5), (0x15, 0x60, 6), (0x16, 0x40, 7), (0x16, 0x60, 8),
            (0x17, 0x40, 9), (0x17, 0x60, 10), (0x10, 0x40, 11), (0x13, 0x40, 12), (0x13, 0x60, 13), (0x14, 0x40, 14), (0x14, 0x60, 15),
        ]
        for (first, second, row) in rows {
            for attribute in 0..<16 as Range<UInt8> {
                for underline in [0, 1] as [UInt8] {
                    let colour = attribute < 7 ? CEA608Code.Colour.allCases[Int(attribute)] : .white
                    let indent = attribute < 8 ? 0 : Int(attribute - 8) * 4
                    let code = CEA608Code(first, second | attribute << 1 | underline)
                    #expect(code == .preamble(row: row - 1, indent: indent, colour: colour, isItalic: attribute == 7, isUnderlined: underline == 1))
                }
            }
        }
        #expect(CEA608Code(0x10, 0x60) == .unknown && CEA608Code(0x10, 0x7F) == .unknown)
    }

    @Test func midRowCodesTabsAndBackgrounds() {
        let colours: [CEA608Code.Colour?] = [.white, .green, .blue, .cyan, .red, .yellow, .magenta, nil]
        for (i, colour) in colours.enumerated() {
            #expect(CEA608Code(0x11, 0x20 + UInt8(i) * 2) == .midRow(colour, isUnderlined: false))
            #expect(CEA608Code(0x19, 0x21 + UInt8(i) * 2) == .midRow(colour, isUnderlined: true))
        }
        for count in 1...3 { #expect(CEA608Code(0x17, 0x20 + UInt8(count)) == .tabOffset(count)) }
        for second in 0x20...0x2F as ClosedRange<UInt8> { #expect(CEA608Code(0x10, second) == .background) }
        #expect(CEA608Code(0x17, 0x2D) == .background)
        #expect(CEA608Code(0x17, 0x2E) == .blackForeground(isUnderlined: false) && CEA608Code(0x1F, 0x2F) == .blackForeground(isUnderlined: true))
        // Character sets of other countries (17 24…2A), and nothing at all.
        for (first, second) in [(0x17, 0x24), (0x17, 0x2A), (0x17, 0x20), (0x16, 0x20), (0x14, 0x30), (0x10, 0x30)] as [(UInt8, UInt8)] {
            #expect(CEA608Code(first, second) == .unknown)
        }
    }

    @Test func theBasicSetIsASCIIWithTenOtherLetters() {
        let others: [UInt8: Unicode.Scalar] = [
            0x27: "’", 0x2A: "á", 0x5C: "é", 0x5E: "í", 0x5F: "ó", 0x60: "ú", 0x7B: "ç", 0x7C: "÷", 0x7D: "Ñ", 0x7E: "ñ", 0x7F: "█",
        ]
        for code in 0x20...0x7F as ClosedRange<UInt8> { #expect(CEA608Characters.basic(code) == others[code] ?? Unicode.Scalar(code)) }
        #expect(CEA608Characters.basic(0x1F) == nil && CEA608Characters.basic(0x80) == nil)
    }

    @Test func specialAndExtendedSets() {
        let special = Array("®°½¿™¢£♪à\u{A0}èâêîôû".unicodeScalars)
        let spanish = Array("ÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»".unicodeScalars)
        let german = Array("ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘".unicodeScalars)
        #expect(special.count == 16 && spanish.count == 32 && german.count == 32)
        for (i, scalar) in special.enumerated() { #expect(CEA608Code(0x11, 0x30 + UInt8(i)) == .special(scalar)) }
        for (i, scalar) in spanish.enumerated() { #expect(CEA608Code(0x12, 0x20 + UInt8(i)) == .extended(scalar)) }
        for (i, scalar) in german.enumerated() { #expect(CEA608Code(0x1B, 0x20 + UInt8(i)) == .extended(scalar)) }
    }
}
