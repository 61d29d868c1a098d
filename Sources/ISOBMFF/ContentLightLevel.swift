package import BitsAndTime

/// `clli`: how bright a film gets, in cd/m²; 0 where unknown (ISO/IEC 14496-12:2022 §12.1; fields as in the SEI message of ITU-T H.265 §D.3.35).
package struct ContentLightLevel: Sendable, Equatable {
    /// MaxCLL: the brightest sample.
    package var maximumContent: UInt16
    /// MaxFALL: the brightest picture's average.
    package var maximumPictureAverage: UInt16

    package init(maximumContent: UInt16, maximumPictureAverage: UInt16) {
        self.maximumContent = maximumContent
        self.maximumPictureAverage = maximumPictureAverage
    }

    /// Of the content.
    package static let byteCount = 4

    package init(parsing box: Box) throws(ParseError) {
        var reader = box.reader()
        maximumContent = try reader.readUInt16()
        maximumPictureAverage = try reader.readUInt16()
        try reader.expectEnd()
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeBox("clli") {
            $0.write(maximumContent)
            $0.write(maximumPictureAverage)
        }
    }
}
