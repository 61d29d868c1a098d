internal import BitsAndTime

/// The order pictures of an H.264 stream are shown in, read off their slice headers (ITU-T H.264 §8.2.1): what a container without
/// presentation times (AVI) leaves to the bitstream.
package struct AVCPictureOrder: Sendable {
    private let set: AVCSequenceParameterSet
    private var previousHigh: Int64 = 0
    private var previousLow: Int64 = 0
    /// Counts IDR pictures, so that orders of two sequences compare.
    private var sequence: Int64 = 0

    /// `nil` where the stream shows pictures in the order they are coded, or counts them in a way that is not read here (type 1).
    package init?(_ set: AVCSequenceParameterSet) {
        guard set.pictureOrderCountType == 0 else { return nil }
        self.set = set
    }

    /// The next picture in decode order.
    ///
    /// - Returns: A number that rises with presentation; `nil` for a sample whose first slice cannot be read.
    package mutating func order(of sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> Int64? {
        for range in NALUnitSequence.units(in: sample, framing: framing).ranges {
            let type = sample[range.lowerBound] & 0x1F
            guard type == 1 || type == 5 else { continue }
            let isReference = sample[range.lowerBound] & 0x60 != 0
            let head = Array(sample[range.dropFirst().prefix(64)])
            var bits = BitReader(RBSP.removingEmulationPrevention(head[...]), context: "slice_header")
            do throws(ParseError) {
                return try order(&bits, isIDR: type == 5, isReference: isReference)
            } catch {
                return nil
            }
        }
        return nil
    }

    private mutating func order(_ bits: inout BitReader, isIDR: Bool, isReference: Bool) throws(ParseError) -> Int64 {
        for _ in 0..<3 { _ = try bits.readUE() }  // first_mb_in_slice, slice_type, pic_parameter_set_id
        if set.hasSeparatePlanes { try bits.skipBits(2) }
        try bits.skipBits(set.frameNumberBitCount)
        if !set.isFrameOnly, try bits.readFlag() { try bits.skipBits(1) }
        if isIDR { _ = try bits.readUE() }
        let low = Int64(try bits.readBits(set.pictureOrderCountBitCount))
        if isIDR {
            sequence += 1
            (previousHigh, previousLow) = (0, 0)
        }
        let span = Int64(1) << Int64(set.pictureOrderCountBitCount)
        var high = previousHigh
        if low < previousLow, previousLow - low >= span / 2 { high += span } else if low > previousLow, low - previousLow > span / 2 { high -= span }
        if isReference { (previousHigh, previousLow) = (high, low) }
        return sequence << 40 &+ high &+ low
    }
}
