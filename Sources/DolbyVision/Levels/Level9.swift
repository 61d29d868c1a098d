package import BitsAndTime

/// Primaries of the mastering display.
package struct Level9: ExtensionMetadataLevel {
    package static let level: UInt8 = 9

    /// 0 P3 with D65, 2 BT.2020, and others by table; 255 where ``primaries`` say it.
    package var sourcePrimaryIndex: UInt8
    /// x and y of red, green, blue and white, in units of 2⁻¹⁵; in a block of 17 bytes.
    package var primaries: [UInt16]?

    package init(sourcePrimaryIndex: UInt8, primaries: [UInt16]? = nil) {
        self.sourcePrimaryIndex = sourcePrimaryIndex
        self.primaries = primaries
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        sourcePrimaryIndex = try bits.readUInt8(8)
        if bits.bitsRemaining >= 128 { primaries = try bits.readArray(of: 8, bits: 16) }
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(sourcePrimaryIndex, 8)
        for value in primaries ?? [] { bits.writeBits(value, 16) }
    }
}
