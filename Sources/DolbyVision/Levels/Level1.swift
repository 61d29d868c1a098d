package import BitsAndTime

/// Luminance of the picture without black bars.
package struct Level1: ExtensionMetadataLevel {
    package static let level: UInt8 = 1

    package var minimumPQ: UInt16
    package var maximumPQ: UInt16
    package var averagePQ: UInt16

    package init(minimumPQ: UInt16, maximumPQ: UInt16, averagePQ: UInt16) {
        self.minimumPQ = minimumPQ
        self.maximumPQ = maximumPQ
        self.averagePQ = averagePQ
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        minimumPQ = try bits.readUInt16(12)
        maximumPQ = try bits.readUInt16(12)
        averagePQ = try bits.readUInt16(12)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(minimumPQ, 12)
        bits.writeBits(maximumPQ, 12)
        bits.writeBits(averagePQ, 12)
    }
}
