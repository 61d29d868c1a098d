package import BitsAndTime

/// Where and how strongly the mapping is anchored over time.
package struct Level4: ExtensionMetadataLevel {
    package static let level: UInt8 = 4

    package var anchorPQ: UInt16
    package var anchorPower: UInt16

    package init(anchorPQ: UInt16, anchorPower: UInt16) {
        self.anchorPQ = anchorPQ
        self.anchorPower = anchorPower
    }

    package init(parsing bits: inout BitReader) throws(ParseError) {
        anchorPQ = try bits.readUInt16(12)
        anchorPower = try bits.readUInt16(12)
    }

    package func serialize(into bits: inout BitWriter) {
        bits.writeBits(anchorPQ, 12)
        bits.writeBits(anchorPower, 12)
    }
}
