package import BitsAndTime

/// What is added to level 1; 2048 is nothing.
package struct Level3: ExtensionMetadataLevel {
    package static let level: UInt8 = 3

    package var minimumPQOffset: UInt16
    package var maximumPQOffset: UInt16
    package var averagePQOffset: UInt16

    package init(minimumPQOffset: UInt16, maximumPQOffset: UInt16, averagePQOffset: UInt16) {
        self.minimumPQOffset = minimumPQOffset
        self.maximumPQOffset = maximumPQOffset
        self.averagePQOffset = averagePQOffset
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        minimumPQOffset = try bits.readUInt16(12)
        maximumPQOffset = try bits.readUInt16(12)
        averagePQOffset = try bits.readUInt16(12)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(minimumPQOffset, 12)
        bits.writeBits(maximumPQOffset, 12)
        bits.writeBits(averagePQOffset, 12)
    }
}
