import BitsAndTime
@testable import Subtitles
import TestSupport
import Testing

/// What lies around the reader: ink, lines, languages, and what becomes of its words.
@Suite struct RecognitionTests {
    /// Letters of `ink` on a shape of `around`, drawn as text is: "#" letter, "o" what surrounds it, " " nothing.
    private static func object(_ rows: [String], ink: UInt32, around: UInt32) -> PictureObject {
        let pixels = rows.joined().utf8.map { $0 == UInt8(ascii: "#") ? UInt8(1) : $0 == UInt8(ascii: "o") ? 2 : 0 }
        return PictureObject(x: 0, y: 0, width: rows[0].count, height: rows.count, pixels: pixels, palette: [0, ink, around], isForced: false)
    }

    private static let outlined = [
        "  ooooo  ooooo  ",
        " oo###o oo###oo ",
        " o#ooo  oo#oo   ",
        " o#o     o#o    ",
        " o#ooo   o#o    ",
        " oo###o  o#o    ",
        "  ooooo  ooo    ",
    ]

    private func letters(_ picture: InkPicture?) -> [Bool]? { picture?.pixels.map { $0 < 128 } }

    @Test(arguments: [
        (0xFFFF_FFFF, 0xFF00_0000), (0xFF00_0000, 0xFFFF_FFFF), (0xFFFF_FF00, 0xC000_0000), (0xFF20_20FF, 0xFFFF_FFFF), (0x40FF_FFFF, 0x4000_0000),
    ] as [(UInt32, UInt32)]) func inkIsWhatTheOtherColourSurrounds(ink: UInt32, around: UInt32) {
        let expected = Self.outlined.joined().map { $0 == "#" }
        #expect(letters(InkPicture(Self.object(Self.outlined, ink: ink, around: around))) == expected)
        // A box instead of an outline.
        let boxed = Self.outlined.map { String($0.map { $0 == " " ? "o" : $0 }) }
        #expect(letters(InkPicture(Self.object(boxed, ink: ink, around: around))) == expected)
        // Nothing around.
        let bare = Self.outlined.map { String($0.map { $0 == "o" ? " " : $0 }) }
        #expect(letters(InkPicture(Self.object(bare, ink: ink, around: around))) == expected)
    }

    @Test func whatCannotBeSeenIsNoPicture() {
        #expect(InkPicture(Self.object(["####"], ink: 0x00FF_FFFF, around: 0)) == nil)
        #expect(InkPicture(Self.object(["    "], ink: 0xFFFF_FFFF, around: 0)) == nil)
        #expect(InkPicture(PictureObject(x: 0, y: 0, width: 5, height: 5, pixels: [1], palette: [], isForced: false)) == nil)
    }

    @Test func linesAreCutWhereNoInkIsAndAccentsStayWithTheirs() {
        func picture(_ rows: [Int]) -> InkPicture {
            // A row of ink for 1, of paper for 0, 40 wide.
            InkPicture(width: 40, height: rows.count, pixels: rows.flatMap { [UInt8](repeating: $0 == 1 ? 0 : 255, count: 40) })
        }
        func block(_ ink: Int, _ count: Int) -> [Int] { [Int](repeating: ink, count: count) }
        let line = block(1, 40)
        #expect(picture(block(0, 5) + line + block(0, 12) + line).lines.count == 2)
        // An accent two rows above its letter, a comma's foot below.
        #expect(picture(block(1, 6) + block(0, 2) + line + block(0, 2) + block(1, 4)).lines.count == 1)
        #expect(picture(line + block(0, 14) + block(1, 6) + block(0, 2) + line).lines.count == 2)
        #expect(picture(block(0, 30)).lines.isEmpty)
        // Each on paper of its own, near the height that is read best.
        for height in [8, 20, 56, 200, 800] {
            let lines = picture(block(1, height)).lines
            #expect(lines.count == 1 && (60...250).contains(lines[0].height) && lines[0].pixels.count == lines[0].width * lines[0].height)
            #expect(lines[0].pixels.first == 255 && lines[0].pixels.contains { $0 < 64 })
        }
    }

    @Test(arguments: [
        ("en", ["eng"]), ("en-GB", ["eng"]), ("ger", ["deu"]), ("deu", ["deu"]), ("fre", ["fra"]), ("cs", ["ces"]), ("cze", ["ces"]), ("zh-TW", ["chi_tra", "chi_sim"]), ("chi", ["chi_sim", "chi_tra"]),
        ("zh-Hant", ["chi_tra", "chi_sim"]), ("nob", ["nor"]), ("sr-Latn", ["srp_latn", "srp"]), ("und", ["eng"]), ("../../etc/passwd", ["eng"]), ("", ["eng"]),
    ] as [(String, [String])]) func aTracksLanguageNamesItsData(language: String, codes: [String]) { #expect(TesseractData.codes(for: language) == codes) }

    @Test func whatIsMissingIsSaidWithWhatToInstall() {
        let without = TesseractRecogniser(library: nil)
        #expect(without.absence(of: "en").map { String(describing: $0) }?.contains("Tesseract is not installed") == true)
        #expect(throws: RecognitionError.self) { try without.read([], language: "en") { false } }
        do {
            _ = try TesseractData.find("tlh")
            Issue.record("Klingon is known")
        } catch {
            #expect(String(describing: error).contains("Klingon") && String(describing: error).contains("tesseract-ocr-tlh"))
        }
    }

    @Test func theLibraryIsOpenedByFixedNamesOnly() {
        #expect(TesseractLibrary.names.allSatisfy { $0.contains("libtesseract.") && !$0.contains("..") })
    }

    @Test func aReadersWordsAreOneLineOfText() {
        #expect(RecognisedText.tidied("  Hello \n\u{0C} world\u{200B}\t!\n") == "Hello world !")
        #expect(RecognisedText.tidied("| know") == "I know")
        #expect(RecognisedText.tidied("\u{1B}[0m\r\n") == "[0m")
        #expect(RecognisedText.tidied(String(repeating: "a", count: 5000)).count == 1000)
        #expect(RecognisedText.tidied(" \n ") == "")
    }

    /// Reading ends when it is told to, between lines and inside one.
    @Test(.enabled(if: TesseractRecogniser().absence(of: "en") == nil, "Tesseract is not installed")) func readingIsCancelled() {
        let line = InkPicture(width: 200, height: 60, pixels: (0..<12000).map { $0 / 200 > 20 && $0 / 200 < 40 && $0 % 20 < 8 ? 0 : 255 })
        #expect(throws: RecognitionError.cancelled) { try TesseractRecogniser().read([line], language: "en") { true } }
    }
}
