import Bitstreams
import BitsAndTime
import DolbyVision
import Foundation
import HLS
import ISOBMFF
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// Streams of every profile in every container, from PRISM_MEDIA.
@Suite(.serialized, .fewAtATime) struct DolbyVisionMediaTests {
    private static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]
    private static var folder: URL { URL(fileURLWithPath: media ?? "/").appendingPathComponent("dolby-vision") }

    private static func isContainer(_ name: String) -> Bool { [".mkv", ".mp4", ".MOV", ".ts", ".m2ts"].contains(where: name.hasSuffix) }

    struct Claim: Sendable {
        /// Of the file's name.
        let prefix: String
        let entry: String
        let supplement: String?
        let range: String
        /// Box and its first five bytes.
        let record: String?
    }

    /// Longest prefix first. Levels are those of the containers' records.
    static let claims = [
        Claim(prefix: "streams/p10.0", entry: "dav1", supplement: nil, range: "PQ", record: "dvvC 100140d00"),
        Claim(prefix: "streams/p10.1", entry: "av01", supplement: "dav1.10.01/db1p", range: "PQ", record: "dvvC 100140d10"),
        Claim(prefix: "streams/p10.4", entry: "av01", supplement: "dav1.10.01/db4h", range: "HLG", record: "dvvC 100140d40"),
        Claim(prefix: "streams/p5", entry: "dvh1", supplement: nil, range: "PQ", record: "dvcC 1000a0d00"),
        Claim(prefix: "streams/p7", entry: "hvc1", supplement: "dvh1.08.01/db1p", range: "PQ", record: "dvvC 100100d10"),
        Claim(prefix: "streams/p81", entry: "hvc1", supplement: "dvh1.08.01/db1p", range: "PQ", record: "dvvC 100100d10"),
        Claim(prefix: "streams/p82", entry: "hvc1", supplement: nil, range: "SDR", record: nil),
        Claim(prefix: "streams/p84", entry: "hvc1", supplement: "dvh1.08.01/db4h", range: "HLG", record: "dvvC 100100d40"),
        Claim(prefix: "hdr/hdr10", entry: "hvc1", supplement: nil, range: "PQ", record: nil),
        Claim(prefix: "hdr/hlg", entry: "hvc1", supplement: nil, range: "HLG", record: nil),
        Claim(prefix: "hdr/sdr", entry: "hvc1", supplement: nil, range: "SDR", record: nil),
        Claim(prefix: "real/dolbyVision-hdr.MOV", entry: "hvc1", supplement: "dvh1.08.02/db4h", range: "HLG", record: "dvvC 100101540"),
        Claim(prefix: "real/video_dovi_1920", entry: "avc1", supplement: nil, range: "SDR", record: nil),
        Claim(prefix: "real/video_dovi_3840", entry: "dav1", supplement: nil, range: "PQ", record: "dvvC 201143d00"),
    ]

    @Test(.enabled(if: media != nil), arguments: claims) func sampleEntryRecordAndPlaylistAgree(_ claim: Claim) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent(String(claim.prefix.prefix { $0 != "/" })).path)
            .map { claim.prefix.prefix { $0 != "/" } + "/" + $0 }
            .filter { $0.hasPrefix(claim.prefix) && Self.isContainer($0) }
        #expect(!names.isEmpty)
        for name in names {
            try await ServedMedia.serve(Self.folder.appendingPathComponent(name)) { served in
                let variant = try #require(served.presentation.multivariant.variants.first)
                let initialization = try InitializationSegment(parsing: try await served.client.get(served.presentation.renditions[0].initialization))
                guard case .visual(let entry) = initialization.sampleEntry else {
                    Issue.record("\(name): no picture")
                    return
                }
                let box = entry.configurationBoxes.first { ["dvcC", "dvvC", "dvwC"].contains($0.type.description) }
                let record = box.map { "\($0.type) " + $0.payload.prefix(5).map { String($0, radix: 16).count == 1 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined().drop { $0 == "0" } }
                #expect(entry.format.description == claim.entry, "\(name)")
                #expect(variant.codecs.first?.hasPrefix(claim.entry) == true, "\(name): \(variant.codecs)")
                #expect(variant.supplementalCodecs == (claim.supplement.map { [$0] } ?? []), "\(name)")
                #expect(variant.videoRange == claim.range, "\(name)")
                #expect(record == claim.record, "\(name)")
                let transfer = entry.colour.map { Int($0.transfer) }
                #expect(claim.range == "PQ" ? transfer == 16 : claim.range == "HLG" ? transfer == 18 : transfer != 16 && transfer != 18, "\(name): \(transfer ?? 2)")
            }
        }
    }

    @Test(.enabled(if: media != nil), arguments: ["p7-fel", "p7-mel"]) func profile7BecomesWhatTheReferenceMakesOfIt(_ stream: String) async throws {
        let folder = Self.folder.appendingPathComponent("streams")
        let reference = [UInt8](try Data(contentsOf: folder.appendingPathComponent(stream + ".expected-p81.hevc")))
        let expected = NALUnitSequence.units(in: reference, framing: .annexB).map(Array.init).filter(DolbyVisionFixture.isServed)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(stream) && Self.isContainer($0) }
        #expect(names.count > 5)
        for name in names {
            for isBackwards in [false, true] {
                try await ServedMedia.serve(folder.appendingPathComponent(name)) { served in
                    let segments = served.presentation.renditions[0].segments
                    var units: [[UInt8]] = []
                    if isBackwards {
                        for segment in segments.reversed() { units = try await served.units([segment]) + units }
                    } else {
                        units = try await served.units(segments)
                    }
                    #expect(units.filter(DolbyVisionFixture.isServed) == expected, "\(name), backwards: \(isBackwards)")
                }
            }
        }
    }

    @Test(.enabled(if: media != nil)) func aDiscsTwoLayersInOneFileAreJoined() async throws {
        let reference = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent("real/fate-dovi-p7.expected-p81.hevc")))
        let expected = NALUnitSequence.units(in: reference, framing: .annexB).map(Array.init).filter(DolbyVisionFixture.isServed)
        try await ServedMedia.serve(Self.folder.deletingLastPathComponent().appendingPathComponent("dolbyvision-hdr/fate/hevc/dovi-p7.mp4")) { served in
            let units = try await served.units(served.presentation.renditions[0].segments).filter(DolbyVisionFixture.isServed)
            // This file's units end with a zero, which in the reference's start codes is nobody's.
            #expect(units.map { Array($0.reversed().drop { $0 == 0 }.reversed()) } == expected)
        }
    }
}
