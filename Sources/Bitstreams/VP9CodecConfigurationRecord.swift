package import BitsAndTime

/// `vpcC` (VP Codec ISO Media File Format Binding v1.0 §2.2), with its version and flags.
package struct VP9CodecConfigurationRecord: Sendable, Equatable {
    package var profile: UInt8
    /// Ten times the level: 10, 11, 20 … 62.
    package var level: UInt8
    package var bitDepth: UInt8
    /// 0: 4:2:0 between lines, 1: 4:2:0 beside the first line, 2: 4:2:2, 3: 4:4:4.
    package var chromaSubsampling: UInt8
    package var isFullRange: Bool
    /// ISO/IEC 23091-2 code points; 2 where unknown.
    package var primaries: UInt8
    package var transfer: UInt8
    package var matrix: UInt8
    /// codecInitializationData: none for VP9.
    package var initializationData: [UInt8]

    package init(parsing bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, context: "vpcC")
        guard try reader.readUInt32() >> 24 == 1 else { throw ParseError(.unsupported, at: 0, in: "vpcC", "a version other than 1") }
        profile = try reader.readUInt8()
        level = try reader.readUInt8()
        let packed = try reader.readUInt8()
        bitDepth = packed >> 4
        chromaSubsampling = packed >> 1 & 7
        isFullRange = packed & 1 == 1
        primaries = try reader.readUInt8()
        transfer = try reader.readUInt8()
        matrix = try reader.readUInt8()
        initializationData = Array(try reader.readBytes(Int(try reader.readUInt16())))
    }

    /// What a key frame says, and what the container says where the frame has no words for it.
    ///
    /// - Parameters:
    ///   - primaries: ISO/IEC 23091-2 code points of the container's; VP9's own colour space stands in for them.
    package init?(
        _ header: VP9FrameHeader, picturesPerSecond: Double? = nil, primaries: Int? = nil, transfer: Int? = nil, matrix: Int? = nil
    ) {
        guard let key = header.keyFrame else { return nil }
        profile = UInt8(clamping: header.profile)
        self.level = Self.level(width: key.width, height: key.height, picturesPerSecond: picturesPerSecond ?? 30)
        bitDepth = UInt8(clamping: key.bitDepth)
        chromaSubsampling = key.subsamplingX ? (key.subsamplingY ? 1 : 2) : 3
        isFullRange = key.isFullRange
        let own = Self.codePoints(key.colourSpace)
        self.primaries = UInt8(clamping: primaries ?? own.primaries)
        self.transfer = UInt8(clamping: transfer ?? own.transfer)
        self.matrix = UInt8(clamping: matrix ?? own.matrix)
        initializationData = []
    }

    package func serialized() -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: 12 + initializationData.count)
        writer.write(0x0100_0000 as UInt32)
        writer.write(profile)
        writer.write(level)
        writer.write(bitDepth << 4 | (chromaSubsampling & 7) << 1 | (isFullRange ? 1 : 0))
        writer.write(primaries)
        writer.write(transfer)
        writer.write(matrix)
        writer.write(UInt16(clamping: initializationData.count))
        writer.write(contentsOf: initializationData.prefix(0xFFFF))
        return writer.bytes
    }

    /// color_space in code points (VP9 specification §7.2.2); a curve it does not name.
    package static func codePoints(_ colourSpace: Int) -> (primaries: Int, transfer: Int, matrix: Int) {
        switch colourSpace {
        case 1, 3: (6, 6, 6)
        case 2: (1, 1, 1)
        case 4: (7, 7, 7)
        case 5: (9, 14, 9)
        case 7: (1, 13, 0)
        default: (2, 2, 2)
        }
    }

    /// The lowest level that has room for pictures of this size at this rate (VP9 levels, www.webmproject.org/vp9/levels); 62 for more than any.
    package static func level(width: Int, height: Int, picturesPerSecond: Double) -> UInt8 {
        let size = Double(width) * Double(height)
        let limits: [(level: UInt8, rate: Double, size: Double, side: Int)] = [
            (10, 829_440, 36_864, 512), (11, 2_764_800, 73_728, 768), (20, 4_608_000, 122_880, 960), (21, 9_216_000, 245_760, 1344),
            (30, 20_736_000, 552_960, 2048), (31, 36_864_000, 983_040, 2752), (40, 83_558_400, 2_228_224, 4160), (41, 160_432_128, 2_228_224, 4160),
            (50, 311_951_360, 8_912_896, 8384), (51, 588_251_136, 8_912_896, 8384), (52, 1_176_502_272, 8_912_896, 8384),
            (60, 1_176_502_272, 35_651_584, 16_832), (61, 2_353_004_544, 35_651_584, 16_832),
        ]
        return limits.first { size <= $0.size && size * picturesPerSecond <= $0.rate && max(width, height) <= $0.side }?.level ?? 62
    }
}
