import Foundation
import HLS
import PrismCore
import SegmentVerification
import TestSupport
import Testing

@Suite(.fewAtATime) struct SessionLifecycleTests {
    private static let film = "\(FFmpegFixture.inputs(seconds: 30)) -c:v libx264 -preset ultrafast -g 48 -c:a aac"

    @Test func checkpointsComeInOrderAndTheStreamEnds() async throws {
        let fixture = try FFmpegFixture()
        let session = PrismCoreSession(url: try await fixture.make("film.mkv", Self.film))
        let checkpoints = await session.startupCheckpoints()
        _ = try await session.startWithoutHurry()
        var names: [String] = []
        for await checkpoint in checkpoints {
            switch checkpoint.phase {
            case .sourceOpened: names.append("opened")
            case .streamInfoResolved(let info): names.append(info.video?.codec ?? "none")
            case .segmentPlanReady(let origin, let segments): names.append("\(origin == .builtFromSource) \(segments)")
            case .firstVideoSegmentWritten(let index): names.append("segment \(index)")
            case .playlistServable: names.append("servable")
            }
        }
        #expect(names == ["opened", "h264", "true 6", "segment 0", "servable"])
        await session.stop()
    }

    @Test func aSessionIsSingleUse() async throws {
        let fixture = try FFmpegFixture()
        let session = PrismCoreSession(url: try await fixture.make("film.mkv", Self.film))
        _ = try await session.startWithoutHurry()
        await #expect(throws: PrismCoreSession.SessionError.alreadyStarted) { _ = try await session.startWithoutHurry() }
        await session.stop()
        await session.stop()
        await #expect(throws: PrismCoreSession.SessionError.stopped) { _ = try await session.startWithoutHurry() }
    }

    @Test func aProbedSourceIsHandedOverOnce() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("film.mkv", Self.film)
        let probed = try await SourceProbe.openDetached(url: url, structure: .full)
        #expect(probed.info.video?.frameRate == [24, 1])
        #expect(probed.structure.indexLocation == .tail)
        #expect(probed.structure.index?.completeness == .complete)
        for _ in 0..<2 {
            let session = PrismCoreSession(url: url, probed: probed)
            let playlist = try await session.startWithoutHurry()
            #expect(try await HTTPClient().get(playlist).starts(with: Array("#EXTM3U".utf8)))
            await session.stop()
        }
    }

    @Test func whatIsResidentIsSaid() async throws {
        let fixture = try FFmpegFixture()
        try await ServedMedia.serve(try await fixture.make("film.mkv", Self.film)) { served in
            for url in served.presentation.renditions[0].segments { _ = try await served.client.get(url) }
            let ranges = await served.session.residentRanges
            #expect(ranges.count == 1)
            #expect(abs((ranges.first?.upperBound ?? 0) - (ranges.first?.lowerBound ?? 0) - 30) < 0.1)
            #expect(await served.session.sourceBytesRead > 0)
            #expect(await served.session.timestampRepairs == TimestampRepairs())
        }
    }

    @Test func namesNobodyPublishedDoNotExist() async throws {
        let fixture = try FFmpegFixture()
        let session = PrismCoreSession(url: try await fixture.make("film.mkv", Self.film))
        let playlist = try await session.startWithoutHurry()
        for name in ["seg6.m4s", "seg-1.m4s", "seg01.m4s", "audio1/init.mp4", "../film.mkv", "etc/passwd", "audio0/", "init.mp4/"] {
            let url = try #require(URL(string: name, relativeTo: playlist)).absoluteURL
            await #expect(throws: HTTPClient.Failure.status(404, path: url.path)) { _ = try await HTTPClient().get(url) }
        }
        await session.stop()
    }

    @Test func withoutAWayToTheLocalNetworkItSaysWhichOneWasWanted() async throws {
        let fixture = try FFmpegFixture()
        var options = PrismCoreSession.Options()
        #expect(options.reachability == .loopbackOnly)
        options.reachability = .localNetworkUnencryptedForAirPlay
        options.networkInterface = "nosuch0"
        let session = PrismCoreSession(url: try await fixture.make("film.mkv", Self.film), options: options)
        await #expect {
            _ = try await session.startWithoutHurry()
        } throws: { ($0 as? LoopbackHTTPServer.NoLocalNetworkInterface)?.wanted == "nosuch0" }
        #expect(await session.serviceAddress == nil)
        await #expect(throws: PrismCoreSession.SessionError.stopped) { _ = try await session.startWithoutHurry() }
    }

    @Test func onTheLoopbackTheAddressIsThereWhileItServes() async throws {
        let fixture = try FFmpegFixture()
        let session = PrismCoreSession(url: try await fixture.make("film.mkv", Self.film))
        #expect(await session.serviceAddress == nil)
        let playlist = try await session.startWithoutHurry()
        #expect(playlist.path == "/master.m3u8")
        #expect(await session.serviceAddress == .available("127.0.0.1"))
        await session.stop()
        #expect(await session.serviceAddress == nil)
    }

    @Test func thePreferredLanguageIsTheDefault() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "languages.mkv",
            "\(FFmpegFixture.inputs(seconds: 4)) -map 0 -map 1 -map 1 -c:v libx264 -preset ultrafast -c:a aac -metadata:s:a:0 language=eng -metadata:s:a:1 language=cze")
        for (wanted, name) in [("cs-CZ", "Czech"), ("ces", "Czech"), ("ja", "English"), (nil, "English")] as [(String?, String)] {
            try await ServedMedia.serve(url, options: .init(preferredAudioLanguage: wanted)) { served in
                let defaults = served.presentation.multivariant.renditions.filter(\.isDefault)
                #expect(defaults.map(\.name) == [name])
                #expect(Set(served.presentation.multivariant.renditions.compactMap(\.language)) == ["en", "cs"])
            }
        }
    }

    @Test func tracksThatCannotBeCopiedAreListedAsBridged() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("bridge.mkv", "\(FFmpegFixture.inputs(seconds: 4)) -map 0 -map 1 -map 1 -c:v libx264 -preset ultrafast -c:a:0 libmp3lame -c:a:1 ac3")
        try await ServedMedia.serve(url) { served in
            #expect(served.presentation.renditions.count == 3)
            let routes = await served.session.audioTrackDeliveries.map(\.route)
            guard case .bridged(_, "fLaC", _, isDefault: true, let reason) = try #require(routes.first), case .copied(_, isDefault: false) = try #require(routes.last) else {
                Issue.record("\(routes)")
                return
            }
            #expect(reason.contains("mp3"))
        }
    }

    @Test func chaptersAreReported() async throws {
        let fixture = try FFmpegFixture()
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=3000\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=3000\nEND=6000\ntitle=Two\n".utf8)
            .write(to: fixture.url("chapters.txt"))
        let url = try await fixture.make("chapters.mkv", "\(FFmpegFixture.inputs(seconds: 6)) -i {folder}/chapters.txt -map 0 -map 1 -map_metadata 2 -c:v libx264 -preset ultrafast -c:a aac")
        try await ServedMedia.serve(url) { served in
            #expect(await served.session.chapters.map(\.title) == ["One", "Two"])
            #expect(await served.session.chapters.map(\.start) == [0, 3])
        }
    }
}
