package import BitsAndTime

/// Static metadata of HDR10: display in cd/m² (the minimum in 0.0001 cd/m²), content light levels in cd/m².
package struct Level6: ExtensionMetadataLevel {
    package static let level: UInt8 = 6

    package var maximumDisplayLuminance: UInt16
    package var minimumDisplayLuminance: UInt16
    package var maximumContentLightLevel: UInt16
    package var maximumFrameAverageLightLevel: UInt16

    package init(
        maximumDisplayLuminance: UInt16, minimumDisplayLuminance: UInt16, maximumContentLightLevel: UInt16, maximumFrameAverageLightLevel: UInt16
    ) {
        self.maximumDisplayLuminance = maximumDisplayLuminance
        self.minimumDisplayLuminance = minimumDisplayLuminance
        self.maximumContentLightLevel = maximumContentLightLevel
        self.maximumFrameAverageLightLevel = maximumFrameAverageLightLevel
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        maximumDisplayLuminance = try bits.readUInt16(16)
        minimumDisplayLuminance = try bits.readUInt16(16)
        maximumContentLightLevel = try bits.readUInt16(16)
        maximumFrameAverageLightLevel = try bits.readUInt16(16)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(maximumDisplayLuminance, 16)
        bits.writeBits(minimumDisplayLuminance, 16)
        bits.writeBits(maximumContentLightLevel, 16)
        bits.writeBits(maximumFrameAverageLightLevel, 16)
    }
}
