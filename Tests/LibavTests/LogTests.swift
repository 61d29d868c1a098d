import Foundation
import Libav
import Locks
import Testing

struct LogTests {
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
    ])
    func addressesLoseTheirSecrets(text: String, expected: String) {
        #expect(LibavLog.redacted(text) == expected)
    }

    @Test func redactionNeverTrapsAndIsStable() {
        var generator = SplitMix(state: 11)
        let pieces = ["://", "?", "#", "@", " ", "'", "é", "a", ":", "/", "\u{301}", "http"]
        for _ in 0..<2000 {
            let text = (0..<12).map { _ in pieces[Int(generator.next() % UInt64(pieces.count))] }.joined()
            let once = LibavLog.redacted(text)
            #expect(LibavLog.redacted(once).filter { $0 != "…" } == once.filter { $0 != "…" })
        }
    }

    /// The whole of the routing in one test: the handler is the process's, and other tests run beside it.
    @Test func linesReachTheHandlerWhileThereIsOne() throws {
        // A playlist in a file may not reach for the network; libav refuses, naming the address.
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttp://me:secret@127.0.0.1:1/mark.ts?token=secret\n#EXT-X-ENDLIST\n"
        let path = Fixtures.file("log.m3u8", Array(list.utf8))
        let lines = Locked<[LibavLog.Line]>([])
        LibavLog.setHandler(upTo: .verbose) { line in lines.withLock { $0.append(line) } }
        _ = failure { try Demuxer(url: path).findStreamInfo() }
        LibavLog.setHandler(nil)
        let seen = lines.withLock { $0 }
        #expect(seen.contains { $0.text.contains("127.0.0.1:1/mark.ts?…") && $0.component == "hls" })
        #expect(!seen.contains { "\($0)".contains("secret") || $0.text.contains("\n") || $0.text.isEmpty })
        #expect(seen.contains { $0.level <= .warning } && seen.contains { $0.level > .warning })

        _ = failure { try Demuxer(url: path).findStreamInfo() }
        #expect(lines.withLock { $0.count } == seen.count)
    }
}
