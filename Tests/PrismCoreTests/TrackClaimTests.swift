import Foundation
import HLS
@testable import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// What a probe reports and what is served of the same source.
@Suite(.fewAtATime) struct TrackClaimTests {
    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    private func real(_ name: String) throws -> URL { URL(filePath: try #require(Self.media)).appending(path: name) }

    /// Nobody pays for a look that was not asked for, and a probed source plays on from where the look ended.
    @Test func dynamicMetadataIsLookedForOnRequest() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make(
            "pq.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=4 -pix_fmt yuv420p10le -c:v libx265 -preset ultrafast "
                + "-x265-params log-level=error:keyint=24:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400")
        let plain = try await SourceProbe.openDetached(url: url)
        #expect(plain.info.hdr10Plus == nil && plain.info.hdrVivid == nil && plain.timing.hdr10PlusScan == nil)
        let probed = try await SourceProbe.openDetached(url: url, hdr10Plus: .standard)
        #expect(probed.info.hdr10Plus == DynamicMetadataFinding(verdict: .notSeenWithinBudget, packetsScanned: 24))
        #expect(probed.info.hdrVivid?.verdict == .notSeenWithinBudget && probed.timing.hdr10PlusScan != nil)
        #expect(probed.info.video?.dynamicRange == .hdr10 && probed.info.video?.contentLight == .init(maximum: 1000, maximumFrameAverage: 400))
        let session = PrismCoreSession(url: url, probed: probed)
        let client = HTTPClient()
        let report = try await SegmentVerifier(client: client).verify(try await ServedPresentation(url: try await session.startWithoutHurry(), client: client))
        await session.stop()
        #expect(report.findings.isEmpty && report.samples == 96)
        // A codec nobody looks into is no codec without.
        let vp9 = try await fixture.make("vp9.mkv", "-f lavfi -i testsrc2=s=160x90:r=24:d=1 -c:v libvpx-vp9 -deadline realtime -cpu-used 8")
        guard case .unknown = try await SourceProbe.openDetached(url: vp9, hdr10Plus: .standard).info.hdr10Plus?.verdict else {
            Issue.record("VP9 was said to have none")
            return
        }
    }

    @Test(.enabled(if: media != nil), arguments: ["hevc", "mkv", "mp4", "ts"]) func hdr10PlusOfRealStreams(container: String) async throws {
        let seen = try await SourceProbe.openDetached(url: try real("dolby-vision/hdr/hdr10plus.\(container)"), hdr10Plus: .standard).info
        #expect(seen.hdr10Plus?.verdict == .seen && seen.hdr10Plus?.applicationVersion == 1 && seen.video?.dynamicRange == .hdr10)
        #expect(seen.video?.masteringDisplay?.maximumLuminance == 1000 && seen.video?.contentLight == .init(maximum: 1000, maximumFrameAverage: 400))
        let hlg = try await SourceProbe.openDetached(url: try real("dolby-vision/hdr/hlg.\(container)"), hdr10Plus: .standard).info
        #expect(hlg.hdr10Plus?.verdict == .notSeenWithinBudget && hlg.video?.dynamicRange == .hlg && hlg.video?.masteringDisplay == nil)
    }

    /// The one real JOC track claims its objects in the box and in the playlist; nothing else does.
    @Test(.enabled(if: media != nil)) func atmosIsClaimedWhereItIs() async throws {
        let session = PrismCoreSession(url: try real("dolby-vision/streams/p81-atmos.mkv"))
        let client = HTTPClient()
        let presentation = try await ServedPresentation(url: try await session.startWithoutHurry(), client: client)
        let initialization = try await client.get(try #require(presentation.renditions.dropFirst().first).initialization)
        #expect(initialization.firstRange(of: [0x64, 0x65, 0x63, 0x33, 0x14, 0x00, 0x20, 0x0F, 0x00, 0x01, 0x10]) != nil)
        #expect(presentation.multivariant.renditions.map(\.channels) == ["16/JOC"])
        await session.stop()
        for (name, objects, complexity) in [
            ("atmos/sample_eac3joc.ts", .jointObjectCoding, 16), ("atmos/eac3joc-complexity12.mkv", .jointObjectCoding, 12),
            ("atmos/eac3joc-flag-cleared.mkv", nil, nil), ("atmos/ddp71-dependent-substream.mkv", nil, nil), ("audio/exo/mp4/sample_dthd.mp4", .trueHD, nil),
        ] as [(String, AudioTrackInfo.ObjectAudio?, Int?)] {
            let track = try #require(try await SourceProbe.openDetached(url: try real(name)).info.audioTracks.first)
            #expect(track.objectAudio == objects && track.jocComplexity == complexity && track.isObjectAudio == (objects == .jointObjectCoding))
        }
    }
}
