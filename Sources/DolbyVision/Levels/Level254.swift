package import BitsAndTime

/// Which content mapping the unit was made by.
package struct Level254: ExtensionMetadataLevel {
    package static let level: UInt8 = 254

    package var mode: UInt8
    package var versionIndex: UInt8

    package init(mode: UInt8, versionIndex: UInt8) {
        self.mode = mode
        self.versionIndex = versionIndex
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        mode = try bits.readUInt8(8)
        versionIndex = try bits.readUInt8(8)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(mode, 8)
        bits.writeBits(versionIndex, 8)
    }
}
