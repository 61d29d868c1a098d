package import BitsAndTime

/// `colr` of type `nclx`: how a picture's numbers become colours (ISO/IEC 14496-12:2022 §12.1.5, code points of ISO/IEC 23091-2).
package struct ColourInformation: Sendable, Equatable {
    package var primaries: UInt16
    package var transfer: UInt16
    package var matrix: UInt16
    package var isFullRange: Bool

    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// `nil` for another kind of `colr` (an ICC profile, QuickTime's `nclc`).
    package init?(parsing box: Box) throws(ParseError) {
        var reader = box.reader()
        guard try reader.readUInt32() == FourCharacterCode("nclx").rawValue else { return nil }
        primaries = try reader.readUInt16()
        transfer = try reader.readUInt16()
        matrix = try reader.readUInt16()
        isFullRange = try reader.readUInt8() & 0x80 != 0
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeBox("colr") {
            $0.write(ascii: "nclx")
            $0.write(primaries)
            $0.write(transfer)
            $0.write(matrix)
            $0.write((isFullRange ? 0x80 : 0) as UInt8)
        }
    }
}
