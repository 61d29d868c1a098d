package import BitsAndTime

/// Of debugging.
package struct Level255: ExtensionMetadataLevel {
    package static let level: UInt8 = 255

    package var runMode: UInt8
    package var runVersion: UInt8
    package var debug0: UInt8
    package var debug1: UInt8
    package var debug2: UInt8
    package var debug3: UInt8

    package init(runMode: UInt8, runVersion: UInt8, debug0: UInt8, debug1: UInt8, debug2: UInt8, debug3: UInt8) {
        self.runMode = runMode
        self.runVersion = runVersion
        self.debug0 = debug0
        self.debug1 = debug1
        self.debug2 = debug2
        self.debug3 = debug3
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        runMode = try bits.readUInt8(8)
        runVersion = try bits.readUInt8(8)
        debug0 = try bits.readUInt8(8)
        debug1 = try bits.readUInt8(8)
        debug2 = try bits.readUInt8(8)
        debug3 = try bits.readUInt8(8)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(runMode, 8)
        bits.writeBits(runVersion, 8)
        bits.writeBits(debug0, 8)
        bits.writeBits(debug1, 8)
        bits.writeBits(debug2, 8)
        bits.writeBits(debug3, 8)
    }
}
