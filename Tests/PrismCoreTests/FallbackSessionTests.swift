import Foundation
import HLS
import PrismCore
import SegmentVerification
import StreamValidation
import TestSupport
import Testing

/// One media playlist with picture and sound in the same segments, and how a host comes by it.
@Suite(.serialized, .fewAtATime) struct FallbackSessionTests {
    private static let twoTracks =
        "\(FFmpegFixture.inputs(seconds: 20)) -f lavfi -i sine=880:r=48000:d=20 -map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -bf 2 -g 48 -c:a aac "
        + "-metadata:s:a:0 language=eng -metadata:s:a:1 language=cze"
    private static let hdr10 =
        "\(FFmpegFixture.inputs(seconds: 12)) -c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc "
        + "-x265-params log-level=none:keyint=48:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc"

    /// Starts a session, reads it as a client does, holds it against the rules, and stops it.
    private func serve(_ session: PrismCoreSession, _ body: (URL, ServedPresentation) async throws -> Void) async throws {
        do {
            let playlist = try await session.startWithoutHurry()
            let client = HTTPClient()
            let presentation = try await ServedPresentation(url: playlist, client: client)
            let report = try await SegmentVerifier(client: client).verify(presentation)
            #expect(report.findings.isEmpty, "\(report.findings)")
            #expect(report.decodedFrames > 0)
            let validation = try await StreamValidator(fetcher: client, following: .untilEnd).validate(playlist)
            #expect(validation.isValid, "\(validation.table())")
            try await body(playlist, presentation)
        } catch {
            await session.stop()
            throw error
        }
        await session.stop()
    }

    @Test(arguments: ["film.mkv", "film.mp4", "film.ts"]) func theMuxedFallbackPlaysPictureAndSoundFromOnePlaylist(name: String) async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(name, Self.twoTracks)
        let first = PrismCoreSession(url: url, options: .init(preferredAudioLanguage: "cs"))
        let master = try await first.startWithoutHurry()
        #expect(master.lastPathComponent == "master.m3u8")
        let second = try await first.makeMuxedFallbackSession()
        #expect(second.origin == .muxedFallback)
        #expect(second.options.preferredAudioLanguage == "cs", "what was not changed is carried")
        let (picture, sound) = (try await Reference(url, stream: 0).decoded, try await Reference(url, stream: 2).decoded)
        try await serve(second) { playlist, presentation in
            #expect(playlist.lastPathComponent == "index.m3u8")
            #expect(presentation.renditions.count == 1)
            let client = HTTPClient()
            for missing in ["master.m3u8", "master-audio0.m3u8", "audio0/index.m3u8", "audio1/init.mp4", "audio1/seg0.m4s"] {
                let url = try #require(URL(string: missing, relativeTo: playlist)).absoluteURL
                await #expect(throws: HTTPClient.Failure.status(404, path: url.path)) { _ = try await client.get(url) }
            }
            // The same pictures and the preferred track's sound, every one of them.
            var bytes = try await client.get(presentation.renditions[0].initialization)
            for segment in presentation.renditions[0].segments { bytes += try await client.get(segment) }
            #expect(try DecodedFragment(bytes: bytes, streamIndex: 0).packets.count == picture.packets.count)
            #expect(try DecodedFragment(bytes: bytes, streamIndex: 0).frames.map(\.hash) == picture.frames.map(\.hash))
            let heard = try DecodedFragment(bytes: bytes, streamIndex: 1)
            // A transport stream's packets have ADTS headers, which fragments do not.
            if name != "film.ts" { #expect(heard.packets.map(\.bytes) == sound.packets.map(\.bytes)) }
            #expect(heard.packets.count == sound.packets.count)
            #expect(heard.frames.suffix(100).map(\.hash) == sound.frames.suffix(100).map(\.hash))
            let routes = await second.audioTrackDeliveries.map(\.route)
            #expect(routes.count == 2)
            #expect(routes[0] == .leftOut(reason: "one media playlist carries one audio track"))
            guard case .copied(_, isDefault: true) = routes[1] else {
                Issue.record("\(routes)")
                return
            }
            let report = await second.displayReport
            #expect(report?.playlist.kind == .media && report?.playlist.cause == .mediaWanted)
        }
        await first.stop()
    }

    @Test func segmentsOfOnePlaylistDoNotDependOnTheOrderTheyAreAskedForIn() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", Self.twoTracks)
        var options = PrismCoreSession.Options(forceMuxedShape: true)
        var forward: [[UInt8]] = []
        try await ServedMedia.serve(url, options: options) { served in
            for segment in served.presentation.renditions[0].segments { forward.append(try await served.client.get(segment)) }
        }
        let expected = forward
        options.segmentCacheBytes = 1
        try await ServedMedia.serve(url, options: options) { served in
            for (index, segment) in served.presentation.renditions[0].segments.enumerated().reversed() {
                let bytes = try await served.client.get(segment)
                #expect(bytes == expected[index], "segment \(index)")
            }
        }
    }

    @Test(arguments: [SequentialPlaylist.event, .slidingWindow(seconds: 30)]) func aSourceWithoutAPlanGrowsInOnePlaylist(shape: SequentialPlaylist) async throws {
        let fixture = try FFmpegFixture()
        // The sound pauses in the middle for longer than a segment.
        let film = try await fixture.make(
            "film.mkv",
            "-f lavfi -i testsrc2=s=160x90:r=24:d=40 -f lavfi -i sine=440:r=48000:d=40 -c:v libx264 -preset ultrafast -bf 0 -g 48 -c:a ac3 "
                + "-bsf:a noise=drop=gt(n\\,375)*lt(n\\,781)")
        let pipe = try PipedSource(film, in: fixture)
        try await serve(PrismCoreSession(url: pipe.url, options: .init(sequentialPlaylist: shape, forceMuxedShape: true))) { playlist, presentation in
            #expect(playlist.lastPathComponent == "index.m3u8")
            let rendition = presentation.renditions[0]
            #expect(rendition.playlist.isEnded)
            #expect(rendition.playlist.mediaSequenceNumber + rendition.segments.count >= 6)
            withExtendedLifetime(pipe) {}
        }
    }

    @Test func anHDRFilmOnADisplayInStandardRangeGetsTheMediaPlaylist() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("hdr.mkv", "\(Self.hdr10) -c:a eac3 -ac 2")
        try await serve(PrismCoreSession(url: url, options: .init(display: .conservative))) { playlist, _ in
            #expect(playlist.lastPathComponent == "index.m3u8")
        }
        let session = PrismCoreSession(url: url, options: .init(display: .conservative))
        #expect(await session.displayReport == nil)
        #expect(await session.displayCriteria == nil)
        _ = try await session.startWithoutHurry()
        let report = try #require(await session.displayReport)
        #expect(report.playlist.cause == .displayNotReadyForHDR)
        #expect(report.videoRange == "PQ" && report.origin == .host)
        #expect(await session.displayCriteria == DisplayCriteriaChoice(target: .rateOnly, refreshRate: 24))
        await session.stop()
        #expect(await session.displayReport == report, "it can still be asked for afterwards")

        try await serve(PrismCoreSession(url: url, options: .init(display: .init(isHDRReady: true, isDolbyVisionCapable: false)))) { playlist, presentation in
            #expect(playlist.lastPathComponent == "master.m3u8")
            #expect(presentation.multivariant.variants.map(\.videoRange) == ["PQ"])
        }
    }

    @Test func aFilmWithoutSoundIsOnePlaylistToo() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("silent.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=12 -c:v libx264 -preset ultrafast -g 48")
        try await serve(PrismCoreSession(url: url, options: .init(forceMuxedShape: true))) { playlist, presentation in
            #expect(playlist.lastPathComponent == "index.m3u8")
            #expect(presentation.renditions[0].segments.count >= 2)
        }
    }

    @Test func soundThatBeginsLateAndEndsEarlyLeavesSegmentsWithoutAny() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "late.mkv",
            "-f lavfi -i testsrc2=s=160x90:r=24:d=30 -itsoffset 9 -f lavfi -i sine=440:r=48000:d=5 -c:v libx264 -preset ultrafast -g 48 -c:a ac3")
        try await serve(PrismCoreSession(url: url, options: .init(forceMuxedShape: true))) { _, presentation in
            #expect(presentation.renditions[0].segments.count >= 5)
        }
    }

    // MARK: Successors

    @Test func aRejectedMasterIsFollowedByAMediaPlaylistOnce() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", "\(FFmpegFixture.inputs(seconds: 6)) -c:v libx264 -preset ultrafast -g 48 -c:a aac")
        let first = PrismCoreSession(url: url)
        await #expect(throws: PrismCoreSession.SessionError.noMasterServed) { _ = try await first.makeMasterRejectionFallbackSession() }
        _ = try await first.startWithoutHurry()
        let second = try await first.makeMasterRejectionFallbackSession()
        await first.stop()
        for _ in 0..<2 {
            await #expect(throws: PrismCoreSession.SessionError.alreadySuperseded) { _ = try await first.makeMasterRejectionFallbackSession() }
        }
        await #expect(throws: PrismCoreSession.SessionError.alreadySuperseded) { _ = try await first.makeMuxedFallbackSession() }
        await #expect(throws: PrismCoreSession.SessionError.alreadySuperseded) { _ = try await first.makeSession { $0.port = 0 } }
        try await serve(second) { playlist, _ in
            #expect(playlist.lastPathComponent == "index.m3u8")
            #expect(await second.displayReport?.origin == .masterRejectionFallback)
            // It served no master: whatever its player says is no rejection, and there is nothing left to fall back to.
            await #expect(throws: PrismCoreSession.SessionError.noMasterServed) { _ = try await second.makeMasterRejectionFallbackSession() }
            await #expect(throws: PrismCoreSession.SessionError.noMasterServed) { _ = try await second.makeReducedMasterFallbackSession() }
        }
    }

    @Test func aReducedMasterWithNothingToLeaveOutIsAMediaPlaylist() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", "\(FFmpegFixture.inputs(seconds: 6)) -c:v libx264 -preset ultrafast -g 48 -c:a aac")
        let first = PrismCoreSession(url: url)
        _ = try await first.startWithoutHurry()
        let second = try await first.makeReducedMasterFallbackSession()
        await first.stop()
        try await serve(second) { playlist, _ in
            #expect(playlist.lastPathComponent == "index.m3u8")
            let report = await second.displayReport
            #expect(report?.playlist.cause == .nothingToReduce && report?.origin == .reducedMasterFallback)
        }
    }

    @Test func aSuccessorChangesWhatItIsToldAndNothingElse() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", Self.twoTracks)
        let options = PrismCoreSession.Options(segmentCacheBytes: 1 << 20, sequentialPlaylist: .slidingWindow(seconds: 60), display: .conservative)
        let first = PrismCoreSession(url: url, options: options)
        let second = try await first.makeSession { $0.preferredAudioLanguage = "cs" }
        var expected = options
        expected.preferredAudioLanguage = "cs"
        #expect(second.options == expected && second.url == url && second.origin == .changedOptions)
        try await serve(second) { _, presentation in
            #expect(presentation.multivariant.renditions.first { $0.isDefault }?.language == "cs")
        }
    }
}
