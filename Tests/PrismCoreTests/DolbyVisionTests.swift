import BitsAndTime
import Bitstreams
import DolbyVision
import Foundation
import HLS
import ISOBMFF
import PrismCore
import SegmentVerification
import TestSupport
import Testing

@Suite(.fewAtATime) struct DolbyVisionTests {
    private static func pictureUnits(_ served: ServedMedia, _ segments: [URL]? = nil) async throws -> [[UInt8]] {
        try await served.units(segments ?? served.presentation.renditions[0].segments).filter(DolbyVisionFixture.isServed)
    }

    /// Says where they differ, which is short.
    private static func expect(_ units: [[UInt8]], are expected: [[UInt8]], _ location: SourceLocation = #_sourceLocation) {
        let place = zip(units, expected).enumerated().first { $0.element.0 != $0.element.1 }
        let difference = place.map { "unit \($0.offset): \($0.element.0.prefix(8)), \($0.element.0.count) bytes, and not \($0.element.1.prefix(8)), \($0.element.1.count) bytes" }
        #expect(difference == nil, sourceLocation: location)
        #expect(units.count == expected.count, sourceLocation: location)
    }

    @Test(arguments: ["one.mkv", "one.mp4", "one.ts", "two.mkv", "two.mp4", "two.ts"]) func profile7IsServedAs81(_ name: String) async throws {
        let film = try await DolbyVisionFixture()
        let tag = name.hasSuffix("mp4") ? "-tag:v hvc1" : ""
        let url = name.hasPrefix("one") ? try await film.single(name, tag) : try await film.double(name, tag)
        let expected = try film.expected()
        // From the head on.
        try await ServedMedia.serve(url) { served in
            Self.expect(try await Self.pictureUnits(served), are: expected)
            let segments = served.presentation.renditions[0].segments
            #expect(segments.count > 1)
            let variant = try #require(served.presentation.multivariant.variants.first)
            #expect(variant.supplementalCodecs.first?.hasSuffix("/db1p") == true && variant.videoRange == "PQ")
            let counts = try #require(await served.session.dolbyVisionConversion)
            #expect(counts.convertedUnits == film.pictures.count && counts.failedUnits == 0)
            #expect(counts.conversion == .profile7ToProfile81)
        }
        // Entered in the middle, and from the end backwards.
        try await ServedMedia.serve(url) { served in
            var units: [[UInt8]] = []
            for segment in served.presentation.renditions[0].segments.reversed() { units = try await Self.pictureUnits(served, [segment]) + units }
            Self.expect(units, are: expected)
        }
    }

    @Test(arguments: ["one.mkv", "two.mkv"]) func itIsTheSameWithoutAPlan(_ name: String) async throws {
        let film = try await DolbyVisionFixture()
        let url = name.hasPrefix("one") ? try await film.single(name) : try await film.double(name)
        let pipe = try PipedSource(url, in: film.fixture)
        let session = PrismCoreSession(url: pipe.url)
        let playlist = try await session.startWithoutHurry()
        let client = HTTPClient()
        var units: [[UInt8]] = []
        var presentation = try await ServedPresentation(url: playlist, client: client)
        var next = 0
        for _ in 0..<200 {
            let segments = presentation.renditions[0].segments
            let served = ServedMedia(session: session, presentation: presentation)
            while next < segments.count {
                units += try await Self.pictureUnits(served, [segments[next]])
                next += 1
            }
            if presentation.renditions[0].playlist.isEnded { break }
            presentation = try await ServedPresentation(url: playlist, client: client)
        }
        await session.stop()
        Self.expect(units, are: try film.expected())
    }

    @Test func theBaseLayerAloneClaimsNothing() async throws {
        let film = try await DolbyVisionFixture()
        let url = try await film.single("one.mkv")
        var options = PrismCoreSession.Options()
        options.dolbyVisionHandling = .baseLayerOnly
        try await ServedMedia.serve(url, options: options) { served in
            let variant = try #require(served.presentation.multivariant.variants.first)
            #expect(variant.supplementalCodecs.isEmpty && variant.codecs.first?.hasPrefix("hvc1") == true)
            let units = try await Self.pictureUnits(served)
            // The units stay, and nobody reads them; what no decoder knows goes.
            #expect(units.filter { $0[0] >> 1 == 62 }.count == film.pictures.count)
            #expect(!units.contains { $0[0] >> 1 == 63 })
        }
    }
}
