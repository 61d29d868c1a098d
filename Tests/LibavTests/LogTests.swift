import Foundation
import Libav
import Locks
import Testing

struct LogTests {
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
