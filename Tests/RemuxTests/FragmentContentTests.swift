import Foundation
@testable import Remux
import Testing

@Suite struct FragmentContentTests {
    private func file(_ bytes: [UInt8]) throws -> (URL, SourceFile) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("content-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        return (url, try #require(SourceFile(path: url.path)))
    }

    @Test func smallPiecesAreJoinedAndLargeOnesKept() {
        var content = FragmentContent([1, 2, 3])
        content.append(.bytes([4]))
        content.append(.bytes([UInt8](repeating: 5, count: 5000)))
        content.append(.bytes([6]))
        #expect(content.pieces.count == 2)
        #expect(content.joined() == [1, 2, 3, 4] + [UInt8](repeating: 5, count: 5000) + [6])
        #expect(content.byteCount == 5005 && content.memoryByteCount == 5005)
    }

    @Test func spillingMovesMemoryAndKeepsOrder() throws {
        let (url, source) = try file(Array(0..<100))
        defer { try? FileManager.default.removeItem(at: url) }
        var content = FragmentContent([200, 201])
        content.append(.file(source.span(at: 10, byteCount: 20)))
        content.append(.bytes([202]))
        let before = content.joined()
        let spill = try SpillFile(directory: FileManager.default.temporaryDirectory.path)
        let spilled = try content.spilled(by: spill.store)
        #expect(before == [200, 201] + Array(10..<30) + [202])
        #expect(spilled.joined() == before)
        #expect(spilled.memoryByteCount == 0 && spilled.byteCount == 23)
    }

    @Test func aFileCutShortGivesNothing() throws {
        let (url, source) = try file(Array(0..<100))
        defer { try? FileManager.default.removeItem(at: url) }
        var content = FragmentContent()
        content.append(.file(source.span(at: 90, byteCount: 20)))
        #expect(content.joined() == nil)
    }
}
