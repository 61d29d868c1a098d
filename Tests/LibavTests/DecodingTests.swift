import Foundation
import Libav
import Testing

struct DecodingTests {
    /// Every frame of one stream, the delayed ones too.
    private func frames(_ path: String, stream: Int, threads: Int = 1) throws -> [Frame] {
        let demuxer = try Demuxer(url: path)
        try demuxer.findStreamInfo()
        let decoder = try Decoder(demuxer: demuxer, streamIndex: stream, threads: threads)
        var frames: [Frame] = []
        func drain() throws { while let frame = try decoder.receive() { frames.append(frame) } }
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == stream else { continue }
            try decoder.send(packet)
            try drain()
        }
        try decoder.send(nil)
        try drain()
        #expect(try decoder.receive() == nil)
        return frames
    }

    @Test func picturesHashTheSameWhateverContainerAndThreads() throws {
        let reference = try frames(Fixtures.matroska, stream: 0)
        #expect(reference.count == 96)
        #expect(reference[0].isKey && !reference[0].isInterlaced && reference.allSatisfy { !$0.isCorrupt })
        #expect((reference[0].width, reference[0].height) == (160, 90))
        #expect(reference[0].pixelFormatName == "yuv420p" && reference[0].interleavedFloats().isEmpty)
        let hashes = reference.map { $0.contentHash() }
        #expect(Set(hashes).count == 96 && !hashes.contains(0))
        #expect(try frames(Fixtures.matroska, stream: 0, threads: 2).map { $0.contentHash() } == hashes)
        #expect(try frames(Fixtures.mp4, stream: 0).map { $0.contentHash() } == hashes)
        let times = reference.compactMap(\.pts)
        #expect(times.count == 96 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func samplesComeOutAsFloats() throws {
        let reference = try frames(Fixtures.mp4, stream: 1)
        #expect(reference.allSatisfy { $0.sampleRate == 48000 && $0.channels == 1 && $0.pixelFormatName == nil })
        let samples = reference.flatMap { $0.interleavedFloats() }
        #expect(samples.count == reference.reduce(0) { $0 + $1.sampleCount })
        #expect((4 * 48000 - 1024...4 * 48000 + 2048).contains(samples.count))
        // ffmpeg's sine has an amplitude of one eighth; the encoder overshoots at its start.
        let peak = samples[4800..<96000].map(abs).max() ?? 0
        #expect((0.11...0.14).contains(peak))
    }

    @Test func aFlushedDecoderGoesOnAfterTheEnd() throws {
        let demuxer = try Demuxer(url: Fixtures.mp4)
        let decoder = try Decoder(demuxer: demuxer, streamIndex: 0)
        #expect(decoder.name == "h264")
        func firstHash() throws -> UInt64? {
            while let packet = try demuxer.readPacket() {
                guard packet.streamIndex == 0 else { continue }
                try decoder.send(packet)
                break
            }
            try decoder.send(nil)
            return try decoder.receive()?.contentHash()
        }
        let first = try firstHash()
        #expect(failure { try decoder.send(nil) }?.kind == .endOfFile)
        decoder.flush()
        try demuxer.seekToStart()
        #expect(try firstHash() == first && first != nil)
        #expect(failure { _ = try Decoder(demuxer: demuxer, streamIndex: 5) }?.operation == "open decoder")
    }

    @Test func theBuildSaysWhatItIs() {
        let build = FFmpegBuild.current
        #expect(build.libraries.map(\.name) == ["libavutil", "libavcodec", "libavformat", "libswresample", "libswscale"])
        #expect(build.isABIMatched && build.hasDecoder("h264") && !build.hasDecoder("nosuchdecoder"))
        #expect(build.hasEAC3Encoder == build.hasEncoder("eac3"))
        #expect(build.hasZlib == build.hasDecoder("png"))
        #expect(!build.hasEncoder("nosuchencoder") && !build.configuration.isEmpty)
        #expect(build.summary.contains("FFmpeg \(build.versionString)"))
        #expect(build.summary.contains("libavformat \(build.libraries[2].loadedVersion)"))
    }
}
