import Foundation
import HLS
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// A picture that changes its size on the way: two films joined in one container.
@Suite(.fewAtATime) struct ParameterSetTests {
    private static func piece(_ size: String, _ seconds: Int, _ more: String = "") -> String {
        "-f lavfi -i testsrc2=s=\(size):r=24:d=\(seconds) -f lavfi -i sine=440:r=48000:d=\(seconds) -c:v libx264 -preset veryfast -g 24 \(more) -c:a aac"
    }

    /// Joined as broadcasts are: one transport stream after the other, the clock going on.
    private func joined(_ fixture: FFmpegFixture, first: String, second: String, seconds: Int) async throws -> URL {
        let a = try await fixture.make("a.ts", first)
        let b = try await fixture.make("b.ts", second + " -output_ts_offset \(seconds)")
        let url = fixture.url("joined.ts")
        try (try Data(contentsOf: a) + (try Data(contentsOf: b))).write(to: url)
        return url
    }

    @Test(arguments: ["libx264 -preset veryfast", "libx265 -preset ultrafast -x265-params log-level=error:keyint=24"]) func eachStretchHasItsOwnInitSegment(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await joined(
            fixture, first: Self.piece("160x90", 9, "-c:v \(codec)"), second: Self.piece("320x180", 9, "-c:v \(codec)"), seconds: 9)
        let source = try await Reference(url, stream: 0).decoded
        try await ServedMedia.serve(url, options: .init(playsSequentially: true)) { served in
            let video = served.presentation.renditions[0], audio = served.presentation.renditions[1]
            let breaks = video.playlist.segments.indices.filter { video.playlist.segments[$0].isDiscontinuity }
            try #require(breaks.count == 1 && video.renewals.keys.sorted() == breaks)
            let heard = audio.playlist.segments.indices.filter { audio.playlist.segments[$0].isDiscontinuity }
            #expect(heard == breaks, "every rendition counts alike")
            #expect(audio.renewals.isEmpty)
            // Each stretch by itself decodes to its part of the film.
            var (head, tail) = (try await served.client.get(video.initialization), try await served.client.get(try #require(video.renewals[breaks[0]])))
            #expect(head != tail)
            for (index, segment) in video.segments.enumerated() {
                if index < breaks[0] { head += try await served.client.get(segment) } else { tail += try await served.client.get(segment) }
            }
            let hashes = try DecodedFragment(bytes: head).frames.map(\.hash) + DecodedFragment(bytes: tail).frames.map(\.hash)
            #expect(hashes == source.frames.map(\.hash))
            let report = try await SegmentVerifier(client: served.client).verify(served.presentation)
            #expect(report.findings.isEmpty, "\(report.findings)")
        }
    }

    /// Where picture and sound share their segments, the new init segment has both tracks too.
    @Test func oneMediaPlaylistGoesOnBehindAChange() async throws {
        let fixture = try FFmpegFixture()
        let url = try await joined(fixture, first: Self.piece("160x90", 9), second: Self.piece("320x180", 9), seconds: 9)
        let source = try await Reference(url, stream: 0).decoded
        try await ServedMedia.serve(url, options: .init(forceMuxedShape: true, playsSequentially: true)) { served in
            let media = served.presentation.renditions[0]
            let change = try #require(media.renewals.keys.first)
            var (head, tail) = (try await served.client.get(media.initialization), try await served.client.get(try #require(media.renewals[change])))
            for (index, segment) in media.segments.enumerated() {
                if index < change { head += try await served.client.get(segment) } else { tail += try await served.client.get(segment) }
            }
            let hashes = try DecodedFragment(bytes: head).frames.map(\.hash) + DecodedFragment(bytes: tail).frames.map(\.hash)
            #expect(hashes == source.frames.map(\.hash))
            #expect(try DecodedFragment(bytes: tail, streamIndex: 1).frames.count > 100)
            let report = try await SegmentVerifier(client: served.client).verify(served.presentation)
            #expect(report.findings.isEmpty, "\(report.findings)")
        }
    }

    /// The looks taken at a plan's segments find it before the playlist is out.
    @Test func aPlanIsNotMadeOfAFilmThatChanges() async throws {
        let fixture = try FFmpegFixture()
        let url = try await joined(fixture, first: Self.piece("160x90", 12), second: Self.piece("320x180", 12), seconds: 12)
        try await ServedMedia.serve(url) { served in
            guard case .sequential(let reason)? = await served.session.planOrigin else {
                Issue.record("planned")
                return
            }
            #expect(reason.contains("configuration"))
            #expect(served.presentation.renditions[0].renewals.count == 1)
        }
    }

    /// A stretch in the middle that no look falls on: production ends there by name, and nothing wrong is served.
    @Test func aPlannedFilmThatChangesAllTheSameSaysSo() async throws {
        let fixture = try FFmpegFixture()
        let parts = try await (0..<3).asyncMap { k in
            try await fixture.make("\(k).ts", Self.piece(k == 1 ? "320x180" : "160x90", k == 1 ? 8 : 22) + " -output_ts_offset \([0, 22, 30][k])")
        }
        let url = fixture.url("joined.ts")
        try parts.reduce(Data()) { try $0 + Data(contentsOf: $1) }.write(to: url)
        let session = PrismCoreSession(url: url)
        let playlist = try await session.startWithoutHurry()
        guard case .builtFromSource? = await session.planOrigin else {
            // Another look found it.
            await session.stop()
            return
        }
        let events = await session.playbackEvents()
        let presentation = try await ServedPresentation(url: playlist, client: HTTPClient())
        let fetching = Task {
            for segment in presentation.renditions[0].segments { _ = try? await HTTPClient().get(segment) }
        }
        for await event in events {
            if case .producerFailed(let error) = event {
                #expect(error == .parameterSetsChanged)
                break
            }
        }
        #expect(await session.remuxFailure == .parameterSetsChanged)
        await session.stop()
        await fetching.value
    }

    /// The same pictures by other words: a level, a clock and another id are no reason to begin anew.
    @Test(arguments: ["-bsf:v h264_metadata=level=4.1", "-x264-params sps-id=3"]) func setsThatChangeNoDecoderGoOnInBand(words: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await joined(fixture, first: Self.piece("160x90", 8), second: Self.piece("160x90", 8, words), seconds: 8)
        try await ServedMedia.serve(url, options: .init(playsSequentially: true)) { served in
            #expect(served.presentation.renditions[0].renewals.isEmpty)
            let breaks = served.presentation.renditions[0].playlist.segments.filter(\.isDiscontinuity)
            #expect(breaks.isEmpty)
        }
    }

    @Test func aContainerThatListsAnotherConfigurationGetsNoPlan() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mp4", "\(FFmpegFixture.inputs(seconds: 9)) -c:v libx264 -preset veryfast -g 24 -an")
        try SampleEntries.add(to: url) { entry in
            // A level of the record's own differs, and with it one set's byte.
            guard let at = entry.indices.first(where: { entry[$0...].starts(with: Array("avcC".utf8)) }) else { return }
            entry[at + 4 + 8 + 3] ^= 1
        }
        try await ServedMedia.serve(url) { served in
            guard case .sequential? = await served.session.planOrigin else {
                Issue.record("planned")
                return
            }
            #expect(served.presentation.renditions[0].renewals.isEmpty)
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var all: [T] = []
        for element in self { all.append(try await transform(element)) }
        return all
    }
}
