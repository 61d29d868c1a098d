import Bitstreams
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

    /// What a transport stream splits is found nowhere in one piece, and put together again from the file.
    @Test(arguments: [
        ("a.ts", "-c:v libx264 -qp 8 -g 24"), ("b.ts", "-c:v libx265 -x265-params log-level=error:qp=8 -g 24"), ("c.m2ts", "-c:v libx264 -qp 8 -g 24"),
        ("d.ts", "-f lavfi -i sine=d=2 -map 0 -map 1 -c:v libx264 -qp 8 -g 24 -c:a mp2"),
    ]) func picturesOfTransportStreamsAreMadeAgain(name: String, codecs: String) async throws {
        let fixture = try FFmpegFixture()
        let source = "-f lavfi -i testsrc2=s=640x360:r=24:d=2 "
        let url = try await fixture.make(name, source + (codecs.contains("lavfi") ? codecs.replacingOccurrences(of: "-c:v", with: "-vf noise=alls=60:allf=t -c:v") : "-vf noise=alls=60:allf=t " + codecs))
        let file = try #require(SourceFile(path: url.path))
        let demuxer = try Demuxer(url: url.path, options: DemuxerOptions(), interrupter: Interrupter())
        try demuxer.findStreamInfo()
        let video = try #require(demuxer.streams.first { $0.kind == .video })
        let place = try #require(TransportSample.Place(file, formatName: demuxer.formatName, stream: video))
        var locator = PayloadLocator(file: file, transport: place)
        var large = 0
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == 0 else { continue }
            #expect(locator.locate(packet) == nil)
            let sample = NALUnitSequence.convertToLengthPrefixed(packet.bytes[...])
            guard packet.byteCount >= PayloadLocator.smallestByteCount else { continue }
            large += 1
            let found = locator.locate(packet, madeInto: sample)
            let again = try #require(found, "a packet of \(packet.byteCount) bytes at \(packet.position)")
            #expect(again.bytes() == sample)
            let content = FragmentContent(again)
            #expect(content.memoryByteCount == 0 && content.byteCount == sample.count)
            #expect(content.joined() == sample)
            #expect(content.pieces.first?[5..<105].byteCount == 100)
        }
        #expect(large > 20)
    }

    /// A file that was written over gives another picture or none, and is not asked for more than it has.
    @Test func aTransportStreamThatChangedMakesNothing() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("e.ts", Self.picture)
        let demuxer = try Demuxer(url: url.path, options: DemuxerOptions(), interrupter: Interrupter())
        try demuxer.findStreamInfo()
        let bytes = [UInt8](try Data(contentsOf: url))
        let copy = fixture.url("copy.ts")
        try Data(bytes).write(to: copy)
        let file = try #require(SourceFile(path: copy.path))
        let video = try #require(demuxer.streams.first)
        let place = try #require(TransportSample.Place(file, formatName: demuxer.formatName, stream: video))
        var locator = PayloadLocator(file: file, transport: place)
        let read = try demuxer.readPacket()
        let packet = try #require(read)
        let sample = NALUnitSequence.convertToLengthPrefixed(packet.bytes[...])
        let found = locator.locate(packet, madeInto: sample)
        let again = try #require(found)
        let handle = try FileHandle(forWritingTo: copy)
        try handle.truncate(atOffset: UInt64(packet.position) + 1000)
        #expect(again.bytes() == nil)
        #expect(FragmentContent(again).joined() == nil)
        #expect(locator.locate(packet, madeInto: sample) == nil)
        try handle.close()
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
