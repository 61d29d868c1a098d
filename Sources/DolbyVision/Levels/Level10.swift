package import BitsAndTime

/// A target display that level 8 names by its index.
package struct Level10: ExtensionMetadataLevel {
    package static let level: UInt8 = 10

    package var targetDisplayIndex: UInt8
    package var targetMaximumPQ: UInt16
    package var targetMinimumPQ: UInt16
    package var targetPrimaryIndex: UInt8
    /// As in ``Level9``; in a block of 21 bytes.
    package var primaries: [UInt16]?

    package init(targetDisplayIndex: UInt8, targetMaximumPQ: UInt16, targetMinimumPQ: UInt16, targetPrimaryIndex: UInt8, primaries: [UInt16]? = nil) {
        self.targetDisplayIndex = targetDisplayIndex
        self.targetMaximumPQ = targetMaximumPQ
        self.targetMinimumPQ = targetMinimumPQ
        self.targetPrimaryIndex = targetPrimaryIndex
        self.primaries = primaries
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        targetDisplayIndex = try bits.readUInt8(8)
        targetMaximumPQ = try bits.readUInt16(12)
        targetMinimumPQ = try bits.readUInt16(12)
        targetPrimaryIndex = try bits.readUInt8(8)
        if bits.bitsRemaining >= 128 { primaries = try bits.readArray(of: 8, bits: 16) }
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(targetDisplayIndex, 8)
        bits.writeBits(targetMaximumPQ, 12)
        bits.writeBits(targetMinimumPQ, 12)
        bits.writeBits(targetPrimaryIndex, 8)
        for value in primaries ?? [] { bits.writeBits(value, 16) }
    }
}
