import Foundation
import Testing

@testable import LoopbackHTTP

@Suite struct ThreadPlacementTests {
    @Test func oneWhoAsksForSmallThingsAloneIsLookedForEachSixteenthTime() {
        var placement = ThreadPlacement()
        var looks: [Int] = []
        for count in 1...40 {
            if placement.noteRequest(isAlone: true) { looks.append(count) }
            placement.noteAnswer(byteCount: 2000)
        }
        #expect(looks == [16, 32])
    }

    @Test func othersAndLongAnswersKeepAThreadWhereItIs() {
        var placement = ThreadPlacement()
        for count in 1...100 {
            let isTime = placement.noteRequest(isAlone: count % 8 != 0)
            #expect(!isTime)
        }
        for _ in 1...100 {
            let isTime = placement.noteRequest(isAlone: true)
            #expect(!isTime)
            placement.noteAnswer(byteCount: ThreadPlacement.smallAnswer + 1)
        }
    }

    #if os(Linux)
    @Test func aThreadThatWentToItsClientMayStillRunAnywhere() throws {
        let server = LoopbackHTTPServer(provider: FakeProvider { .ready(text($0)) })
        try server.start()
        defer { server.stop() }
        let client = RawClient(port: server.port)
        for index in 0..<200 { #expect(client.get("/n\(index)").receiveAnswer().content == "n\(index)") }
        #expect(allowed("/proc/thread-self/status") != nil)
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            // Nil: it has ended meanwhile.
            if let processors = allowed("/proc/self/task/\(thread)/status") { #expect(processors == allowed("/proc/thread-self/status")) }
        }
    }

    private func allowed(_ path: String) -> String? {
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n")
        return lines?.first { $0.hasPrefix("Cpus_allowed:") }.map(String.init)
    }
    #endif
}
