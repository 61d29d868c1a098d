internal import BitsAndTime

/// emdf_container() with the one payload that Dolby Vision has in it (ETSI TS 102 366 V1.4.1 Annex H).
enum EMDFContainer {
    /// Of Dolby Vision's metadata.
    private static let payloadID: UInt32 = 256
    /// Escapes go on after these values.
    private static let escapedID: UInt32 = 31

    /// The bytes of the first payload of Dolby Vision's; other payloads are passed over.
    static func payload(of container: ArraySlice<UInt8>) throws(ParseError) -> [UInt8] {
        var bits = BitReader(container, context: "emdf")
        if try bits.readBits(2) == 3 { _ = try bits.readVariable(2) }
        if try bits.readBits(3) == 7 { _ = try bits.readVariable(3) }
        while true {
            var id = try bits.readUInt(5)
            if id == 0 { throw ParseError(.malformed, at: bits.bitOffset / 8, in: "emdf", "no payload of Dolby Vision") }
            if id == escapedID { id += try bits.readVariable(5) }
            try skipConfiguration(&bits)
            let size = try bits.readVariable(8)
            guard Int(size) <= bits.bitsRemaining / 8 else {
                throw ParseError(.truncated, at: bits.bitOffset / 8, in: "emdf.emdf_payload_size", "\(size) bytes")
            }
            guard id == payloadID else {
                try bits.skipBits(Int(size) * 8)
                continue
            }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Int(size))
            for _ in 0..<size { bytes.append(UInt8(try bits.readBits(8))) }
            return bytes
        }
    }

    private static func skipConfiguration(_ bits: inout BitReader) throws(ParseError) {
        let hasSampleOffset = try bits.readFlag()
        if hasSampleOffset { try bits.skipBits(12) }
        if try bits.readFlag() { _ = try bits.readVariable(11) }
        if try bits.readFlag() { _ = try bits.readVariable(2) }
        if try bits.readFlag() { try bits.skipBits(8) }
        if try bits.readFlag() { return }
        var isFrameAligned = false
        if !hasSampleOffset {
            isFrameAligned = try bits.readFlag()
            if isFrameAligned { try bits.skipBits(2) }
        }
        if hasSampleOffset || isFrameAligned { try bits.skipBits(7) }
    }

    static func wrapping(_ payload: ArraySlice<UInt8>) -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(0, 2)  // emdf_version
        bits.writeBits(6, 3)  // key_id
        bits.writeBits(escapedID, 5)
        bits.writeVariable(payloadID - escapedID, 5)
        bits.writeBits(1, 5)  // Nothing said of the sample, duration, group or codec; to be discarded by who does not know it.
        bits.writeVariable(UInt32(payload.count), 8)
        for byte in payload { bits.writeBits(byte, 8) }
        bits.writeBits(0, 5)  // The last payload.
        bits.writeBits(1, 2)  // Eight bits of protection, and no second one.
        bits.writeBits(0, 2 + 8)
        while bits.bitCount % 8 != 0 { bits.writeFlag(true) }
        return bits.bytes
    }
}

extension BitReader {
    /// variable_bits(n), up to a bound no payload here comes near.
    fileprivate mutating func readVariable(_ count: Int) throws(ParseError) -> UInt32 {
        var value: UInt32 = 0
        while true {
            value += try readUInt(count)
            if try !readFlag() { return value }
            guard value < 1 << 16 else { throw ParseError(.limitExceeded, at: bitOffset / 8, in: context, "variable_bits above \(value)") }
            value = (value + 1) << UInt32(count)
        }
    }
}

extension BitWriter {
    fileprivate mutating func writeVariable(_ value: UInt32, _ count: Int) {
        // Each digit more starts one above the largest number of fewer digits.
        var digits = [value & (1 << UInt32(count) - 1)]
        var rest = value >> UInt32(count)
        while rest > 0 {
            rest -= 1
            digits.append(rest & (1 << UInt32(count) - 1))
            rest >>= UInt32(count)
        }
        for (index, digit) in digits.enumerated().reversed() {
            writeBits(digit, count)
            writeFlag(index > 0)
        }
    }
}
