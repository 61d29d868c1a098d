package import BitsAndTime

/// The display a film was graded on (SMPTE ST 2086), as H.264 and H.265 say it (payload type 137, ITU-T H.265 §D.2.28, §D.3.28) and AV1
/// (metadata_hdr_mdcv, AV1 specification §5.8.4, §6.7.4).
package struct MasteringDisplayColourVolume: Sendable, Equatable {
    /// CIE 1931 coordinates in steps of 0.00002; 0…50 000.
    package struct Chromaticity: Sendable, Equatable {
        package var x: UInt16
        package var y: UInt16

        package init(x: UInt16, y: UInt16) {
            self.x = x
            self.y = y
        }
    }

    package var red: Chromaticity
    package var green: Chromaticity
    package var blue: Chromaticity
    package var whitePoint: Chromaticity
    /// In steps of 0.0001 cd/m².
    package var maximumLuminance: UInt32
    package var minimumLuminance: UInt32

    package init(
        red: Chromaticity, green: Chromaticity, blue: Chromaticity, whitePoint: Chromaticity, maximumLuminance: UInt32, minimumLuminance: UInt32
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.whitePoint = whitePoint
        self.maximumLuminance = maximumLuminance
        self.minimumLuminance = minimumLuminance
    }

    /// - Parameter payload: Of the SEI message: green, blue and red in this order. What follows the 24 bytes is an extension and passed over.
    package init(seiPayload payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "mastering_display_colour_volume")
        func point() throws(ParseError) -> Chromaticity { Chromaticity(x: try reader.readUInt16(), y: try reader.readUInt16()) }
        green = try point()
        blue = try point()
        red = try point()
        whitePoint = try point()
        maximumLuminance = try reader.readUInt32()
        minimumLuminance = try reader.readUInt32()
    }

    /// Of the SEI message, and of an `mdcv` box.
    package func serialized() -> [UInt8] {
        var writer = ByteWriter()
        for point in [green, blue, red, whitePoint] {
            writer.write(point.x)
            writer.write(point.y)
        }
        writer.write(maximumLuminance)
        writer.write(minimumLuminance)
        return writer.bytes
    }

    /// AV1 counts in binary fractions (0.16, 24.8 and 18.14 bits) and says red first; taken to the nearest step of the other standards.
    package init(av1Metadata payload: ArraySlice<UInt8>) throws(ParseError) {
        var reader = ByteReader(payload, context: "metadata_hdr_mdcv")
        func coordinate() throws(ParseError) -> UInt16 { UInt16((UInt32(try reader.readUInt16()) * 50_000 + 0x8000) >> 16) }
        func point() throws(ParseError) -> Chromaticity { Chromaticity(x: try coordinate(), y: try coordinate()) }
        red = try point()
        green = try point()
        blue = try point()
        whitePoint = try point()
        maximumLuminance = UInt32(clamping: (UInt64(try reader.readUInt32()) * 10_000 + 0x80) >> 8)
        minimumLuminance = UInt32(clamping: (UInt64(try reader.readUInt32()) * 10_000 + 0x2000) >> 14)
    }

    /// Whether it can be a display: encoders that know of none write zeros, and a claim of those helps nobody.
    package var isPlausible: Bool {
        maximumLuminance > minimumLuminance && [red, green, blue, whitePoint].allSatisfy { $0.y > 0 && $0.x <= 50_000 && $0.y <= 50_000 }
    }
}
