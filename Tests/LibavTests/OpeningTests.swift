import BitsAndTime
import Foundation
import Libav
import Testing

struct OpeningTests {
    private func kind(_ url: String, _ options: DemuxerOptions = DemuxerOptions()) -> LibavError.Kind? {
        failure { try Demuxer(url: url, options: options).findStreamInfo() }?.kind
    }

    @Test func errorsSayWhatIsWrongWithTheSource() {
        #expect(kind(Fixtures.directory + "/missing.mkv") == .notFound)
        #expect(kind("") == .notFound)
        #expect(kind("/tmp/nul\0.mkv") == .notFound)
        #expect(kind(Fixtures.directory) == .isDirectory)
        #expect(kind(Fixtures.file("empty.mkv", [])) == .invalidData)
        #expect(kind(Fixtures.file("text.mkv", Array("only words here, no film\n".utf8))) == .invalidData)
        let whole = Fixtures.bytes(of: Fixtures.mp4)
        #expect(kind(Fixtures.file("truncated.mp4", Array(whole.prefix(whole.count / 2)))) == .invalidData)
        #expect(kind("nosuchprotocol://x") == .unsupported)
        #expect(kind(Fixtures.mp4, DemuxerOptions(formatName: "nosuchformat")) == .unsupported)
    }

    @Test func errorsNeverHoldTheAddress() throws {
        let error = try #require(failure { _ = try Demuxer(url: "http://user:secret@127.0.0.1:1/a?token=secret") })
        #expect(error.operation == "open")
        #expect(!error.message.isEmpty)
        #expect(!"\(error)".contains("secret"))
    }

    @Test(arguments: ["a:b?x=1#c%20d.mp4", "http:evil.mp4", "concat:x|y.mp4", "čeština.mp4"])
    func anyFileNameIsAPath(name: String) throws {
        let path = Fixtures.file(name, Fixtures.bytes(of: Fixtures.mp4))
        #expect(try Demuxer(url: path).streams.count == 2)
        #expect(try Demuxer(url: URL(fileURLWithPath: path).absoluteString).streams.count == 2)
    }

    @Test func aHeaderThatWouldForgeAnotherIsRefused() {
        for (name, value) in [("X", "a\r\nY: b"), ("X\n", "a"), ("X: y", "a"), ("", "a")] {
            let options = DemuxerOptions(httpHeaders: [(name: name, value: value)])
            #expect(failure { _ = try Demuxer(url: "http://127.0.0.1:1/", options: options) }?.kind == .other)
        }
    }

    @Test(.timeLimit(.minutes(1))) func httpSendsTheHeadersAndNamesTheStatus() async throws {
        let server = try #require(SilentServer())
        async let opened = onThread {
            failure {
                let options = DemuxerOptions(httpHeaders: [(name: "X-Plex-Token", value: "abc"), (name: "A", value: "b")])
                _ = try Demuxer(url: "http://127.0.0.1:\(server.port)/film.mkv", options: options)
            }?.kind
        }
        let request = await onThread { server.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n") }
        #expect(request.contains("\r\nX-Plex-Token: abc\r\nA: b\r\n"))
        #expect(await opened == .httpStatus(404))
    }

    @Test func streamsDescribeVideoAndAudio() throws {
        let demuxer = try Demuxer(url: Fixtures.mp4)
        try demuxer.findStreamInfo()
        #expect(demuxer.formatName.contains("mp4"))
        #expect(demuxer.isSeekable)
        #expect(demuxer.containerByteCount == Int64(Fixtures.bytes(of: Fixtures.mp4).count))
        #expect(demuxer.bytesRead > 0)
        let seconds = try #require(demuxer.duration).seconds
        #expect((3.9...4.2).contains(seconds))
        #expect(demuxer.startTime != nil && demuxer.bitRate != nil)

        let video = demuxer.streams[0]
        #expect(video.kind == .video && video.codecName == "h264" && !video.isAttachedPicture)
        #expect((video.width, video.height) == (160, 90))
        #expect(video.pixelFormatName == "yuv420p" && video.bitDepth == 8 && video.chromaFormat == .yuv420)
        #expect([video.colourPrimaries, video.transferCharacteristics, video.matrixCoefficients] == [1, 1, 1])
        #expect(video.colourMatrixName == "bt709" && video.isFullRange == false)
        // The average carries Matroska's millisecond rounding.
        #expect(video.realFrameRate == Ratio(numerator: 24, denominator: 1))
        let average = try #require(video.averageFrameRate)
        #expect(abs(Double(average.numerator) / Double(average.denominator) - 24) < 0.05)
        #expect(video.frameCount == 96 && video.fieldOrder == .progressive && video.extradata.first == 1)
        #expect(video.codecTag == 0x3163_7661)
        #expect(video.dolbyVision == nil && !video.hasMultiviewStereo3D && video.profileName != nil && video.level != nil)

        let audio = demuxer.streams[1]
        #expect(audio.kind == .audio && audio.codecName == "aac" && audio.profile == 1)
        #expect(audio.sampleRate == 48000 && audio.channels == 1 && audio.channelLayout == "mono")
        #expect(audio.frameSize == 1024 && audio.timeBaseNumerator == 1 && audio.timeBaseDenominator == 48000)
        #expect(audio.dispositions.contains(.default) && audio.language == "und")
    }

    @Test func chaptersTagsAndDispositions() throws {
        let demuxer = try Demuxer(url: Fixtures.chaptered)
        #expect(demuxer.metadata["title"] == "A film")
        #expect(demuxer.chapters.map(\.title) == ["One", "Two"])
        #expect(demuxer.chapters.map(\.start.seconds) == [0, 1.5])
        #expect(demuxer.chapters[0].end == MediaTime(ticks: 3, timescale: 2))
        let (first, second) = (demuxer.streams[1], demuxer.streams[2])
        #expect(first.language == "ces" && first.title == "Česky" && first.dispositions == .default)
        #expect(second.language == "eng" && second.dispositions == [.comment, .hearingImpaired])
    }

    #if os(Linux)
    @Test func noDescriptorStaysOpen() throws {
        let path = Fixtures.file("leak.mp4", Fixtures.bytes(of: Fixtures.mp4))
        let broken = Fixtures.file("leak-broken.mp4", Array(Fixtures.bytes(of: Fixtures.mp4).prefix(4000)))
        for _ in 0..<200 {
            _ = try Demuxer(url: path)
            _ = failure { _ = try Demuxer(url: broken) }
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        #expect(!open.contains { $0.hasSuffix("leak.mp4") || $0.hasSuffix("leak-broken.mp4") })
    }
    #endif
}
