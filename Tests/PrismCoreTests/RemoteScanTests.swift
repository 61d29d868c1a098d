import Foundation
import LoopbackHTTP
import PrismCore
import TestSupport
import Testing

/// Sources behind HTTP that have no index.
@Suite(.fewAtATime) struct RemoteScanTests {
    private struct OneFile: ResourceProvider {
        let bytes: [UInt8]

        func resource(named name: String) -> ResourceAnswer {
            name == "film.mkv" ? .ready(Resource(contentType: "video/x-matroska", body: ResourceBody(bytes), isImmutable: true)) : .notFound
        }
    }

    private static let film = "-f lavfi -i testsrc2=s=160x90:r=24:d=60,noise=alls=40:allf=t:all_seed=3 -f lavfi -i sine=440:r=48000:d=60 -c:v libx264 -preset ultrafast -crf 18 -bf 2 -g 24 -c:a aac"

    /// Without its Cues: voided where they stand, or the file ends before them, as a recording does whose end was never written.
    private static func withoutCues(_ file: URL, cut: Bool) throws -> [UInt8] {
        var bytes = [UInt8](try Data(contentsOf: file))
        let cues = try #require(bytes.indices.dropLast(13).last { bytes[$0...].starts(with: [0x1C, 0x53, 0xBB, 0x6B]) })
        if cut { return Array(bytes[..<cues]) }
        let length = bytes[cues + 4].leadingZeroBitCount + 1
        let size = bytes[(cues + 5)..<(cues + 4 + length)].reduce(Int(bytes[cues + 4]) & (0xFF >> length)) { $0 << 8 | Int($1) }
        let payload = 4 + length + size - 9
        bytes[cues] = 0xEC
        bytes[cues + 1] = 1
        for i in 0..<7 { bytes[cues + 2 + i] = UInt8(truncatingIfNeeded: payload >> (8 * (6 - i))) }
        return bytes
    }

    @Test(arguments: [false, true]) func aFilmWithoutCuesIsPlannedAsTheSameFileHereIs(cut: Bool) async throws {
        let fixture = try FFmpegFixture()
        let bytes = try Self.withoutCues(try await fixture.make("film.mkv", Self.film), cut: cut)
        #expect(bytes.count > 60 * (64 << 10), "Clusters large enough to be hopped over")
        let local = fixture.url("here.mkv")
        try Data(bytes).write(to: local)
        let origin = LoopbackHTTPServer(provider: OneFile(bytes: bytes))
        try origin.start()
        defer { origin.stop() }

        var expected: [[UInt8]] = []
        try await ServedMedia.serve(local) { served in
            for segment in served.segments { expected.append(try await served.client.get(segment)) }
        }
        let wanted = expected
        try await ServedMedia.serve(try #require(URL(string: origin.baseURL + "film.mkv"))) { served in
            guard case .headerScan = await served.session.planEvidence else {
                Issue.record("\(String(describing: await served.session.planOrigin))")
                return
            }
            #expect(served.segments.count == wanted.count)
            // From the end: each is entered by its own place.
            for (segment, bytes) in zip(served.segments, wanted).reversed() {
                let found = try await served.client.get(segment)
                #expect(found == bytes, "\(segment.path)")
            }
        }
    }

    @Test func aListWhosePartsAreMissingIsRefused() async throws {
        let fixture = try FFmpegFixture()
        let lists = [
            ("live.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:10,\na.ts\n#EXTINF:10,\nb.ts\n"),
            (
                "live.mpd",
                """
                <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2020-01-01T00:00:00" minBufferTime="PT2S" \
                minimumUpdatePeriod="PT5S" timeShiftBufferDepth="PT60S" profiles="urn:mpeg:dash:profile:isoff-live:2011"><Period start="PT0S"><AdaptationSet \
                mimeType="video/mp4"><SegmentTemplate timescale="1" duration="2" startNumber="1" media="part-$Number$.m4s"/><Representation id="1" \
                bandwidth="100000" codecs="avc1.64001f" width="320" height="180"/></AdaptationSet></Period></MPD>
                """
            ),
        ]
        for (name, text) in lists {
            let url = fixture.url(name)
            try Data(text.utf8).write(to: url)
            do {
                _ = try await SourceProbe.openDetached(url: url)
                Issue.record("\(name) is taken for a film")
            } catch let error as PrismCoreError {
                #expect(error == .sourceNotMedia(reason: "it is a list, and none of the parts that it names can be opened"), "\(name): \(error)")
            }
        }
    }
}
