package import BitsAndTime

/// Cuts samples into NAL units and puts units together into samples.
///
/// Ranges and slices are of the sample they were read from; nothing is copied until a sample is rebuilt.
package enum NALUnitSequence {
    /// Lengths a prefix may have (lengthSizeMinusOne 0…3, ISO/IEC 14496-15:2022 §5.3.3.1; 3 bytes are read though no record may say so).
    private static let lengthSizes = 1...4

    /// The units of a sample, in order, and how many bytes at its end belong to no whole unit.
    ///
    /// A length that overruns the sample ends the reading: what came before is whole.
    package static func units(in sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> (ranges: [Range<Int>], droppedByteCount: Int) {
        switch framing {
        case .annexB:
            return (annexBRanges(sample), 0)
        case .lengthPrefixed(let lengthSize):
            var ranges: [Range<Int>] = []
            let end = forEachLengthPrefixed(sample, lengthSize) { range in
                if !range.isEmpty { ranges.append(range) }
                return true
            }
            return (ranges, sample.count - end)
        }
    }

    /// The same as slices of an array, whole units only.
    package static func units(in sample: [UInt8], framing: NALUnitFraming) -> [ArraySlice<UInt8>] {
        sample.withUnsafeBytes { units(in: $0, framing: framing).ranges }.map { sample[$0] }
    }

    /// The units of a sample that must be whole.
    ///
    /// - Throws: `ParseError.Kind.truncated` where a length overruns the sample or its end holds part of a length.
    package static func units(in sample: ArraySlice<UInt8>, framing: NALUnitFraming) throws(ParseError) -> [ArraySlice<UInt8>] {
        let (units, dropped) = wholeUnits(in: sample, framing: framing)
        guard dropped == 0 else {
            throw ParseError(.truncated, at: sample.count - dropped, in: "NALUnit", "\(dropped) bytes at the sample's end are no whole unit")
        }
        return units
    }

    /// The units up to one that overruns the sample, and the bytes from there on.
    package static func wholeUnits(in sample: ArraySlice<UInt8>, framing: NALUnitFraming) -> (units: [ArraySlice<UInt8>], droppedByteCount: Int) {
        let (ranges, dropped) = sample.withUnsafeBytes { units(in: $0, framing: framing) }
        let base = sample.startIndex
        return (ranges.map { sample[(base + $0.lowerBound)..<(base + $0.upperBound)] }, dropped)
    }

    /// Units behind lengths of four bytes each (ISO/IEC 14496-15:2022 §4.3.3).
    package static func lengthPrefixed(_ units: [ArraySlice<UInt8>]) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: units.reduce(0) { $0 + 4 + $1.count })
        for unit in units {
            writer.write(UInt32(truncatingIfNeeded: unit.count))
            writer.write(contentsOf: unit)
        }
        return writer.bytes
    }

    /// The same behind lengths of `lengthSize` bytes; `nil` where a unit is too long for them.
    package static func lengthPrefixed(_ units: [ArraySlice<UInt8>], lengthSize: Int) -> [UInt8]? {
        guard lengthSizes.contains(lengthSize), units.allSatisfy({ UInt64($0.count) >> UInt64(lengthSize * 8) == 0 }) else { return nil }
        if lengthSize == 4 { return lengthPrefixed(units) }
        var writer = ByteWriter(reservingCapacity: units.reduce(0) { $0 + lengthSize + $1.count })
        for unit in units {
            writer.writeInteger(UInt64(unit.count), byteCount: lengthSize)
            writer.write(contentsOf: unit)
        }
        return writer.bytes
    }

    /// How many bytes of a sample whole units take up, from its first byte; all of them where nothing is wrong.
    package static func wholeByteCount(_ sample: UnsafeRawBufferPointer, lengthSize: Int) -> Int {
        forEachLengthPrefixed(sample, lengthSize) { _ in true }
    }

    /// Start codes become four-byte lengths. Runs on every packet of a transport stream.
    package static func convertToLengthPrefixed(_ annexB: UnsafeRawBufferPointer) -> [UInt8] {
        let ranges = annexBRanges(annexB)
        let total = ranges.reduce(0) { $0 + 4 + $1.count }
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            guard let from = annexB.baseAddress, let to = output.baseAddress else { return }
            for range in ranges {
                let at = UnsafeMutableRawPointer(to + count)
                at.storeBytes(of: UInt32(truncatingIfNeeded: range.count).bigEndian, as: UInt32.self)
                (at + 4).copyMemory(from: from + range.lowerBound, byteCount: range.count)
                count += 4 + range.count
            }
        }
    }

    package static func convertToLengthPrefixed(_ annexB: ArraySlice<UInt8>) -> [UInt8] {
        annexB.withUnsafeBytes { convertToLengthPrefixed($0) }
    }

    /// Whether a unit behind its length holds start codes: bytes that no NAL unit has (ITU-T H.264 §7.4.1), and the mark of a writer that
    /// put a whole Annex B picture behind one length.
    package static func holdsStartCodes(_ sample: UnsafeRawBufferPointer, lengthSize: Int) -> Bool {
        units(in: sample, framing: .lengthPrefixed(lengthSize: lengthSize)).ranges.contains { range in
            // Zeros at the end of a unit and the next length make none: each unit is looked at by itself.
            nextStartCode(UnsafeRawBufferPointer(rebasing: sample[range]), from: 0) != nil
        }
    }

    /// Such a sample with each unit behind four bytes of length. What stands before a unit's first start code is kept where it can be a unit.
    package static func splitAtStartCodes(_ sample: UnsafeRawBufferPointer, lengthSize: Int) -> [UInt8] {
        var units: [ArraySlice<UInt8>] = []
        for range in Self.units(in: sample, framing: .lengthPrefixed(lengthSize: lengthSize)).ranges {
            let unit = UnsafeRawBufferPointer(rebasing: sample[range])
            let code = nextStartCode(unit, from: 0)
            let head = trimmed(0, code ?? unit.count, unit)
            // forbidden_zero_bit (§7.3.1): what has it set is no unit.
            if head > 0, unit[0] & 0x80 == 0 { units.append(Array(unit[..<head])[...]) }
            for inner in annexBRanges(unit) { units.append(Array(unit[inner])[...]) }
        }
        return lengthPrefixed(units)
    }

    /// Shows where each unit starts, without looking for where it ends; `end` is given where the framing says it.
    ///
    /// - Parameter body: Returns `false` to stop. Behind a start code `start` may be the start of an empty unit.
    static func forEachStart(in sample: UnsafeRawBufferPointer, framing: NALUnitFraming, _ body: (_ start: Int, _ end: Int?) -> Bool) {
        switch framing {
        case .annexB:
            var at = 0
            while let code = nextStartCode(sample, from: at), code + 3 < sample.count, body(code + 3, nil) { at = code + 3 }
        case .lengthPrefixed(let lengthSize):
            forEachLengthPrefixed(sample, lengthSize) { $0.isEmpty || body($0.lowerBound, $0.upperBound) }
        }
    }

    /// Where the unit behind a start code ends, its trailing zeros left out.
    static func annexBEnd(of start: Int, in sample: UnsafeRawBufferPointer) -> Int {
        trimmed(start, nextStartCode(sample, from: start) ?? sample.count, sample)
    }

    /// - Returns: Where reading ended.
    @discardableResult
    private static func forEachLengthPrefixed(_ sample: UnsafeRawBufferPointer, _ lengthSize: Int, _ body: (Range<Int>) -> Bool) -> Int {
        guard lengthSizes.contains(lengthSize) else { return 0 }
        var at = 0
        while sample.count - at >= lengthSize {
            var length = 0
            for i in 0..<lengthSize { length = length << 8 | Int(sample[at + i]) }
            guard length <= sample.count - at - lengthSize else { return at }
            let start = at + lengthSize
            at = start + length
            guard body(start..<at) else { return at }
        }
        return at
    }

    /// Units between start codes of three or four bytes; zero bytes behind a unit are not part of it (§B.1.1).
    private static func annexBRanges(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        guard var code = nextStartCode(bytes, from: 0) else { return [] }
        while true {
            let start = code + 3
            let next = nextStartCode(bytes, from: start)
            let end = trimmed(start, next ?? bytes.count, bytes)
            if end > start { ranges.append(start..<end) }
            guard let next else { return ranges }
            code = next
        }
    }

    private static func trimmed(_ start: Int, _ limit: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        var end = limit
        while end > start, bytes[end - 1] == 0 { end -= 1 }
        return end
    }

    /// Not 0 where one of eight bytes is.
    @inline(__always)
    private static func zeroBytes(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        return (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// The first 00 00 01 at or after `from`. Bytes of which none is zero are passed over by 32, then by 8 at once: most of a coded picture.
    private static func nextStartCode(_ bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
        var i = from
        let end = bytes.count
        while i + 2 < end {
            while i + 32 <= end {
                let zeros = zeroBytes(bytes, i) | zeroBytes(bytes, i + 8) | zeroBytes(bytes, i + 16) | zeroBytes(bytes, i + 24)
                guard zeros == 0 else { break }
                i += 32
            }
            if i + 8 <= end, zeroBytes(bytes, i) == 0 {
                i += 8
                continue
            }
            let last = min(i + 8, end - 2)
            while i < last {
                if bytes[i] == 0, bytes[i + 1] == 0, bytes[i + 2] == 1 { return i }
                i += 1
            }
        }
        return nil
    }
}
