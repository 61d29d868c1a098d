import Foundation
import Libav
@testable import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// Sources that real collections hold and no encoder here makes by itself: bare streams, foreign clocks, files that only look like films.
@Suite(.fewAtATime) struct UnusualSourceTests {
    private func startError(_ url: URL) async -> PrismCoreError? {
        let session = PrismCoreSession(url: url)
        do {
            _ = try await session.startWithoutHurry()
            await session.stop()
            return nil
        } catch {
            return PrismCoreError.classify(error)
        }
    }

    /// Frame hashes of what is served, in the order they are shown, and the frames' times in seconds.
    private func served(_ url: URL) async throws -> [(hash: UInt64, time: Double)] {
        var frames: [(hash: UInt64, time: Double)] = []
        try await ServedMedia.serve(url) { served in
            let whole = try DecodedFragment(bytes: try await served.bytes(served.presentation.renditions[0]))
            frames = whole.frames.map { ($0.hash, Double($0.pts ?? 0) * whole.tickSeconds) }
        }
        return frames
    }

    @Test(arguments: [
        ("avc.h264", "-c:v libx264 -preset veryfast -bf 3 -g 24"),
        ("hevc.h265", "-c:v libx265 -preset ultrafast -x265-params log-level=error:open-gop=1:keyint=24:min-keyint=24:bframes=4"),
    ]) func aBareStreamPlaysInTheOrderItsPicturesAreShown(name: String, arguments: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(name, "-f lavfi -i testsrc2=s=160x90:r=24:d=5 \(arguments)")
        let source = try await Reference(url, stream: 0).decoded
        let frames = try await served(url)
        #expect(frames.map(\.hash) == source.frames.map(\.hash))
        for (a, b) in zip(frames, frames.dropFirst()) { #expect(abs(b.time - a.time - 1.0 / 24) < 0.001) }
    }

    /// An end of sequence is a packet of its own, and no picture: the segment it ends joins the one before it all the same.
    @Test func aBareStreamThatSaysItsEndHasNoGap() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "hevc.h265", "-f lavfi -i testsrc2=s=160x90:r=24:d=9 -c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=24:min-keyint=24:bframes=4")
        var bytes = try Data(contentsOf: url)
        // And behind it a unit of Dolby Vision's (type 62), which takes up a packet by itself.
        bytes.append(contentsOf: [0, 0, 0, 1, 0x48, 0x01, 0, 0, 0, 1, 0x7C, 0x01] + [UInt8](repeating: 0x5A, count: 100))
        try bytes.write(to: url)
        try await ServedMedia.serve(url) { served in
            try #require(served.presentation.renditions[0].segments.count > 1)
            let report = try await SegmentVerifier(client: served.client).verify(served.presentation)
            #expect(report.findings.isEmpty, "\(report.findings)")
        }
    }

    /// A Matroska track whose pictures claim to last a millisecond: how deep they are reordered shows in the pictures alone.
    @Test func picturesOfUnknownLengthStandAtTheirOwnTimes() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=5 -c:v libx264 -preset veryfast -bf 3 -g 48 -x264-params b-adapt=0:b-pyramid=normal")
        var bytes = try Data(contentsOf: url)
        // DefaultDuration, 41 666 666 ns.
        let at = try #require(bytes.range(of: Data([0x23, 0xE3, 0x83, 0x84]))).upperBound
        bytes.replaceSubrange(at..<(at + 4), with: [0x00, 0x0F, 0x42, 0x40])
        try bytes.write(to: url)
        let source = try await Reference(url, stream: 0).decoded
        let frames = try await served(url)
        #expect(frames.map(\.hash) == source.frames.map(\.hash))
        for (ours, theirs) in zip(frames, source.frames) {
            #expect(abs(ours.time - Double(theirs.pts ?? -1000) * source.tickSeconds) < 0.002)
        }
    }

    /// The bitstream's clock says 60, its pictures come 30 times a second, and the container says nothing.
    @Test func theRateClaimedIsThatOfThePictures() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "film.mkv", "-f lavfi -i testsrc2=s=160x90:r=30:d=5 -c:v libx264 -preset veryfast -g 60 -bsf:v h264_metadata=tick_rate=120:fixed_frame_rate_flag=0")
        var bytes = try Data(contentsOf: url)
        // DefaultDuration, made Void.
        let at = try #require(bytes.range(of: Data([0x23, 0xE3, 0x83, 0x84]))).lowerBound
        bytes.replaceSubrange(at..<(at + 8), with: [0xEC, 0x86, 0, 0, 0, 0, 0, 0])
        try bytes.write(to: url)
        try await ServedMedia.serve(url) { served in
            let rate = try #require(served.presentation.multivariant.variants[0].frameRate)
            #expect(abs(Double(rate.numerator) / Double(rate.denominator) - 30) < 0.1)
        }
    }

    /// BANDWIDTH is what a player fetches: of several tracks the largest, and that as it is served.
    @Test(arguments: ["film.mov", "film.mkv"]) func theBitRateClaimedIsThatOfWhatIsServed(name: String) async throws {
        let fixture = try FFmpegFixture()
        let inputs = FFmpegFixture.inputs(seconds: 14)
        let served = "\(inputs) -map 0:v -map 1:a -map 1:a -c:v libx264 -preset veryfast -g 48 -c:a:0 aac -c:a:1 aac -b:a 192k"
        // An uncompressed track outweighs all of the picture.
        let plain = try await fixture.make("plain.\(name.suffix(3))", served)
        let heavy = try await fixture.make(name, served + " -map 1:a -c:a:2 pcm_s16le")
        var rates: [Int] = []
        for url in [plain, heavy] {
            try await ServedMedia.serve(url) { served in
                let variant = served.presentation.multivariant.variants[0]
                rates.append(variant.bandwidth)
                #expect((variant.averageBandwidth ?? 0) <= variant.bandwidth)
                guard url == plain, name == "film.mov" else { return }
                var (video, audio) = (0, 0)
                for segment in served.presentation.renditions[0].segments { video += try await served.client.get(segment).count }
                for segment in served.presentation.renditions[1].segments { audio += try await served.client.get(segment).count }
                let average = Double(video + audio) * 8 / 14
                #expect(abs(Double(variant.averageBandwidth ?? 0) / average - 1) < 0.05)
            }
        }
        // As FLAC it takes no more than its samples do.
        #expect(Double(rates[1]) < Double(rates[0]) * 1.1 + 768_000, "\(rates)")
    }

    @Test func aFilmWhoseStartAloneIsClearIsRefused() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mp4", "\(FFmpegFixture.inputs(seconds: 2)) -c:v libx264 -an")
        try SampleEntries.add(to: url) { entry in
            // The same entry, protected: its type, and behind its boxes where the real one stands (ISO/IEC 14496-12 §8.12.1).
            entry.replaceSubrange(4..<8, with: Array("encv".utf8))
            let original: [UInt8] = [0, 0, 0, 12] + Array("frma".utf8) + Array("avc1".utf8)
            entry += [0, 0, 0, UInt8(original.count + 8)] + Array("sinf".utf8) + original
        }
        #expect(await startError(url) == .sourceEncrypted)
    }

    @Test func anEncryptedFilmIsRefusedByThatName() async throws {
        let fixture = try FFmpegFixture()
        let key = "76a6c65c5ea762046bd749a2e632ccbb"
        let url = try await fixture.make(
            "encrypted.mp4",
            "\(FFmpegFixture.inputs(seconds: 2)) -c:v libx264 -c:a aac -encryption_scheme cenc-aes-ctr -encryption_key \(key) -encryption_kid a7e61c373e219033c21091fa607bf3b8")
        #expect(await startError(url) == .sourceEncrypted)
    }

    @Test func aPlaylistWhoseSegmentsAreMissingIsThereAllTheSame() async throws {
        let fixture = try FFmpegFixture()
        let list = fixture.url("list.m3u8")
        try Data("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"gone.mp4\"\n#EXTINF:6,\ngone.m4s\n#EXT-X-ENDLIST\n".utf8).write(to: list)
        guard case .sourceNotMedia = await startError(list) else {
            Issue.record("\(String(describing: await startError(list)))")
            return
        }
    }

    /// Demuxers that were mistaken in a file answer EINVAL: a WavPack name over nothing, here.
    @Test func aFileThatOnlyLooksLikeMediaIsNamed() async throws {
        let fixture = try FFmpegFixture()
        var random = SeededRandom(seed: 3)
        for name in ["notes.srt", "index.clpi", "words.bin"] {
            var bytes = Data([0xFF, 0xFE])
            for _ in 0..<3000 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
            try bytes.write(to: fixture.url(name))
            switch await startError(fixture.url(name)) {
            case .sourceNotMedia?, .noVideoStream?, .videoCodecUnplayable?: break
            case let other: Issue.record("\(name): \(String(describing: other))")
            }
        }
    }

    @Test func everyFailureOfAFilesHeaderIsTheFilesOwn() {
        for code in [EINVAL, EIO, ERANGE, EPROTO, ENOMEM] {
            let error = PrismCoreError.classify(LibavError(errno: code, operation: "open"), isFile: true)
            guard case .sourceNotMedia = error else {
                Issue.record("\(code): \(error)")
                continue
            }
        }
    }

    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    private static let realFiles = [
        "mp4/exo/mp4/sample_sef_slow_motion.mp4", "mp4/exo/mp4/sample_sef_super_slow_motion.mp4", "dolby-vision/hdr/sdr8.hevc", "mp4/mp4ff/cmd/mp4ff-nallister/4pics.264",
    ]

    /// Real files behind each of these, where they are at hand; one after the other, so as not to race the whole suite for its two threads.
    @Test(.enabled(if: media != nil)) func realFilesPlay() async throws {
        for path in Self.realFiles {
            let url = URL(fileURLWithPath: Self.media ?? "/").appendingPathComponent(path)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            let session = PrismCoreSession(url: url)
            do {
                let playlist = try await session.startWithoutHurry()
                let client = HTTPClient(timeout: 120)
                let report = try await SegmentVerifier(client: client).verify(try await ServedPresentation(url: playlist, client: client))
                #expect(report.findings.isEmpty && report.samples > 0, "\(path): \(report.findings)")
            } catch {
                Issue.record("\(path): \(error)")
            }
            await session.stop()
        }
    }
}
