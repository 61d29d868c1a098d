package import BitsAndTime

/// `pasp`: width to height of one sample (ISO/IEC 14496-12:2022 §12.1.4).
package struct PixelAspectRatio: Sendable, Equatable {
    package var horizontal: UInt32
    package var vertical: UInt32

    package init(horizontal: UInt32, vertical: UInt32) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    package init(parsing box: Box) throws(ParseError) {
        var reader = box.reader()
        horizontal = try reader.readUInt32()
        vertical = try reader.readUInt32()
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeBox("pasp") {
            $0.write(horizontal)
            $0.write(vertical)
        }
    }
}
