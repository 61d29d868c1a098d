package import BitsAndTime

/// `mdcv`: the display a film was graded on (ISO/IEC 14496-12:2022 §12.1; fields as in the SEI message of ITU-T H.265 §D.3.28).
package struct MasteringDisplay: Sendable, Equatable {
    /// CIE 1931 coordinates in steps of 0.00002.
    package struct Chromaticity: Sendable, Equatable {
        package var x: UInt16
        package var y: UInt16
        package init(x: UInt16, y: UInt16) {
            self.x = x
            self.y = y
        }
    }

    /// In the order the box has them.
    package var green: Chromaticity
    package var blue: Chromaticity
    package var red: Chromaticity
    package var whitePoint: Chromaticity
    /// In steps of 0.0001 cd/m².
    package var maximumLuminance: UInt32
    package var minimumLuminance: UInt32

    package init(
        green: Chromaticity, blue: Chromaticity, red: Chromaticity, whitePoint: Chromaticity, maximumLuminance: UInt32, minimumLuminance: UInt32
    ) {
        self.green = green
        self.blue = blue
        self.red = red
        self.whitePoint = whitePoint
        self.maximumLuminance = maximumLuminance
        self.minimumLuminance = minimumLuminance
    }

    /// Of the content.
    package static let byteCount = 24

    package init(parsing box: Box) throws(ParseError) {
        var reader = box.reader()
        func point() throws(ParseError) -> Chromaticity { Chromaticity(x: try reader.readUInt16(), y: try reader.readUInt16()) }
        green = try point()
        blue = try point()
        red = try point()
        whitePoint = try point()
        maximumLuminance = try reader.readUInt32()
        minimumLuminance = try reader.readUInt32()
        try reader.expectEnd()
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeBox("mdcv") { box in
            for point in [green, blue, red, whitePoint] {
                box.write(point.x)
                box.write(point.y)
            }
            box.write(maximumLuminance)
            box.write(minimumLuminance)
        }
    }
}
