import Subtitles
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite struct TextEncodingTests {
    static let czech = "Příliš žluťoučký kůň úpěl ďábelské ódy. Kdo to byl? Nevím, ale řekl, že přijde až zítra večer. Díky za všechno, příteli, ještě se uvidíme."
    static let polish = "Zażółć gęślą jaźń. Nie wiem, dlaczego tak się stało, ale przecież mówiłem ci, że będzie źle. Cześć, do zobaczenia później, moi mili."
    static let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. Я не знаю, что он сказал, но завтра мы увидим. Спасибо тебе за всё, друг."
    static let french = "Où étiez-vous l'été dernier ? J'ai vu le garçon près de la forêt, là où les élèves ont dîné. Ça alors, quelle idée ! Noël approche déjà."
    static let japanese = "これはテストです。明日の朝、駅で会いましょう。彼は何も言わなかったが、私は知っていた。ありがとうございました。"
    static let simplified = "我不知道他在说什么，但是明天我们就会看到。谢谢你为我们做的一切，我的朋友。今天晚上我们去看电影吧。"
    static let traditional = "我不知道他在說什麼，但是明天我們就會看到。謝謝你為我們做的一切，我的朋友。今天晚上我們去看電影吧。"
    static let korean = "나는 그가 무슨 말을 하는지 모르겠지만 내일 우리는 보게 될 것이다. 모든 것에 감사합니다, 내 친구. 오늘 밤 영화 보러 가자."

    /// A file of such lines, in that encoding.
    static func file(_ text: String) -> String {
        (1...6).map { "\($0)\n00:00:0\($0),000 --> 00:00:0\($0),900\n\(text)\n\n" }.joined()
    }

    #if canImport(Glibc)
    static func encoded(_ text: String, _ name: String) -> [UInt8] {
        guard let converter = iconv_open(name, "UTF-8"), converter != iconv_t(bitPattern: -1) else { return [] }
        defer { iconv_close(converter) }
        var input = Array(text.utf8)
        var output = [UInt8](repeating: 0, count: input.count * 4 + 16)
        let room = output.count
        let used = input.withUnsafeMutableBytes { source in
            output.withUnsafeMutableBytes { target in
                var (next, left) = (source.baseAddress?.assumingMemoryBound(to: CChar.self), source.count)
                var (place, free) = (target.baseAddress?.assumingMemoryBound(to: CChar.self), room)
                return iconv(converter, &next, &left, &place, &free) == Int(bitPattern: UInt.max) ? 0 : room - free
            }
        }
        return Array(output.prefix(used))
    }

    @Test(arguments: [
        (czech, "WINDOWS-1250", "cs"), (czech, "ISO-8859-2", nil), (polish, "WINDOWS-1250", "pol"), (polish, "ISO-8859-2", nil), (russian, "WINDOWS-1251", nil), (russian, "KOI8-R", nil),
        (russian, "WINDOWS-1251", "ru-RU"), (russian, "KOI8-R", "rus"), (french, "WINDOWS-1252", nil), (french, "WINDOWS-1252", "fre"), (japanese, "SHIFT_JIS", nil), (japanese, "CP932", "jpn"),
        (simplified, "GB18030", nil), (simplified, "GB18030", "chi"), (traditional, "BIG5", nil), (traditional, "BIG5", "zh-TW"), (korean, "EUC-KR", nil), (korean, "EUC-KR", "ko"),
        (czech, "UTF-16LE", nil), (czech, "UTF-16BE", nil), (japanese, "UTF-16LE", nil), (russian, "UTF-16BE", nil), (russian, "UTF-8", "ru"), (japanese, "ISO-2022-JP", nil), (japanese, "EUC-JP", nil),
    ] as [(String, String, String?)])
    func oldEncodingsAreFound(_ text: String, _ name: String, _ language: String?) {
        let expected = Self.file(text)
        let bytes = Self.encoded(expected, name)
        #expect(!bytes.isEmpty)
        let found = TextEncoding.found(in: bytes, language: language)
        let read = found.utf8(bytes)
        #expect(String(decoding: read.bytes, as: UTF8.self) == expected, "\(name) was taken for \(found.name)")
        #expect(read.replaced == 0)
    }

    @Test func theHostsWordCountsWhereTheTextDoesNotContradictIt() {
        let bytes = Self.encoded("Žluťoučký kůň", "WINDOWS-1250")
        #expect(TextEncoding.found(in: bytes, hint: TextEncoding(named: "cp1250")).name == "WINDOWS-1250")
        #expect(TextEncoding.found(in: Array("čaj".utf8), hint: TextEncoding(named: "cp1250")) == .utf8)
        #expect(TextEncoding(named: "no such") == nil && TextEncoding(named: "") == nil && TextEncoding(named: "latin1")?.name == "WINDOWS-1252")
    }
    #endif

    @Test func marksAtTheFrontSayIt() {
        #expect(TextEncoding.found(in: [0xFF, 0xFE, 0x41, 0]) == .utf16LittleEndian)
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF, 0x41]
        #expect(TextEncoding.found(in: marked) == .utf8 && TextEncoding.utf8.utf8(marked).bytes == [0x41])
        #expect(TextEncoding.utf16BigEndian.utf8([0xFE, 0xFF, 0, 0x41, 0xD8]).bytes == [0x41, 0xEF, 0xBF, 0xBD])
        #expect(TextEncoding.found(in: []) == .utf8)
    }

    @Test func whatCannotBeReadIsCountedAndTheRestIsKept() {
        let read = TextEncoding.utf8.utf8([0x61, 0xFF, 0x62])
        #expect(read.bytes == Array("a\u{FFFD}b".utf8) && read.replaced == 1)
        var random = SeededRandom(seed: 9)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let bytes = TextEncoding.found(in: noise).utf8(noise).bytes
            #expect(String(validating: bytes, as: UTF8.self) != nil)
        }
    }
}
