import Foundation
import HLS
import ISOBMFF
import PrismCore
import SegmentVerification
import StreamValidation
import TestSupport
import Testing

/// A Dolby Vision film with two languages, on displays that take it, take less, and take nothing.
@Suite(.serialized, .fewAtATime) struct DolbyVisionFallbackTests {
    private static func film(_ layers: String) async throws -> (film: DolbyVisionFixture, url: URL) {
        let film = try await DolbyVisionFixture()
        if layers == "one" { _ = try await film.single("one.mkv") } else { _ = try await film.double("two.mkv") }
        let url = try await film.fixture.make(
            "film.mkv",
            "-i {folder}/\(layers).mkv -f lavfi -i sine=440:r=48000:d=14 -f lavfi -i sine=880:r=48000:d=14 -map 0:v -map 1 -map 2 -c:v copy -c:a ac3 "
                + "-metadata:s:a:0 language=eng -metadata:s:a:1 language=fra")
        return (film, url)
    }

    /// Starts a session, holds what it serves against the rules, and stops it.
    private func serve(_ session: PrismCoreSession, _ body: (URL, ServedPresentation, InitializationSegment) async throws -> Void) async throws {
        do {
            let playlist = try await session.startWithoutHurry()
            let client = HTTPClient()
            let presentation = try await ServedPresentation(url: playlist, client: client)
            let report = try await SegmentVerifier(client: client).verify(presentation)
            #expect(report.findings.isEmpty, "\(report.findings)")
            let validation = try await StreamValidator(fetcher: client, following: .untilEnd).validate(playlist)
            #expect(validation.isValid, "\(validation.table())")
            try await body(playlist, presentation, try InitializationSegment(parsing: try await client.get(presentation.renditions[0].initialization)))
        } catch {
            await session.stop()
            throw error
        }
        await session.stop()
    }

    private static func record(_ initialization: InitializationSegment) -> String? {
        guard case .visual(let entry) = initialization.sampleEntry else { return nil }
        let box = entry.configurationBoxes.first { $0.type == "dvcC" || $0.type == "dvvC" }
        return "\(entry.format)" + (box.map { " \($0.type) \($0.payload[2] >> 1).\($0.payload[4] >> 4)" } ?? "")
    }

    @Test func aRefusedMasterGetsSmallerStepByStep() async throws {
        let (film, url) = try await Self.film("one")
        // Its folder goes with it.
        defer { withExtendedLifetime(film) {} }
        let full = PrismCoreSession(url: url, options: .init(display: .unrestricted))
        var variant: MultivariantPlaylist.Variant?
        try await serve(full) { playlist, presentation, initialization in
            #expect(playlist.lastPathComponent == "master.m3u8")
            variant = presentation.multivariant.variants.first
            #expect(Self.record(initialization) == "hvc1 dvvC 8.1")
            #expect(await full.displayCriteria?.target == .dolbyVision)
        }
        var expected = try #require(variant)
        #expect(expected.supplementalCodecs.count == 1)

        let reduced = try await full.makeReducedMasterFallbackSession()
        try await serve(reduced) { playlist, presentation, initialization in
            #expect(playlist.lastPathComponent == "master.m3u8")
            // Nothing else is given up: range, rate and both languages are there.
            expected.supplementalCodecs = []
            var served = try #require(presentation.multivariant.variants.first)
            served.uri = expected.uri
            #expect(served == expected && served.videoRange == "PQ")
            #expect(presentation.multivariant.renditions.compactMap(\.language) == ["en", "fr"])
            #expect(Self.record(initialization) == "hvc1 dvvC 8.1")
            let report = try #require(await reduced.displayReport)
            #expect(report.playlist.kind == .reducedMultivariant && report.origin == .reducedMasterFallback && report.supplementalCodecs.isEmpty)
            #expect(report.criteria?.target == .hdr10)
        }

        let media = try await reduced.makeMasterRejectionFallbackSession()
        try await serve(media) { playlist, presentation, _ in
            #expect(playlist.lastPathComponent == "index.m3u8")
            #expect(presentation.renditions.count == 1)
            #expect(await media.displayReport?.origin == .masterRejectionFallback)
            await #expect(throws: PrismCoreSession.SessionError.noMasterServed) { _ = try await media.makeMasterRejectionFallbackSession() }
        }
    }

    /// From the head on and backwards: the same pictures and sound as in playlists of their own.
    @Test(arguments: ["one", "two"]) func convertedPicturesGoIntoOnePlaylistWithTheSound(layers: String) async throws {
        let (film, url) = try await Self.film(layers)
        // Its folder goes with it.
        defer { withExtendedLifetime(film) {} }
        func packets(_ bytes: [UInt8], _ stream: Int) throws -> [[UInt8]] { try DecodedFragment(bytes: bytes, streamIndex: stream).packets.map(\.bytes) }
        var alone: [[[UInt8]]] = []
        try await ServedMedia.serve(url) { served in
            for rendition in served.presentation.renditions.prefix(2) { alone.append(try packets(try await served.bytes(rendition), 0)) }
        }
        let expected = alone
        for isReversed in [false, true] {
            let session = PrismCoreSession(url: url, options: .init(display: .conservative))
            try await serve(session) { playlist, presentation, _ in
                #expect(playlist.lastPathComponent == "index.m3u8")
                #expect(await session.displayReport?.playlist.cause == .displayNotReadyForHDR)
                let client = HTTPClient()
                let rendition = presentation.renditions[0]
                var segments: [[UInt8]] = []
                for url in isReversed ? rendition.segments.reversed() : rendition.segments { segments.append(try await client.get(url)) }
                if isReversed { segments.reverse() }
                let bytes = try await client.get(rendition.initialization) + segments.joined()
                let (pictures, sound) = (try packets(bytes, 0), try packets(bytes, 1))
                #expect(pictures == expected[0])
                #expect(sound == expected[1])
                #expect(await session.dolbyVisionConversion?.failedUnits == 0)
            }
        }
    }

    @Test func composedForADisplayWithoutItClaimsProfile5AndIsServedAsOne() async throws {
        let (film, url) = try await Self.film("one")
        // Its folder goes with it.
        defer { withExtendedLifetime(film) {} }
        let hdr = DisplayCapabilities(isHDRReady: true, isDolbyVisionCapable: false)
        let session = PrismCoreSession(url: url, options: .init(display: hdr, forceDolbyVisionOnNonDVDisplay: true))
        try await serve(session) { playlist, _, initialization in
            #expect(playlist.lastPathComponent == "index.m3u8")
            #expect(Self.record(initialization) == "dvh1 dvcC 5.0")
            let report = try #require(await session.displayReport)
            #expect(report.dolbyVision.form == .composed && report.playlist.cause == .displayWithoutDolbyVision)
            #expect(report.criteria?.target == .hdr10, "a display without is asked for the base layer's range")
        }
        // Where the display takes Dolby Vision, the option decides nothing.
        let capable = PrismCoreSession(url: url, options: .init(display: .unrestricted, forceDolbyVisionOnNonDVDisplay: true))
        try await serve(capable) { playlist, _, initialization in
            #expect(playlist.lastPathComponent == "master.m3u8")
            #expect(Self.record(initialization) == "hvc1 dvvC 8.1")
        }
    }
}
