import Foundation
import SegmentVerification
import TestSupport
import Testing

@testable import PrismCore

/// What a session says of its sound: what became of each track, and what went wrong.
@Suite(.fewAtATime) struct AudioDeliveryTests {
    private static let film = "-f lavfi -i testsrc2=s=160x90:r=24:d=12 -f lavfi -i sine=440:r=48000:d=12 -map 0:v"
    private static let picture = "-c:v libx264 -preset ultrafast -g 24"

    @Test func theSummaryFollowsFromTheTracks() {
        let copied = AudioTrackDelivery(streamIndex: 1, route: .copied(name: "a", isDefault: true))
        let bridged = AudioTrackDelivery(streamIndex: 2, route: .bridged(name: "b", codec: "fLaC", channels: 2, isDefault: false, reason: ""))
        let leftOut = AudioTrackDelivery(streamIndex: 3, route: .leftOut(reason: "no decoder"))
        #expect(AudioDelivery([]) == .noAudioInSource)
        #expect(AudioDelivery([copied]) == .streamCopy)
        #expect(AudioDelivery([copied, leftOut]) == .streamCopy)
        #expect(AudioDelivery([bridged]) == .bridged)
        #expect(AudioDelivery([leftOut, bridged, copied]) == .mixed)
        #expect(AudioDelivery([leftOut]) == .droppedNoPipeline)
    }

    @Test func withoutAnEncoderSoundThatNeedsOneTakesTheSoftwarePipeline() throws {
        var info = SourceInfo(formatName: "matroska", duration: 10, startTime: 0, bitRate: nil)
        info.video = VideoTrackInfo(streamIndex: 0, codec: "h264", width: 160, height: 90, readiness: .streamCopy)
        func engine(_ readiness: [NativeReadiness]) throws -> PrismCoreEngine.Engine {
            info.audioTracks = readiness.enumerated().map { AudioTrackInfo(streamIndex: $0.offset + 1, codec: "dts", channels: 2, sampleRate: 48000, readiness: $0.element) }
            return try PrismCoreEngine.decide(for: info, availability: .desktop, isAudioBridgeAvailable: false).engine
        }
        #expect(try engine([]) == .remux)
        #expect(try engine([.streamCopy]) == .remux)
        #expect(try engine([.requiresAudioBridge(reason: "")]) == .software)
        #expect(try engine([.requiresAudioBridge(reason: ""), .streamCopy]) == .remux)
        #expect(try engine([.unsupported(reason: "")]) == .remux)
        #expect(try PrismCoreEngine.decide(for: info, availability: .desktop).engine == .remux)
        #expect(PrismCoreEngine.isAudioBridgeAvailable)
    }

    /// Each byte of the sound is noise: it opens, is read to the end, and nothing can be decoded.
    @Test func aBridgeThatGivesNothingIsAnError() async throws {
        let fixture = try FFmpegFixture()
        let url = try await fixture.make("noise.mkv", "\(Self.film) -map 1:a \(Self.picture) -c:a dca -strict -2 -ac 2 -bsf:a noise=amount=1")
        try await ServedMedia.serve(url) { served in
            let events = await served.session.playbackEvents()
            #expect(await served.session.audioDelivery == .bridged)
            let picture = try await served.bytes(served.presentation.renditions[0])
            #expect(try DecodedFragment(bytes: picture).frames.count == 288, "the picture plays")
            for segment in served.presentation.renditions[1].segments { _ = try await served.client.get(segment) }
            let failure = AudioBridgeFailure.producedNoAudio(streamIndex: 1, name: "Audio 1")
            for await event in events {
                guard case .audioBridgeFailed(let said) = event else { continue }
                #expect(said == failure)
                break
            }
            #expect(await served.session.audioBridgeFailures == [failure])
            #expect(await served.session.remuxFailure == .audioBridgeFailed(failure))
            let production = try #require(await served.session.audioRenditionProductions.first)
            #expect(production.bridge.map { $0.packets > 0 && $0.decodedFrames == 0 } == true)
            #expect(PrismCoreError.classify(failure) == .audioBridgeFailed(failure) && PrismCoreError.audioBridgeFailed(failure).retryability == .permanent)
        }
    }

    /// A codec that nobody knows, beside one that plays.
    @Test func aTrackThatNothingDecodesIsRefusedByNameAndTheRestPlays() async throws {
        let fixture = try FFmpegFixture()
        let made = try await fixture.make("two.mkv", "\(Self.film) -map 1:a -map 1:a \(Self.picture) -c:a:0 dca -strict -2 -c:a:1 aac -metadata:s:a:1 language=fra")
        var bytes = [UInt8](try Data(contentsOf: made))
        let (known, unknown) = (Array("A_DTS".utf8), Array("A_XYZ".utf8))
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: known) })
        bytes.replaceSubrange(at..<at + known.count, with: unknown)
        let url = fixture.url("unknown.mkv")
        try Data(bytes).write(to: url)
        try await ServedMedia.serve(url) { served in
            let deliveries = await served.session.audioTrackDeliveries
            guard case .leftOut(let reason) = deliveries.first?.route, case .copied(name: "French", isDefault: true) = deliveries.last?.route else {
                Issue.record("\(deliveries)")
                return
            }
            #expect(reason.contains("decoder") && reason.contains("unknown codec"), "\(reason)")
            #expect(await served.session.audioDelivery == .streamCopy)
            #expect(served.presentation.renditions.count == 2)
        }
    }
}
