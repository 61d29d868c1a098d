package import BitsAndTime

/// Black bars, in luma samples from each edge.
package struct Level5: ExtensionMetadataLevel {
    package static let level: UInt8 = 5

    package var left: UInt16
    package var right: UInt16
    package var top: UInt16
    package var bottom: UInt16

    package init(left: UInt16, right: UInt16, top: UInt16, bottom: UInt16) {
        self.left = left
        self.right = right
        self.top = top
        self.bottom = bottom
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        left = try bits.readUInt16(13)
        right = try bits.readUInt16(13)
        top = try bits.readUInt16(13)
        bottom = try bits.readUInt16(13)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(left, 13)
        bits.writeBits(right, 13)
        bits.writeBits(top, 13)
        bits.writeBits(bottom, 13)
    }
}
