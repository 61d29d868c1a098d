import Bitstreams
import Foundation
import Libav
import Testing

/// The streams of PRISM_MEDIA whose content is known (dolby-vision/README.md, atmos/README.md), access unit by access unit.
@MainActor struct RealMetadataTests {
    nonisolated private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    /// The first picture's metadata and the verdict over the first pictures.
    private func look(_ name: String) throws -> (first: VideoMetadata, scan: DynamicMetadataScan, extradata: VideoMetadata) {
        let demuxer = try Demuxer(url: "\(try #require(Self.media))/\(name)")
        try demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first { $0.kind == .video && !$0.isAttachedPicture })
        let codec: RandomAccess.Codec = stream.codecName == "av1" ? .av1 : .hevc
        let told = NALUnitFraming.detect(extradata: stream.extradata, lengthSizeOffset: NALUnitFraming.hevcLengthSizeOffset) ?? .annexB
        var scan = DynamicMetadataScan(codec: codec)
        var first: VideoMetadata?
        while !scan.isFinished, let packet = try demuxer.readPacket() {
            guard packet.streamIndex == stream.index else { continue }
            packet.withUnsafeBytes { bytes in
                let found = VideoMetadata(sample: bytes, codec: codec, framing: codec == .av1 ? .annexB : NALUnitFraming.ofSample(bytes, expected: told, codec: codec))
                first = first ?? found
                scan.take(found)
            }
        }
        var outside = VideoMetadata()
        if let record = try? HEVCDecoderConfigurationRecord(parsing: stream.extradata) {
            outside = VideoMetadata(units: record.arrays.flatMap(\.units).map { $0[...] }, codec: .hevc)
        }
        return (try #require(first), scan, outside)
    }

    @Test(.enabled(if: media != nil), arguments: ["hdr10", "hdr10plus", "hlg", "sdr8", "sdr10"], ["hevc", "mkv", "mp4", "ts"])
    func staticMetadata(name: String, container: String) throws {
        let (first, scan, outside) = try look("dolby-vision/hdr/\(name).\(container)")
        var found = first
        found.fill(from: outside)
        if name.hasPrefix("hdr10") {
            let display = try #require(found.masteringDisplay)
            #expect(display.red == .init(x: 35_400, y: 14_600) && display.green == .init(x: 8_500, y: 39_850) && display.blue == .init(x: 6_550, y: 2_300))
            #expect(display.whitePoint == .init(x: 15_635, y: 16_450) && display.maximumLuminance == 10_000_000 && display.minimumLuminance == 1)
            #expect(found.contentLight == .init(maximumContent: 1000, maximumPictureAverage: 400))
        } else {
            #expect(found.masteringDisplay == nil && found.contentLight == nil)
        }
        #expect(first.isWhole && found.preferredTransfer == nil)
        #expect(scan.hdr10Plus == (name == "hdr10plus" ? .present(applicationVersion: 1) : .absentWithinScan(accessUnits: scan.accessUnitCount)))
        #expect(scan.hdrVivid == .absentWithinScan(accessUnits: scan.accessUnitCount))
    }

    @Test(.enabled(if: media != nil), arguments: [
        ("regular.hevc", "regular_metadata.json"), ("regular.mkv", "regular_metadata.json"), ("dhdr10-opt.hevc", "metadata-dhdr10-opt.json"),
        ("single-frame.hevc", "single-frame-metadata.json"), ("multimsg-sei.hevc", nil), ("ToS-s01.h265", nil), ("ToS-s15.h265", nil),
    ] as [(String, String?)])
    func hdr10PlusOfOthers(name: String, expected: String?) throws {
        let folder = "dolby-vision/hdr10plus_tool-assets"
        let (first, scan, _) = try look("\(folder)/\(name)")
        #expect(scan.hdr10Plus == .present(applicationVersion: 1))
        guard let expected else { return }
        let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: URL(filePath: "\(try #require(Self.media))/\(folder)/\(expected)"))) as? [String: Any]
        let scene = try #require((json?["SceneInfo"] as? [[String: Any]])?.first)
        let luminance = try #require(scene["LuminanceParameters"] as? [String: Any])
        let metadata = try #require(first.hdr10Plus)
        #expect(metadata.maxSCL.map(Int.init) == luminance["MaxScl"] as? [Int] && Int(metadata.averageMaxRGB) == luminance["AverageRGB"] as? Int)
        #expect(metadata.windowCount == scene["NumberOfWindows"] as? Int && metadata.hasToneMappingCurve == (scene["BezierCurveData"] != nil))
        #expect(Int(metadata.targetedSystemDisplayMaximumLuminance) == scene["TargetedSystemDisplayMaximumLuminance"] as? Int)
    }

    @Test(.enabled(if: media != nil), arguments: ["p10.0-av1.mkv", "p10.1-av1.mkv", "p10.4-av1.obu", "p81-hdr10plus.mkv"])
    func dolbyVisionStreams(name: String) throws {
        let (first, scan, _) = try look("dolby-vision/streams/\(name)")
        #expect(first.isWhole && first.hasDolbyVisionUserData == name.contains("av1"))
        #expect(scan.hdr10Plus == (name.contains("plus") ? .present(applicationVersion: 1) : .absentWithinScan(accessUnits: scan.accessUnitCount)))
    }

    @Test(.enabled(if: media != nil), arguments: [
        ("sample_eac3joc.ec3", [0x14, 0x00, 0x20, 0x0F, 0x00, 0x01, 0x10]), ("eac3joc-complexity12.ec3", [0x14, 0x00, 0x20, 0x0F, 0x00, 0x01, 0x0C]),
        ("eac3joc-flag-cleared.ec3", [0x14, 0x00, 0x20, 0x0F, 0x00]), ("ddp71-dependent-substream.ec3", [0x12, 0x00, 0x20, 0x0F, 0x02, 0x02]),
        ("ddp514-acmod19-dependent-substream.ec3", [0x12, 0x00, 0x20, 0x0F, 0x02, 0x40]), ("sample.eac3", [0xBB, 0x80, 0x20, 0x0F, 0x00]),
    ] as [(String, [UInt8])])
    func dec3OfElementaryStreams(name: String, expected: [UInt8]) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(try #require(Self.media))/atmos/\(name)")))
        var at = 0
        while at < bytes.count {
            let unit = try EAC3AccessUnit(parsing: Array(bytes[at...].prefix(32_768)))
            #expect(unit.specificBox == expected)
            #expect(unit.jocComplexityIndex == (expected.count > 6 ? Int(expected[6]) : nil))
            at += unit.byteCount
        }
    }

    @Test(.enabled(if: media != nil), arguments: [
        ("fba_atmos_obj.mlp", 16, true), ("fba_atmos_cbi.mlp", 16, false), ("fba_2ch.mlp", nil, false), ("fbb_6ch.mlp", nil, false),
    ] as [(String, Int?, Bool)])
    func objectsInTrueHD(name: String, elements: Int?, isObjectsOnly: Bool) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(try #require(Self.media))/audio/truehdd/\(name)")))
        let sync = try MLPMajorSync(accessUnit: bytes[...])
        #expect(sync.isTrueHD == name.hasPrefix("fba") && sync.hasObjectPresentation == (elements != nil))
        #expect(sync.objectPresentationElementCount == elements && sync.isDynamicObjectsOnly == isObjectsOnly)
    }
}
