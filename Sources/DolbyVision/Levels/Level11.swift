package import BitsAndTime

/// What kind of content it is, for the display's own processing.
package struct Level11: ExtensionMetadataLevel {
    package static let level: UInt8 = 11

    package var contentType: UInt8
    /// The white point in the low four bits, reference_mode_flag above them.
    package var whitePoint: UInt8
    package var reserved2: UInt8
    package var reserved3: UInt8

    package init(contentType: UInt8, whitePoint: UInt8, reserved2: UInt8, reserved3: UInt8) {
        self.contentType = contentType
        self.whitePoint = whitePoint
        self.reserved2 = reserved2
        self.reserved3 = reserved3
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        contentType = try bits.readUInt8(8)
        whitePoint = try bits.readUInt8(8)
        reserved2 = try bits.readUInt8(8)
        reserved3 = try bits.readUInt8(8)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(contentType, 8)
        bits.writeBits(whitePoint, 8)
        bits.writeBits(reserved2, 8)
        bits.writeBits(reserved3, 8)
    }
}

extension Level11 {
    /// Whether the display is asked to leave its own processing off.
    package var isReferenceMode: Bool { whitePoint & 0x10 != 0 }
}
