/// One open bitstream unit of an AV1 sample (AV1 specification §5.3).
package struct AV1OpenBitstreamUnit: Sendable, Equatable {
    package enum UnitType {
        package static let sequenceHeader: UInt8 = 1
        package static let temporalDelimiter: UInt8 = 2
        package static let frameHeader: UInt8 = 3
        package static let tileGroup: UInt8 = 4
        package static let metadata: UInt8 = 5
        package static let frame: UInt8 = 6
        package static let redundantFrameHeader: UInt8 = 7
        package static let tileList: UInt8 = 8
        package static let padding: UInt8 = 15
    }

    package let type: UInt8
    /// Bytes of the whole unit in the sample.
    package let range: Range<Int>
    /// Bytes behind its header.
    package let payload: Range<Int>
    package let hasSize: Bool

    /// The unit's bytes, its size put in where the sample's end stood for it.
    ///
    /// - Parameter sample: The one it was read from.
    package func bytesWithSize(in sample: [UInt8]) -> [UInt8] {
        guard !hasSize else { return Array(sample[range]) }
        var bytes = Array(sample[range.lowerBound..<payload.lowerBound])
        bytes[0] |= 2
        var size = payload.count
        repeat {
            bytes.append(UInt8(size & 0x7F) | (size > 0x7F ? 0x80 : 0))
            size >>= 7
        } while size > 0
        return bytes + sample[payload]
    }

    /// The units of a sample; reading stops at the first that does not fit.
    package static func units(in sample: UnsafeRawBufferPointer) -> (units: [AV1OpenBitstreamUnit], droppedByteCount: Int) {
        var units: [AV1OpenBitstreamUnit] = []
        var at = 0
        while at < sample.count {
            let header = sample[at]
            guard header & 0x80 == 0 else { break }
            let hasSize = header & 2 != 0
            var body = at + (header & 4 != 0 ? 2 : 1)
            var size = 0
            if hasSize {
                var shift = 0
                var done = false
                // leb128: eight bytes at most, zeros at the top allowed, below 2^32 (§4.10.5).
                while body < sample.count, shift < 56 {
                    let byte = sample[body]
                    body += 1
                    size |= Int(byte & 0x7F) << shift
                    shift += 7
                    if byte & 0x80 == 0 {
                        done = true
                        break
                    }
                }
                guard done, size <= Int(UInt32.max) else { break }
            } else {
                size = sample.count - body
            }
            guard body <= sample.count, size >= 0, size <= sample.count - body else { break }
            units.append(AV1OpenBitstreamUnit(type: header >> 3 & 0xF, range: at..<(body + size), payload: body..<(body + size), hasSize: hasSize))
            at = body + size
        }
        return (units, sample.count - at)
    }

    /// The same of an array; ranges count from the slice's first byte.
    package static func units(in sample: ArraySlice<UInt8>) -> (units: [AV1OpenBitstreamUnit], droppedByteCount: Int) {
        sample.withUnsafeBytes { units(in: $0) }
    }
}
