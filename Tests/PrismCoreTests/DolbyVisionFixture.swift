import Bitstreams
import BitsAndTime
import DolbyVision
import Foundation
import HLS
import ISOBMFF
import TestSupport

/// Small films of Dolby Vision, made of x265's pictures and our own units: each picture's unit says which picture it is of.
struct DolbyVisionFixture {
    let fixture = try! FFmpegFixture()
    /// The base layer's pictures in decode order, which is their order of presentation: bare streams have no times to reorder by.
    private(set) var pictures: [[[UInt8]]] = []
    private static let pictureCount = 24 * 14

    /// - Throws: What `ffmpeg` or libx265 says.
    init() async throws {
        let file = try await fixture.make(
            "base.hevc",
            "-f lavfi -i testsrc2=s=160x90:r=24:d=14 -pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=48:min-keyint=48:bframes=0:aud=1:repeat-headers=1:colorprim=9:transfer=16:colormatrix=9:open-gop=0")
        // One picture begins at each access unit delimiter.
        for unit in NALUnitSequence.units(in: [UInt8](try Data(contentsOf: file)), framing: .annexB).map(Array.init) {
            if unit[0] >> 1 == 35 { pictures.append([]) }
            pictures[pictures.count - 1].append(unit)
        }
    }

    /// The unit of profile 7 that goes with a picture.
    static func unit(_ picture: Int) throws -> [UInt8] {
        var unit = ReferenceProcessingUnit(header: .profile8, reshaping: .own(.profile84), displayManagement: nil)
        unit.trailingZeroCount = 0
        var minimal = try unit.converted(to: .minimalEnhancementLayer)
        minimal.reshaping = {
            guard case .own(var mapping) = minimal.reshaping else { return minimal.reshaping }
            mapping.vdrRPUID = UInt32(picture)
            return .own(mapping)
        }()
        return minimal.hevcNALUnit()
    }

    static func converted(_ picture: Int) throws -> [UInt8] { try ReferenceProcessingUnit(parsing: unit(picture)).converted(to: .profile81).hevcNALUnit() }

    /// Start codes of three bytes: libavformat gives the fourth to the unit before.
    private static func annexB(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { [0, 0, 1] + $0 } }

    /// What stands for the enhancement layer's slice: nobody decodes it.
    private static let enhancement: [UInt8] = [0x7E, 0x01, 0x02, 0x01, 0xD0, 0x10, 0x22, 0x33]

    /// Layers and units in one track.
    func single(_ name: String, _ muxing: String = "") async throws -> URL {
        let bytes = try pictures.enumerated().flatMap { Self.annexB($0.element + [Self.enhancement, try Self.unit($0.offset)]) }
        try Data(bytes).write(to: fixture.url("single.hevc"))
        return try await fixture.make(name, "-fflags +genpts -framerate 24 -i {folder}/single.hevc -c copy \(muxing)")
    }

    /// The second layer, with the units, as a track of its own. Its pictures are the base layer's own: of their size nothing is asked.
    func double(_ name: String, _ muxing: String = "") async throws -> URL {
        try Data(pictures.flatMap(Self.annexB)).write(to: fixture.url("bare.hevc"))
        try Data(try pictures.enumerated().flatMap { Self.annexB($0.element + [try Self.unit($0.offset)]) }).write(to: fixture.url("layer.hevc"))
        return try await fixture.make(name, "-fflags +genpts -framerate 24 -i {folder}/bare.hevc -fflags +genpts -framerate 24 -i {folder}/layer.hevc -map 0 -map 1 -c copy \(muxing)")
    }

    /// What every form of it is served as: the base layer's units but for parameter sets and delimiters, and the converted unit behind them.
    func expected() throws -> [[UInt8]] {
        try pictures.enumerated().flatMap { picture in picture.element.filter(Self.isServed) + [try Self.converted(picture.offset)] }
    }

    /// Parameter sets may stand in the sample or only in its entry, and delimiters may go.
    static func isServed(_ unit: [UInt8]) -> Bool { !(32...35).contains(unit[0] >> 1 & 0x3F) }
}

extension ServedMedia {
    /// The NAL units of these segments of the picture, in order.
    func units(_ segments: [URL]) async throws -> [[UInt8]] {
        var units: [[UInt8]] = []
        for url in segments {
            for box in try Box.sequence(in: try await client.get(url)[...]) where box.type == "mdat" {
                units += NALUnitSequence.units(in: Array(box.payload), framing: .lengthPrefixed(lengthSize: 4)).map(Array.init)
            }
        }
        return units
    }
}
