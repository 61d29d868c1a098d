package import BitsAndTime

/// Trims of the mapping for one target display.
package struct Level2: ExtensionMetadataLevel {
    package static let level: UInt8 = 2

    package var targetMaximumPQ: UInt16
    package var trimSlope: UInt16
    package var trimOffset: UInt16
    package var trimPower: UInt16
    package var trimChromaWeight: UInt16
    package var trimSaturationGain: UInt16
    /// Signed, 13 bits.
    package var multiscaleWeight: Int16

    package init(
        targetMaximumPQ: UInt16, trimSlope: UInt16, trimOffset: UInt16, trimPower: UInt16, trimChromaWeight: UInt16,
        trimSaturationGain: UInt16, multiscaleWeight: Int16
    ) {
        self.targetMaximumPQ = targetMaximumPQ
        self.trimSlope = trimSlope
        self.trimOffset = trimOffset
        self.trimPower = trimPower
        self.trimChromaWeight = trimChromaWeight
        self.trimSaturationGain = trimSaturationGain
        self.multiscaleWeight = multiscaleWeight
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        targetMaximumPQ = try bits.readUInt16(12)
        trimSlope = try bits.readUInt16(12)
        trimOffset = try bits.readUInt16(12)
        trimPower = try bits.readUInt16(12)
        trimChromaWeight = try bits.readUInt16(12)
        trimSaturationGain = try bits.readUInt16(12)
        multiscaleWeight = Int16(bitPattern: try bits.readUInt16(13) << 3) >> 3
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(targetMaximumPQ, 12)
        bits.writeBits(trimSlope, 12)
        bits.writeBits(trimOffset, 12)
        bits.writeBits(trimPower, 12)
        bits.writeBits(trimChromaWeight, 12)
        bits.writeBits(trimSaturationGain, 12)
        bits.writeBits(multiscaleWeight, 13)
    }
}
