package import BitsAndTime

/// Trims of content mapping 4.0 for one target display. What comes after the first seven fields depends on the block's length: 10, 12, 13, 19 or
/// 25 bytes.
package struct Level8: ExtensionMetadataLevel {
    package static let level: UInt8 = 8

    package var targetDisplayIndex: UInt8
    package var trimSlope: UInt16
    package var trimOffset: UInt16
    package var trimPower: UInt16
    package var trimChromaWeight: UInt16
    package var trimSaturationGain: UInt16
    package var multiscaleWeight: UInt16
    package var targetMidContrast: UInt16?
    package var clipTrim: UInt16?
    /// Six of eight bits: red, yellow, green, cyan, blue, magenta.
    package var saturationVector: [UInt16]?
    /// As ``saturationVector``.
    package var hueVector: [UInt16]?

    package init(
        targetDisplayIndex: UInt8, trimSlope: UInt16 = 2048, trimOffset: UInt16 = 2048, trimPower: UInt16 = 2048, trimChromaWeight: UInt16 = 2048,
        trimSaturationGain: UInt16 = 2048, multiscaleWeight: UInt16 = 2048, targetMidContrast: UInt16? = nil, clipTrim: UInt16? = nil,
        saturationVector: [UInt16]? = nil, hueVector: [UInt16]? = nil
    ) {
        self.targetDisplayIndex = targetDisplayIndex
        self.trimSlope = trimSlope
        self.trimOffset = trimOffset
        self.trimPower = trimPower
        self.trimChromaWeight = trimChromaWeight
        self.trimSaturationGain = trimSaturationGain
        self.multiscaleWeight = multiscaleWeight
        self.targetMidContrast = targetMidContrast
        self.clipTrim = clipTrim
        self.saturationVector = saturationVector
        self.hueVector = hueVector
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        targetDisplayIndex = try bits.readUInt8(8)
        trimSlope = try bits.readUInt16(12)
        trimOffset = try bits.readUInt16(12)
        trimPower = try bits.readUInt16(12)
        trimChromaWeight = try bits.readUInt16(12)
        trimSaturationGain = try bits.readUInt16(12)
        multiscaleWeight = try bits.readUInt16(12)
        if bits.bitsRemaining >= 12 { targetMidContrast = try bits.readUInt16(12) }
        if bits.bitsRemaining >= 12 { clipTrim = try bits.readUInt16(12) }
        if bits.bitsRemaining >= 48 { saturationVector = try bits.readArray(of: 6, bits: 8) }
        if bits.bitsRemaining >= 48 { hueVector = try bits.readArray(of: 6, bits: 8) }
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(targetDisplayIndex, 8)
        for trim in [trimSlope, trimOffset, trimPower, trimChromaWeight, trimSaturationGain, multiscaleWeight] { bits.writeBits(trim, 12) }
        guard let targetMidContrast else { return }
        bits.writeBits(targetMidContrast, 12)
        guard let clipTrim else { return }
        bits.writeBits(clipTrim, 12)
        guard let saturationVector else { return }
        for value in saturationVector { bits.writeBits(value, 8) }
        for value in hueVector ?? [] { bits.writeBits(value, 8) }
    }
}
