internal import BitsAndTime

/// The order pictures of an H.265 stream are shown in, read off their slice headers (ITU-T H.265 §8.3.1): what a bare elementary stream,
/// which has no times, leaves to the bitstream.
package struct HEVCPictureOrder: Sendable {
    private let set: HEVCSequenceParameterSet
    private let pictureSets: [UInt32: HEVCPictureParameterSet]
    private var previousHigh: Int64 = 0
    private var previousLow: Int64 = 0
    /// Counts coded video sequences, so that orders of two of them compare.
    private var sequence: Int64 = 0
    /// Before the first picture, and behind an end of sequence: a CRA picture then begins a sequence too (§8.1.3).
    private var isAtStart = true

    /// - Parameter pictureSets: Every picture parameter set that slices may name.
    package init(_ set: HEVCSequenceParameterSet, pictureSets: [HEVCPictureParameterSet]) {
        self.set = set
        var byID: [UInt32: HEVCPictureParameterSet] = [:]
        for pictureSet in pictureSets { byID[pictureSet.pictureParameterSetID] = pictureSet }
        self.pictureSets = byID
    }

    /// The next picture in decode order.
    ///
    /// - Returns: A number that rises with presentation; `nil` for a sample whose first slice of the base layer cannot be read.
    package mutating func order(of sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> Int64? {
        var found: Int64?
        for range in NALUnitSequence.units(in: sample, framing: framing).ranges where range.count >= 2 {
            let (first, second) = (sample[range.lowerBound], sample[range.lowerBound + 1])
            let type = first >> 1 & 0x3F
            guard first & 1 == 0, second >> 3 == 0 else { continue }
            if type == 36 || type == 37 { isAtStart = true }
            guard found == nil, type < 32 else { continue }
            var bits = BitReader(RBSP.removingEmulationPrevention(Array(sample[range.dropFirst(2).prefix(64)])[...]), context: "slice_segment_header")
            do throws(ParseError) {
                found = try order(&bits, type: type, temporalID: second & 7)
            } catch {
                return nil
            }
        }
        return found
    }

    private mutating func order(_ bits: inout BitReader, type: UInt8, temporalID: UInt8) throws(ParseError) -> Int64 {
        let context = "slice_segment_header"
        guard try bits.readFlag() else { throw ParseError(.malformed, at: 0, in: context, "the picture's first slice is missing") }
        let isRandomAccess = (16...23).contains(type)
        if isRandomAccess { try bits.skipBits(1) }
        let id = try bits.readUE()
        guard let pictureSet = pictureSets[id] else { throw ParseError(.malformed, at: 0, in: context, "picture parameter set \(id) is not known") }
        try bits.skipBits(pictureSet.extraSliceHeaderBitCount)
        _ = try bits.readUE()  // slice_type
        if pictureSet.hasOutputFlag { try bits.skipBits(1) }
        if set.hasSeparatePlanes { try bits.skipBits(2) }
        let isIDR = type == 19 || type == 20
        let low = isIDR ? 0 : Int64(try bits.readBits(set.pictureOrderCountBitCount))
        // IDR and BLA, and a CRA that nothing precedes (§8.3.1: NoRaslOutputFlag).
        let begins = isIDR || (16...18).contains(type) || (isRandomAccess && isAtStart)
        isAtStart = false
        if begins {
            sequence += 1
            (previousHigh, previousLow) = (0, low)
            return sequence << 40 &+ low
        }
        let span = Int64(1) << Int64(set.pictureOrderCountBitCount)
        var high = previousHigh
        if low < previousLow, previousLow - low >= span / 2 { high += span } else if low > previousLow, low - previousLow > span / 2 { high -= span }
        // Not by pictures that others may be decoded without: upper sub-layers, leading pictures, sub-layer non-reference ones.
        if temporalID == 1, !(6...9).contains(type), type > 14 || type & 1 == 1 { (previousHigh, previousLow) = (high, low) }
        return sequence << 40 &+ high &+ low
    }
}
