/// Cuts samples into NAL units and puts units together into samples.
package enum NALUnitSequence {
    /// The units of a sample, in order, and how many bytes at its end belong to no whole unit.
    ///
    /// A length that overruns the sample ends the reading: what came before is whole.
    package static func units(in sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> (ranges: [Range<Int>], droppedByteCount: Int) {
        switch framing {
        case .annexB:
            return (annexBRanges(sample), 0)
        case .lengthPrefixed(let lengthSize):
            var ranges: [Range<Int>] = []
            var at = 0
            while sample.count - at >= lengthSize {
                var length = 0
                for i in 0..<lengthSize { length = length << 8 | Int(sample[at + i]) }
                guard length <= sample.count - at - lengthSize else { return (ranges, sample.count - at) }
                if length > 0 { ranges.append((at + lengthSize)..<(at + lengthSize + length)) }
                at += lengthSize + length
            }
            return (ranges, sample.count - at)
        }
    }

    /// The same as slices of an array.
    package static func units(in sample: [UInt8], framing: NALUnitFraming) -> [ArraySlice<UInt8>] {
        sample.withUnsafeBytes { units(in: $0, framing: framing).ranges }.map { sample[$0] }
    }

    /// Start codes become four-byte lengths.
    package static func convertToLengthPrefixed(_ annexB: UnsafeRawBufferPointer) -> [UInt8] {
        let ranges = annexBRanges(annexB)
        let total = ranges.reduce(0) { $0 + 4 + $1.count }
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            for range in ranges {
                for shift in [24, 16, 8, 0] {
                    output[count] = UInt8(truncatingIfNeeded: range.count >> shift)
                    count += 1
                }
                guard let from = annexB.baseAddress, let to = output.baseAddress else { continue }
                UnsafeMutableRawPointer(to + count).copyMemory(from: from + range.lowerBound, byteCount: range.count)
                count += range.count
            }
        }
    }

    /// Units between start codes of three or four bytes; zero bytes behind a unit are not part of it (§B.1.1).
    private static func annexBRanges(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        var i = 0
        let end = bytes.count
        func close(at limit: Int) {
            guard let from = start else { return }
            var to = limit
            while to > from, bytes[to - 1] == 0 { to -= 1 }
            if to > from { ranges.append(from..<to) }
        }
        while i + 2 < end {
            // The third byte of a start code is 1: most positions are ruled out three at a time.
            if bytes[i + 2] > 1 {
                i += 3
            } else if bytes[i] == 0, bytes[i + 1] == 0, bytes[i + 2] == 1 {
                close(at: i)
                start = i + 3
                i += 3
            } else {
                i += 1
            }
        }
        close(at: end)
        return ranges
    }
}

/// The payload of a NAL unit with and without emulation-prevention bytes (ITU-T H.264 §7.4.1, H.265 §7.4.2).
package enum RBSP {
    /// Takes out each 3 that follows two zeros.
    package static func removingEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(unit.count)
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            output.append(byte)
        }
        return output
    }
}
