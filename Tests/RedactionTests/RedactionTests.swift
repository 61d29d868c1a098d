import Redaction
import TestSupport
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("no address at all", "no address at all"),
        ("open 'http://h/a.ts' failed", "open 'http://h/a.ts' failed"),
        ("open 'http://u:p@h:8/a.ts?token=x' failed", "open 'http://…@h:8/a.ts?…' failed"),
        ("https://h/a#access=x", "https://h/a#…"),
        ("https://h?x=1&y='2'.", "https://h?…'."),
        ("a@b http://h/p@q", "a@b http://h/p@q"),
        ("rtmp://a@b@c/x", "rtmp://…@c/x"),
        ("http://one/?x http://u@two/", "http://one/?… http://…@two/"),
        ("http://proxy/http://u:p@h/?x", "http://proxy/http://…@h/?…"),
        ("http://h/?back=http://u:p@h/", "http://h/?…"),
        ("://", "://"), ("x:// y", "x:// y"), ("http://u@", "http://…@"),
        ("http://h/a?\u{301}token=x", "http://h/a?…"), ("http:/\u{2F}\u{301}u:p@h/", "http://…@h/"), ("http://u\u{A0}p@h/?x", "http://…@h/?…"),
    ])
    func addressesLoseTheirSecrets(text: String, expected: String) {
        #expect(Redaction.addresses(in: text) == expected)
    }

    @Test func redactionNeverTrapsAndIsStable() {
        var generator = SeededRandom(seed: 11)
        let pieces = ["://", "?", "#", "@", " ", "'", "é", "a", ":", "/", "\u{301}", "http"]
        for _ in 0..<2000 {
            let text = (0..<12).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            let once = Redaction.addresses(in: text)
            #expect(Redaction.addresses(in: once) == once)
        }
    }
}
