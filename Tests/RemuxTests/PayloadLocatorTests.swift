import Foundation
import Libav
@testable import Remux
import TestSupport
import Testing

/// Payloads are served from the file they come from, and only where they are proved to lie.
@Suite struct PayloadLocatorTests {
    private static let picture = "-f lavfi -i testsrc2=s=640x360:r=24:d=2 -vf noise=alls=60:allf=t -c:v libx264 -qp 8 -g 24"

    /// Every packet of the first stream with what was found for it.
    private func walk(_ path: String) throws -> [(packet: Packet, span: FileSpan?)] {
        let demuxer = try Demuxer(url: path, options: DemuxerOptions(), interrupter: Interrupter())
        try demuxer.findStreamInfo()
        var locator = PayloadLocator(file: try #require(SourceFile(path: path)))
        var found: [(Packet, FileSpan?)] = []
        while let packet = try demuxer.readPacket() {
            if packet.streamIndex == 0 { found.append((packet, locator.locate(packet))) }
        }
        return found
    }

    @Test(arguments: ["a.mkv", "a.mp4", "a.mov", "a.avi", "a.flv"]) func payloadsStoredWholeAreFoundAndEqual(name: String) async throws {
        let fixture = try FFmpegFixture()
        let file = try await fixture.make(name, Self.picture)
        let packets = try walk(file.path).filter { $0.packet.byteCount >= PayloadLocator.smallestByteCount }
        #expect(packets.count > 20)
        for (packet, span) in packets {
            var content = FragmentContent()
            content.append(.file(try #require(span)))
            #expect(content.joined() == packet.bytes)
            #expect(content.memoryByteCount == 0)
        }
    }

    @Test func payloadsThatWereSplitAreFoundNowhere() async throws {
        let fixture = try FFmpegFixture()
        let file = try await fixture.make("a.ts", Self.picture)
        let packets = try walk(file.path)
        #expect(packets.count > 20)
        #expect(packets.allSatisfy { $0.span == nil })
    }

    /// A file that is no longer what the demuxer read must not be served for it.
    @Test func aChangedFileIsNotTakenForThePayload() async throws {
        let fixture = try FFmpegFixture()
        let file = try await fixture.make("b.mkv", Self.picture)
        let demuxer = try Demuxer(url: file.path, options: DemuxerOptions(), interrupter: Interrupter())
        let other = FileManager.default.temporaryDirectory.appendingPathComponent("changed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: other) }
        try Data(count: try Data(contentsOf: file).count).write(to: other)
        var locator = PayloadLocator(file: try #require(SourceFile(path: other.path)))
        while let packet = try demuxer.readPacket() { #expect(locator.locate(packet) == nil) }
    }

    @Test func whatIsNoPlainFileIsNoSourceFile() throws {
        #expect(SourceFile(path: "/dev/null") == nil)
        #expect(SourceFile(path: "/nonexistent") == nil)
        #expect(SourceFile(path: "/tmp") == nil)
    }
}
