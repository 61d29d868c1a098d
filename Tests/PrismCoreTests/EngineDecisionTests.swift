import PrismCore
import Testing

/// Every row of the routing table, as data.
@Suite struct EngineDecisionTests {
    private func source(_ codec: String, _ change: (inout VideoTrackInfo) -> Void = { _ in }) -> SourceInfo {
        var video = VideoTrackInfo(streamIndex: 0, codec: codec, width: 1920, height: 1080, readiness: .streamCopy)
        video.bitDepth = 8
        video.chromaFormat = "4:2:0"
        change(&video)
        return SourceInfo(formatName: "matroska,webm", video: video)
    }

    private func engine(_ info: SourceInfo, _ availability: DecoderAvailability = .conservative) throws -> PrismCoreEngine.Engine {
        try PrismCoreEngine.decide(for: info, availability: availability).engine
    }

    @Test(arguments: ["h264", "hevc"]) func plainPicturesAreRemuxed(codec: String) throws {
        #expect(try engine(source(codec)) == .remux)
        #expect(try engine(source("hevc") { $0.bitDepth = 10 }) == .remux)
    }

    @Test func av1FollowsTheDecoder() throws {
        #expect(try engine(source("av1")) == .software)
        #expect(try engine(source("av1"), .desktop) == .remux)
    }

    @Test(arguments: ["vp8", "vp9", "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4v3", "wmv1", "wmv2", "wmv3", "vc1", "flv1", "vp6f", "rv40", "h263", "theora"])
    func codecsWithoutAPlaceInHLSTakeTheSoftwarePath(codec: String) throws {
        #expect(try engine(source(codec), .desktop) == .software)
    }

    @Test func highProfilesFollowTheDecoder() throws {
        for change: (inout VideoTrackInfo) -> Void in [{ $0.bitDepth = 10 }, { $0.chromaFormat = "4:2:2" }, { $0.chromaFormat = "4:4:4" }] {
            #expect(try engine(source("h264", change)) == .software)
            #expect(try engine(source("h264", change), .desktop) == .remux)
        }
        #expect(try engine(source("hevc") { $0.bitDepth = 12 }) == .software)
    }

    @Test func interlacedPicturesAreBelievedOnlyWhenDecodingShowsThem() throws {
        let declared: (inout VideoTrackInfo) -> Void = { $0.declaredFieldOrder = .interlaced }
        #expect(try engine(source("h264", declared)) == .software)
        #expect(try engine(source("h264") { declared(&$0); $0.isInterlacedOnDecode = true }) == .software)
        #expect(try engine(source("h264") { declared(&$0); $0.isInterlacedOnDecode = false }) == .remux)
        #expect(try engine(source("h264", declared), .desktop) == .remux)
    }

    @Test func bothViewsInOneTrackTakeTheSoftwarePath() throws {
        #expect(try engine(source("h264") { $0.isMultiview = true }, .desktop) == .software)
        #expect(try engine(source("hevc") { $0.isMultiview = true }) == .remux)
    }

    @Test(arguments: ["prores", "mjpeg", "qtrle", "cinepak", "rawvideo", "none"]) func everythingElseIsRefusedByName(codec: String) {
        #expect(throws: RoutingFailure.noDecoderForVideo(codec: codec)) { try engine(source(codec), .desktop) }
    }

    @Test func soundAloneIsRefused() {
        #expect(throws: RoutingFailure.noVideoStream) { try engine(SourceInfo(formatName: "mp3")) }
    }
}
