/// How NAL units lie in a sample: behind start codes (ITU-T H.264 / H.265 Annex B) or behind their lengths (ISO/IEC 14496-15 §4.3.3).
package enum NALUnitFraming: Sendable, Equatable {
    case annexB
    /// 1, 2 or 4 bytes.
    case lengthPrefixed(lengthSize: Int)

    /// Reads the framing off decoder configuration bytes: a start code or a version-1 record. `nil` where they are neither.
    package static func detect(extradata: [UInt8], lengthSizeOffset: Int) -> NALUnitFraming? {
        if extradata.starts(with: [0, 0, 1]) || extradata.starts(with: [0, 0, 0, 1]) { return .annexB }
        guard extradata.first == 1, extradata.indices.contains(lengthSizeOffset) else { return nil }
        let size = Int(extradata[lengthSizeOffset] & 3) + 1
        return size == 3 ? nil : .lengthPrefixed(lengthSize: size)
    }

    /// How the units of one sample lie, whatever its track's record says: joined files and careless remuxers mix the two.
    ///
    /// - Parameter expected: What the record says, and what counts wherever the sample can be read so.
    package static func ofSample(_ sample: UnsafeRawBufferPointer, expected: NALUnitFraming, codec: RandomAccess.Codec) -> NALUnitFraming {
        switch expected {
        case .lengthPrefixed(let size):
            if NALUnitSequence.wholeByteCount(sample, lengthSize: size) == sample.count { return expected }
            // 00 00 01 may begin the length of a damaged sample's first unit: then that unit is one.
            if startsWithStartCode(sample), sample[2] == 0 || !firstUnitFits(sample, lengthSize: size, codec: codec) { return .annexB }
            return size < 4 && holdsUnits(sample) ? .lengthPrefixed(lengthSize: 4) : expected
        case .annexB:
            // 00 00 01 may begin a length as well; 00 00 00 01 would be that of a unit that is only its first byte.
            if startsWithStartCode(sample), sample[2] == 0 { return expected }
            return holdsUnits(sample) ? .lengthPrefixed(lengthSize: 4) : expected
        }
    }

    private static func startsWithStartCode(_ sample: UnsafeRawBufferPointer) -> Bool {
        guard sample.count > 4, sample[0] == 0, sample[1] == 0 else { return false }
        return sample[2] == 1 || (sample[2] == 0 && sample[3] == 1)
    }

    /// Whether the bytes behind the first length begin as a unit does, and hold no start code, as no unit does. Behind a start code it would be
    /// the second byte of a unit: one of a slice's, which begins with a set bit, or in H.265 of the header, odd.
    private static func firstUnitFits(_ sample: UnsafeRawBufferPointer, lengthSize: Int, codec: RandomAccess.Codec) -> Bool {
        guard let range = NALUnitSequence.units(in: sample, framing: .lengthPrefixed(lengthSize: lengthSize)).ranges.first else { return false }
        let first = sample[range.lowerBound]
        guard first & 0x80 == 0, codec != .hevc || first & 1 == 0 else { return false }
        return NALUnitSequence.units(in: UnsafeRawBufferPointer(rebasing: sample[range]), framing: .annexB).ranges.isEmpty
    }

    /// Lengths of four bytes that meet the sample's end, each before a byte that can begin a unit (forbidden_zero_bit is 0). Shorter lengths
    /// would meet it by chance too often, and nobody writes them without a record.
    private static func holdsUnits(_ sample: UnsafeRawBufferPointer) -> Bool {
        let (ranges, dropped) = NALUnitSequence.units(in: sample, framing: .lengthPrefixed(lengthSize: 4))
        return dropped == 0 && !ranges.isEmpty && ranges.allSatisfy { sample[$0.lowerBound] & 0x80 == 0 }
    }

    /// Where avcC and hvcC keep lengthSizeMinusOne.
    package static let avcLengthSizeOffset = 4
    package static let hevcLengthSizeOffset = 21
}
