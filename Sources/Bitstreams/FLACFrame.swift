package import BitsAndTime

/// The number in a FLAC frame's header, and the two checks that cover it.
///
/// A frame says which one it is, counted from the stream's beginning; one that was encoded apart from its predecessors has to be told. Source:
/// RFC 9639 §9.1 and §9.3.
package enum FLACFrame {
    /// The largest number that the header's coding holds for frames of one length: 31 bits.
    package static let numberLimit: UInt32 = 0x7FFF_FFFF

    /// What of the header is before and behind the number, without its check.
    private struct Header {
        let number: UInt32
        let numberEnd: Int
        /// Where the header's check is.
        let end: Int

        init(parsing frame: [UInt8]) throws(ParseError) {
            guard frame.count >= 6 else { throw ParseError(.truncated, at: frame.count, in: "FLAC frame", "\(frame.count) bytes") }
            guard frame[0] == 0xFF, frame[1] == 0xF8 else {
                throw ParseError(.unsupported, at: 0, in: "FLAC frame", "no sync code of a stream whose frames are of one length")
            }
            var value = UInt32(frame[4])
            var length = 1
            if value >= 0x80 {
                length = (~frame[4]).leadingZeroBitCount
                guard (2...6).contains(length), frame.count >= 4 + length else {
                    throw ParseError(.malformed, at: 4, in: "FLAC frame", "the number is not coded as one")
                }
                value &= 0x7F >> UInt32(length)
                for byte in frame[5..<4 + length] {
                    guard byte & 0xC0 == 0x80 else { throw ParseError(.malformed, at: 5, in: "FLAC frame", "the number is not coded as one") }
                    value = value << 6 | UInt32(byte & 0x3F)
                }
            }
            number = value
            numberEnd = 4 + length
            let sizeBytes = frame[2] >> 4 == 6 ? 1 : frame[2] >> 4 == 7 ? 2 : 0
            let rateBytes = frame[2] & 15 == 12 ? 1 : frame[2] & 15 == 13 || frame[2] & 15 == 14 ? 2 : 0
            end = numberEnd + sizeBytes + rateBytes
            guard frame.count >= end + 3 else { throw ParseError(.truncated, at: frame.count, in: "FLAC frame", "the header is cut short") }
        }
    }

    package static func number(of frame: [UInt8]) throws(ParseError) -> UInt32 { try Header(parsing: frame).number }

    /// The same frame under another number.
    package static func renumbered(_ frame: [UInt8], as number: UInt32) throws(ParseError) -> [UInt8] {
        let header = try Header(parsing: frame)
        var output = [UInt8]()
        output.reserveCapacity(frame.count + 5)
        output += frame[..<4]
        output += coded(UInt64(number & numberLimit))
        output += frame[header.numberEnd..<header.end]
        output.append(check8(output))
        // The check is linear: what follows the header counts for as much as before, and need not be summed again.
        let rest = frame.count - 2 - (header.end + 1)
        let told = UInt16(frame[frame.count - 2]) << 8 | UInt16(frame[frame.count - 1])
        let sum = told ^ shifted(check16(frame[...header.end]) ^ check16(output[...]), by: rest)
        output += frame[(header.end + 1)..<(frame.count - 2)]
        output.append(UInt8(sum >> 8))
        output.append(UInt8(truncatingIfNeeded: sum))
        return output
    }

    /// As UTF-8 would code it, taken to seven bytes.
    static func coded(_ number: UInt64) -> [UInt8] {
        if number < 0x80 { return [UInt8(number)] }
        let limits: [UInt64] = [0x800, 0x1_0000, 0x20_0000, 0x400_0000, 0x8000_0000]
        let length = (limits.firstIndex { number < $0 } ?? limits.count) + 2
        var bytes: [UInt8] = []
        for place in stride(from: length - 1, through: 0, by: -1) {
            let bits = number >> UInt64(6 * place)
            bytes.append(
                place == length - 1 ? UInt8(truncatingIfNeeded: 0xFF00 >> UInt64(length)) | UInt8(truncatingIfNeeded: bits) : 0x80 | UInt8(bits & 0x3F))
        }
        return bytes
    }

    /// CRC-8 of the polynomial x⁸ + x² + x + 1.
    static func check8(_ bytes: [UInt8]) -> UInt8 {
        bytes.reduce(0) { table8[Int($0 ^ $1)] }
    }

    /// CRC-16 of the polynomial x¹⁶ + x¹⁵ + x² + 1.
    static func check16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in twice(sum) } }
    }

    /// A check's share once so many bytes follow: times x⁸ for each, by squaring.
    private static func shifted(_ sum: UInt16, by count: Int) -> UInt16 {
        var (sum, power, left) = (sum, UInt16(0x0100), count)
        while left > 0 {
            if left & 1 == 1 { sum = product(sum, power) }
            power = product(power, power)
            left >>= 1
        }
        return sum
    }

    private static func product(_ a: UInt16, _ b: UInt16) -> UInt16 {
        (0..<16).reduce(0) { sum, bit in twice(sum) ^ (b & (0x8000 >> UInt16(bit)) != 0 ? a : 0) }
    }

    private static func twice(_ sum: UInt16) -> UInt16 { sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }

    private static let table8: [UInt8] = (0..<256).map { value in
        (0..<8).reduce(UInt8(value)) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
}
