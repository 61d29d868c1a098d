import Foundation
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// A segment is a value: its bytes follow from the source, not from when, in what order or how often it was asked for.
@Suite(.fewAtATime) struct DeterminismTests {
    static let film = "-f lavfi -i testsrc2=s=160x90:r=24:d=60 -f lavfi -i sine=440:r=48000:d=60 -f lavfi -i sine=880:r=44100:d=60 -map 0 -map 1 -map 2"

    @Test(arguments: [
        ("order.mkv", "-c:v libx264 -preset ultrafast -bf 3 -g 24 -c:a:0 aac -c:a:1 flac"),
        ("order.mp4", "-c:v libx264 -preset ultrafast -bf 2 -g 24 -c:a:0 aac -c:a:1 ac3"),
        ("open.mkv", "-c:v libx265 -preset ultrafast -x265-params log-level=error:open-gop=1:keyint=24:min-keyint=24:bframes=4 -c:a:0 eac3 -ac:a:0 2 -c:a:1 aac"),
    ])
    func bytesDoNotDependOnOrderParallelismEvictionOrSession(name: String, codecs: String) async throws {
        let fixture = try FFmpegFixture()
        try await Self.orderDoesNotMatter(try await fixture.make(name, "\(Self.film) \(codecs)"))
    }

    /// Files without an index: planned from their headers, entered where those say.
    @Test(arguments: [
        ("nocues.mkv", "-map 0:a:0 -map 0:a:1 -f matroska -cluster_time_limit 3000 -live 1"),
        ("order.ts", "-map 0:a:0 -map 0:a:1"),
        ("order.m2ts", "-map 0:a:0 -map 0:a:1 -mpegts_m2ts_mode 1 -muxdelay 1.4"),
        // Its clock begins again half-way.
        ("wrapping.ts", "-map 0:a:0 -output_ts_offset 95413 -muxdelay 0"),
        ("order.flv", "-map 0:a:0 -flvflags no_duration_filesize"),
    ])
    func bytesOfUnindexedFilesDoNotEither(name: String, muxing: String) async throws {
        let fixture = try FFmpegFixture()
        try await fixture.make("whole.mkv", "\(Self.film) -c:v libx264 -preset ultrafast -bf 3 -g 24 -c:a:0 aac -c:a:1 ac3")
        let url = try await fixture.make(name, "-i {folder}/whole.mkv -map 0:v -c copy \(muxing)")
        try await ServedMedia.serve(url) { served in
            let evidence = await served.session.planEvidence
            guard case .headerScan = evidence else {
                Issue.record("\(name) is planned from \(String(describing: evidence)): \(String(describing: await served.session.planOrigin))")
                return
            }
        }
        try await Self.orderDoesNotMatter(url)
    }

    /// Tracks that begin late, pause and end early: their silence is on the same grid whatever was produced when.
    @Test(arguments: [
        ("gaps.mkv", "-c:a:0 eac3 -c:a:1 flac"), ("gaps.mp4", "-c:a:0 ac3 -c:a:1 alac"), ("gaps.mkv", "-c:a:0 flac -frame_size:a:0 1152 -c:a:1 aac"),
    ])
    func bytesOfSilenceDoNotEither(name: String, codecs: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            name,
            "-f lavfi -i testsrc2=s=160x90:r=24:d=60 -itsoffset 13.037 -f lavfi -i sine=440:r=48000:d=30 -itsoffset 2.6 -f lavfi -i sine=880:r=44100:d=41.3 -map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -bf 2 -g 24 \(codecs) -bsf:a noise=drop=gt(n\\,200)*lt(n\\,420)")
        try await Self.orderDoesNotMatter(url)
        try await ServedMedia.serve(url) { served in
            for rendition in served.presentation.renditions.dropFirst() {
                for segment in rendition.segments {
                    let bytes = try await served.client.get(rendition.initialization) + served.client.get(segment)
                    #expect(try DecodedFragment(bytes: bytes).packets.count > 0, "\(segment.path)")
                }
            }
        }
    }

    @Test func aJoinedRecordingHasNoPlanAndSaysWhy() async throws {
        let fixture = try FFmpegFixture()
        let once = try await fixture.make("once.ts", "-f lavfi -i testsrc2=s=160x90:r=24:d=20 -c:v libx264 -preset ultrafast -g 24")
        let bytes = try Data(contentsOf: once)
        let url = fixture.url("joined.ts")
        try (bytes + bytes).write(to: url)
        try await ServedMedia.serve(url) { served in
            #expect(await served.session.planEvidence == nil)
            guard case .sequential(let reason) = await served.session.planOrigin else {
                Issue.record("it is planned")
                return
            }
            #expect(reason.contains("clock jumps"))
        }
    }

    static func orderDoesNotMatter(_ url: URL, options given: PrismCoreSession.Options = .init()) async throws {
        var reference: [String: [UInt8]] = [:]
        try await ServedMedia.serve(url, options: given) { served in
            for segment in served.segments { reference[segment.path] = try await served.client.get(segment) }
        }
        let expected = reference

        // Random order, in a session whose budget holds next to nothing: each segment is produced many times over.
        var options = given
        options.segmentCacheBytes = 300_000
        try await ServedMedia.serve(url, options: options) { served in
            var random = SeededRandom(seed: 7)
            for _ in 0..<2 {
                for segment in served.segments.shuffled(using: &random) {
                    let bytes = try await served.client.get(segment)
                    #expect(bytes == expected[segment.path], "\(segment.path)")
                }
            }
        }
        // Eight at a time, with no more room: who waits for a segment far behind the one asked for last gets it, too.
        try await ServedMedia.serve(url, options: options) { served in
            var random = SeededRandom(seed: 8)
            let order = served.segments.shuffled(using: &random)
            let client = served.client
            for start in stride(from: 0, to: order.count, by: 8) {
                try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
                    for segment in order[start..<min(start + 8, order.count)] { group.addTask { (segment.path, try await client.get(segment)) } }
                    for try await (path, bytes) in group { #expect(bytes == expected[path], "\(path)") }
                }
            }
        }
    }

    @Test func audioThatRunsAheadOfThePictureInTheFileIsCompleteAfterASeek() async throws {
        let fixture = try FFmpegFixture()
        // Audio interleaved two seconds early: what belongs to a segment lies before its keyframe.
        try await fixture.make("even.mkv", "\(Self.film) -c:v libx264 -preset ultrafast -bf 0 -g 24 -c:a aac")
        let url = try await fixture.make("early.mkv", "-itsoffset 2 -i {folder}/even.mkv -i {folder}/even.mkv -map 0:v -map 1:a -c copy -max_interleave_delta 0")
        try await ServedMedia.serve(url) { first in
            try await ServedMedia.serve(url) { second in
                var continuous: [[UInt8]] = []
                for segment in first.segments { continuous.append(try await first.client.get(segment)) }
                for (segment, expected) in zip(second.segments, continuous).reversed() {
                    let bytes = try await second.client.get(segment)
                    #expect(bytes == expected, "\(segment.path)")
                }
            }
        }
    }
}

extension ServedMedia {
    var segments: [URL] { presentation.renditions.flatMap { [$0.initialization] + $0.segments } }
}
