package import BitsAndTime

/// `btrt`: bits a second of a track (ISO/IEC 14496-12:2022 §8.5.2.2).
package struct BitRateBox: Sendable, Equatable {
    /// Bytes of the decoding buffer; 0 where unknown.
    package var bufferByteCount: UInt32
    package var maximum: UInt32
    package var average: UInt32

    package init(bufferByteCount: UInt32 = 0, maximum: UInt32, average: UInt32) {
        self.bufferByteCount = bufferByteCount
        self.maximum = maximum
        self.average = average
    }

    package init(parsing box: Box) throws(ParseError) {
        var reader = box.reader()
        bufferByteCount = try reader.readUInt32()
        maximum = try reader.readUInt32()
        average = try reader.readUInt32()
    }

    package func serialize(into writer: inout ByteWriter) {
        writer.writeBox("btrt") {
            $0.write(bufferByteCount)
            $0.write(maximum)
            $0.write(average)
        }
    }
}
