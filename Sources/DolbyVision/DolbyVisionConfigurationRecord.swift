package import BitsAndTime

/// DOVIDecoderConfigurationRecord: content of the boxes `dvcC`, `dvvC` and `dvwC`, and of Matroska's block addition mappings of those names.
///
/// Dolby Vision Streams Within the ISO Base Media File Format, version 2.4, clause 3.2.
package struct DolbyVisionConfigurationRecord: Sendable, Equatable {
    package var versionMajor: UInt8
    package var versionMinor: UInt8
    /// 7 bits.
    package var profile: UInt8
    /// 1…13, 6 bits.
    package var level: UInt8
    package var hasRPU: Bool
    package var hasEnhancementLayer: Bool
    package var hasBaseLayer: Bool
    /// What the base layer is by itself: 0 nothing, 1 HDR10, 2 SDR of BT.709, 4 HLG of BT.2100, 6 Ultra HD Blu-ray's HDR10. 4 bits.
    package var compatibilityID: UInt8
    /// dv_md_compression: 0 none, 1 limited, 3 extended. 2 bits.
    package var metadataCompression: UInt8
    /// The 26 bits behind the fields: zeros, as of version 2.4.
    package var reserved: UInt32
    /// The rest: sixteen zeros, as of version 2.4. As found; a short record has fewer.
    package var reservedBytes: [UInt8]

    package init(
        profile: UInt8, level: UInt8, compatibilityID: UInt8, hasEnhancementLayer: Bool = false, hasBaseLayer: Bool = true, hasRPU: Bool = true,
        metadataCompression: UInt8 = 0
    ) {
        versionMajor = 1
        versionMinor = 0
        self.profile = profile
        self.level = level
        self.hasRPU = hasRPU
        self.hasEnhancementLayer = hasEnhancementLayer
        self.hasBaseLayer = hasBaseLayer
        self.compatibilityID = compatibilityID
        self.metadataCompression = metadataCompression
        reserved = 0
        reservedBytes = [UInt8](repeating: 0, count: 16)
    }

    /// Accepts any length from the eight bytes that have fields on.
    package init(parsing bytes: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(bytes, context: "dvcC")
        versionMajor = UInt8(try bits.readBits(8))
        versionMinor = UInt8(try bits.readBits(8))
        profile = UInt8(try bits.readBits(7))
        level = UInt8(try bits.readBits(6))
        hasRPU = try bits.readFlag()
        hasEnhancementLayer = try bits.readFlag()
        hasBaseLayer = try bits.readFlag()
        compatibilityID = UInt8(try bits.readBits(4))
        metadataCompression = UInt8(try bits.readBits(2))
        reserved = try bits.readUInt(26)
        reservedBytes = Array(bytes.dropFirst(8))
    }

    package init(parsing bytes: [UInt8]) throws(ParseError) { try self.init(parsing: bytes[...]) }

    /// Content of the box: 24 bytes, unless read from fewer or more.
    package func serialized() -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(versionMajor, 8)
        bits.writeBits(versionMinor, 8)
        bits.writeBits(profile, 7)
        bits.writeBits(level, 6)
        bits.writeFlag(hasRPU)
        bits.writeFlag(hasEnhancementLayer)
        bits.writeFlag(hasBaseLayer)
        bits.writeBits(compatibilityID, 4)
        bits.writeBits(metadataCompression, 2)
        bits.writeBits(reserved, 26)
        return bits.bytes + reservedBytes
    }

    /// The box's type: `dvcC` up to profile 7, `dvvC` up to 10, `dvwC` beyond (clause 3.1).
    package var boxType: String { Self.boxType(profile: profile) }

    package static func boxType(profile: UInt8) -> String { profile <= 7 ? "dvcC" : profile <= 10 ? "dvvC" : "dvwC" }

    /// The least level that allows pictures of this size at this rate; 13, the last, where none does.
    ///
    /// - Parameter pictureRate: Pictures a second as a fraction; 24 where unknown (a denominator of 0).
    ///
    /// Dolby Vision Profiles and Levels, table of levels: the greatest width, and luma samples a second.
    package static func level(width: Int, height: Int, pictureRate: (numerator: Int, denominator: Int)) -> UInt8 {
        let known = pictureRate.numerator > 0 && pictureRate.denominator > 0
        let rate = known ? Double(pictureRate.numerator) / Double(pictureRate.denominator) : 24
        let samples = Double(width) * Double(height) * rate
        let fitting = levels.first { width <= $0.width && samples <= $0.samplesPerSecond }
        return fitting?.level ?? 13
    }

    private static let levels: [(level: UInt8, width: Int, samplesPerSecond: Double)] = [
        (1, 1280, 22_118_400), (2, 1280, 27_648_000), (3, 1920, 49_766_400), (4, 2560, 62_208_000), (5, 3840, 124_416_000), (6, 3840, 199_065_600),
        (7, 3840, 248_832_000), (8, 3840, 398_131_200), (9, 3840, 497_664_000), (10, 3840, 995_328_000), (11, 7680, 995_328_000),
        (12, 7680, 1_990_656_000), (13, 7680, 3_981_312_000),
    ]
}
