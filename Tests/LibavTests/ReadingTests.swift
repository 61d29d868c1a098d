import Foundation
import Libav
import Testing

struct ReadingTests {
    static let containers = [Fixtures.matroska, Fixtures.mp4, Fixtures.transportStream]

    @Test(arguments: containers) func packetsAreWhatFfprobeSees(path: String) throws {
        let listing = try Fixtures.run("ffprobe", [
            "-v", "error", "-show_entries", "packet=stream_index,pts,dts,duration,size,pos,flags", "-of", "csv=p=0", "file:" + path,
        ])
        let expected = listing.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).prefix(7).map(String.init) }
        let demuxer = try Demuxer(url: path, options: DemuxerOptions(probeSizeBytes: 5_000_000, analyzeDuration: 5))
        try demuxer.findStreamInfo()
        var seen: [[String]] = []
        while let packet = try demuxer.readPacket() {
            let flags = (packet.isKeyframe ? "K" : "_") + (packet.isDiscard ? "D" : "_")
            seen.append([
                "\(packet.streamIndex)", packet.pts.map(String.init) ?? "N/A", packet.dts.map(String.init) ?? "N/A",
                packet.durationTicks == 0 ? "N/A" : "\(packet.durationTicks)", "\(packet.byteCount)",
                packet.position < 0 ? "N/A" : "\(packet.position)", flags,
            ])
            #expect(packet.bytes.count == packet.byteCount && !packet.isCorrupt && packet.newExtradata == nil)
        }
        #expect(seen.count > 200)
        #expect(seen == expected.map { Array($0.prefix(6)) + [String($0[6].prefix(2))] })
        #expect(try demuxer.readPacket() == nil)
    }

    @Test func primingAndPaddingAreSkippedSamples() throws {
        let aac = try Demuxer(url: Fixtures.aac)
        try aac.findStreamInfo()
        let first = try #require(try aac.readPacket())
        #expect(first.pts == -1024 && first.skipSamplesStart == 1024 && first.skipSamplesEnd == 0)

        let opus = try Demuxer(url: Fixtures.opus)
        try opus.findStreamInfo()
        var last = 0
        while let packet = try opus.readPacket() { last = packet.skipSamplesEnd }
        // 2 s and the pre-skip of 312 end inside the last packet of 960.
        #expect(last == 960 - (96000 + 312) % 960)
    }

    @Test(arguments: containers) func theStartIsReachedWholeAgain(path: String) throws {
        let demuxer = try Demuxer(url: path)
        try demuxer.findStreamInfo()
        let first = try PacketKey.all(of: demuxer)
        try demuxer.seekToStart()
        #expect(try PacketKey.all(of: demuxer) == first)
        try demuxer.loadIndex(streamIndex: 0)
        #expect(try PacketKey.all(of: demuxer) == first)
    }

    @Test func matroskaCuesAreReadOnDemand() throws {
        let demuxer = try Demuxer(url: Fixtures.matroska)
        #expect(demuxer.indexEntries(streamIndex: 0).isEmpty)
        try demuxer.findStreamInfo()
        try demuxer.loadIndex(streamIndex: 0)
        let entries = demuxer.indexEntries(streamIndex: 0)
        #expect(entries.count >= 4 && entries.allSatisfy(\.isKeyframe))
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp && $0.position <= $1.position })
        var keyframes: [Int64] = []
        while let packet = try demuxer.readPacket() {
            if packet.streamIndex == 0, packet.isKeyframe, let pts = packet.pts { keyframes.append(pts) }
        }
        #expect(entries.map(\.timestamp) == keyframes)
    }

    @Test func mp4IndexNamesEverySample() throws {
        let demuxer = try Demuxer(url: Fixtures.mp4)
        let entries = demuxer.indexEntries(streamIndex: 0)
        var samples: [IndexEntry] = []
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == 0 else { continue }
            samples.append(IndexEntry(
                timestamp: packet.dts ?? 0, position: packet.position, byteCount: packet.byteCount, isKeyframe: packet.isKeyframe))
        }
        #expect(entries == samples)
        #expect(demuxer.indexEntries(streamIndex: 9).isEmpty)
    }

    @Test(arguments: [Fixtures.matroska, Fixtures.mp4]) func seekingLandsOnKeyframesAround(path: String) throws {
        let demuxer = try Demuxer(url: path)
        try demuxer.findStreamInfo()
        try demuxer.loadIndex(streamIndex: 0)
        let stream = demuxer.streams[0]
        let keyframes = demuxer.indexEntries(streamIndex: 0).filter(\.isKeyframe).map(\.timestamp)
        let target = (keyframes[1] + keyframes[2]) / 2
        for (backward, expected) in [(true, keyframes[1]), (false, keyframes[2])] {
            try demuxer.seek(streamIndex: 0, timestamp: target, backward: backward)
            var packet = try demuxer.readPacket()
            while let next = packet, next.streamIndex != 0 { packet = try demuxer.readPacket() }
            #expect(packet?.isKeyframe == true)
            let landed = stream.codecTag == 0 ? packet?.pts : packet?.dts
            #expect(landed == expected)
        }
        #expect(failure { try demuxer.seek(streamIndex: 7, timestamp: 0, backward: true) }?.operation == "seek")
    }

    @Test func discardedStreamsAreNotDelivered() throws {
        let demuxer = try Demuxer(url: Fixtures.matroska)
        demuxer.setDiscard(streamIndex: 0, true)
        #expect(Set(try PacketKey.all(of: demuxer).map(\.streamIndex)) == [1])
        demuxer.setDiscard(streamIndex: 0, false)
        demuxer.setDiscard(streamIndex: 99, true)
        try demuxer.seekToStart()
        #expect(Set(try PacketKey.all(of: demuxer).map(\.streamIndex)) == [0, 1])
    }

    @Test(arguments: containers) func memoryReadsLikeTheFile(path: String) throws {
        let (file, memory) = (try Demuxer(url: path), try Demuxer(bytes: Fixtures.bytes(of: path)))
        #expect(try PacketKey.all(of: memory) == PacketKey.all(of: file))
        #expect(memory.containerByteCount == file.containerByteCount && memory.isSeekable)
    }

    @Test func truncatedAndBrokenBytesNeverTrap() throws {
        var generator = SplitMix(state: 7)
        for path in Self.containers {
            let whole = Fixtures.bytes(of: path)
            for _ in 0..<20 {
                var bytes = Array(whole.prefix(Int(generator.next() % UInt64(whole.count))))
                for _ in 0..<8 where !bytes.isEmpty {
                    bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
                }
                guard let demuxer = try? Demuxer(bytes: bytes) else { continue }
                try? demuxer.findStreamInfo()
                _ = (demuxer.streams, demuxer.chapters, demuxer.metadata)
                _ = try? PacketKey.all(of: demuxer)
            }
        }
    }

    @Test func aFailedReadIsNotAnEndOfFile() throws {
        let whole = Fixtures.bytes(of: Fixtures.matroska)
        let input = FailingInput(whole, failsAt: whole.count / 2)
        let demuxer = try Demuxer(input: input)
        #expect(failure { _ = try PacketKey.all(of: demuxer) }?.kind == .io(5))
        #expect(failure { _ = try demuxer.readPacket() }?.kind == .io(5))
        input.failsAt = .max
        try demuxer.seekToStart()
        #expect(try PacketKey.all(of: demuxer).count == PacketKey.all(of: Demuxer(bytes: whole)).count)
    }
}

/// Memory that stops answering at an offset.
private final class FailingInput: DemuxerInput {
    private let bytes: [UInt8]
    private var offset = 0
    var failsAt: Int

    init(_ bytes: [UInt8], failsAt: Int) { (self.bytes, self.failsAt) = (bytes, failsAt) }

    var byteCount: Int64? { Int64(bytes.count) }
    var isSeekable: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibavError) -> Int {
        guard offset < failsAt else { throw LibavError(errno: 5, operation: "read") }
        let count = max(0, min(buffer.count, min(bytes.count, failsAt) - offset))
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
        offset += count
        return count
    }

    func seek(to newOffset: Int64) throws(LibavError) { offset = min(Int(newOffset), bytes.count) }
}

/// Seeded and the same everywhere.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
