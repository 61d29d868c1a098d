import BitsAndTime
import TestSupport
import Testing
import TimedText

@Suite struct EBUSTLTests {
    static func head(table: String = "00", display: String = "1", programme: String = "00000000") -> [UInt8] {
        var head = Array(repeating: UInt8(ascii: " "), count: 1024)
        func put(_ text: String, _ at: Int) { head.replaceSubrange(at..<(at + text.utf8.count), with: text.utf8) }
        put("850STL25.01", 0)
        put(display, 11)
        put(table, 12)
        put("0F", 14)
        put("4023", 251)
        put(programme, 256)
        return head
    }

    static func block(_ number: Int, _ begin: [UInt8], _ end: [UInt8], row: UInt8 = 20, justification: UInt8 = 2, set: UInt8 = 0, extension more: UInt8 = 0xFF, comment: UInt8 = 0, _ text: [UInt8]) -> [UInt8] {
        let front = [0, UInt8(number & 0xFF), UInt8(number >> 8), more, set] + begin + end + [row, justification, comment]
        return front + text + Array(repeating: 0x8F, count: 112 - text.count)
    }

    static func show(_ bytes: [UInt8]) throws -> [String] {
        try EBUSTLDocument(bytes).cues.map { "\($0.start.converted(to: 25).ticks)-\($0.end?.converted(to: 25).ticks ?? -1) \(ASSWordsTests.show($0.text))" }
    }

    static func text(_ words: String) -> [UInt8] { Array(words.utf8) }

    @Test func wordsColoursAndLinesOfATeletextPage() throws {
        let field: [UInt8] = [0x0D, 0x0B, 0x0B, 0x03] + Self.text("Hi") + [0x07] + Self.text("you") + [0x0A, 0x0A] + Self.text("out") + [0x8A, 0x8A, 0x0D, 0x0B] + [0x80] + Self.text("two") + [0x81, 0x0A]
        let file = Self.head() + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 12], field)
        #expect(try Self.show(file) == ["25-62 [#255.255.0]Hi [/]you\n[i]two[/]"])
        #expect(try EBUSTLDocument(file).language == "fr" && EBUSTLDocument(file).cues.first?.placement == nil)
    }

    @Test(arguments: [
        ("00", [0xC2, 0x65, 0xC8, 0x75, 0xCF, 0x73, 0x24, 0xA4, 0xE1, 0xFB, 0xC4, 0x20, 0xD5], "éüš¤$Æß~♪"), ("01", [0xBF, 0xE0, 0xD8, 0xA1, 0xF0, 0xF1], "ПриЁ№ё"), ("02", [0xC7, 0xE1, 0xBF], "اف؟"),
        ("03", [0xC1, 0xE1, 0xB6, 0xFE], "ΑαΆώ"), ("04", [0xF9, 0xEC, 0xE5, 0xED, 0xAA], "שלום×"),
    ] as [(String, [UInt8], String)])
    func charactersOfTheTables(_ table: String, _ bytes: [UInt8], _ expected: String) throws {
        let cues = try EBUSTLDocument(Self.head(table: table, display: "0") + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 0], bytes)).cues
        #expect(cues.first.map { Array($0.text.plain.unicodeScalars) } == Array(expected.unicodeScalars))
    }

    @Test func setsPileUpUntilTheyAreOver() throws {
        let file = Self.head(display: "0") + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 0], row: 20, set: 1, Self.text("one")) + Self.block(2, [0, 0, 2, 0], [0, 0, 3, 0], row: 21, set: 2, Self.text("two"))
            + Self.block(3, [0, 0, 3, 0], [0, 0, 4, 0], row: 19, set: 3, Self.text("above")) + Self.block(4, [0, 0, 5, 0], [0, 0, 6, 0], Self.text("next"))
        #expect(try Self.show(file) == ["25-50 one", "50-75 one\ntwo", "75-100 above\none\ntwo", "125-150 next"])
    }

    @Test func extensionsCommentsAndDamage() throws {
        let file = Self.head(display: "0") + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 0], extension: 0, Self.text("long ")) + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 0], extension: 0xFE, Self.text("user"))
            + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 0], Self.text("text")) + Self.block(2, [0, 0, 1, 0], [0, 0, 2, 0], comment: 1, Self.text("comment")) + Self.block(3, [0, 0, 2, 0], [0, 0, 1, 0], Self.text("back"))
            + Self.block(4, [0, 99, 2, 0], [0, 0, 1, 0], Self.text("never")) + Array(repeating: 0, count: 50)
        #expect(try Self.show(file) == ["25-50 long text"] && EBUSTLDocument(file).damagedBlocks == 2)
    }

    @Test func placesInTheUpperHalfAndAtTheSides() throws {
        func place(_ row: UInt8, _ justification: UInt8) throws -> TextPlacement? {
            try EBUSTLDocument(Self.head() + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 0], row: row, justification: justification, Self.text("x"))).cues.first?.placement
        }
        #expect(try place(1, 2) == TextPlacement(.top, anchor: .init(x: 0.5, y: 0)) && place(20, 0) == nil)
        #expect(try place(20, 1) == TextPlacement(.bottomLeft) && place(20, 3) == TextPlacement(.bottomRight))
    }

    @Test func timesCountFromTheProgrammesBegin() throws {
        let file = Self.head(programme: "10000000") + Self.block(1, [10, 0, 1, 0], [10, 0, 2, 0], Self.text("x"))
        #expect(try Self.show(file) == ["25-50 x"])
        #expect(try Self.show(file + Self.block(2, [0, 0, 1, 0], [0, 0, 2, 0], Self.text("y"))).first == "900025-900050 x")
    }

    @Test func anyCutAndAnyDamageIsReadWithoutATrap() {
        let file = Self.head() + Self.block(1, [0, 0, 1, 0], [0, 0, 2, 0], set: 1, Self.text("one")) + Self.block(2, [0, 0, 2, 0], [0, 0, 3, 0], set: 3, [0xC1, 0x80, 0x0B, 0x8A, 0xFF])
        for count in 0..<file.count { _ = try? EBUSTLDocument(Array(file.prefix(count))) }
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            var damaged = file
            for _ in 0..<8 { damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            _ = try? EBUSTLDocument(damaged)
        }
    }
}
