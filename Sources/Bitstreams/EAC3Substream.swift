package import BitsAndTime

/// Makes another substream of an E-AC-3 syncframe: encoders here write the first independent one only, and discs have dependent ones behind it,
/// and services more than one programme.
package enum EAC3Substream {
    /// - Parameters:
    ///   - frame: An independent syncframe with room to spare: what a dependent one's header has more comes off the zeros before its check.
    ///   - channelMap: chanmap of a dependent substream; `nil` leaves its channels to acmod.
    /// - Returns: The frame with its check (ETSI TS 102 366 V1.4.1 §E.1.2.2, §E.1.3.1).
    package static func rewritten(
        _ frame: [UInt8], as type: AC3Syncframe.StreamType, substreamID: UInt8, channelMap: UInt16? = nil
    ) throws(ParseError) -> [UInt8] {
        let header = try AC3Syncframe(parsing: frame[...])
        guard header.isEnhanced, header.streamType == .independent, header.frameByteCount == frame.count, header.acmod != 0 else {
            throw ParseError(.unsupported, at: 2, in: "syncframe", "it is no independent substream of one programme")
        }
        var input = BitReader(frame[...], context: "syncframe")
        var output = BitWriter()
        func copy(_ count: Int) throws(ParseError) { output.writeBits(try input.readBits(count), count) }
        try copy(16)
        try input.skipBits(5)
        output.writeBits(UInt64(type.rawValue), 2)
        output.writeBits(UInt64(substreamID & 7), 3)
        try copy(11 + 2 + 2 + 3 + 1 + 5 + 5)
        if try copyFlag(&input, &output) { try copy(8) }
        if type == .dependent {
            output.writeFlag(channelMap != nil)
            if let channelMap { output.writeBits(UInt64(channelMap), 16) }
        }
        guard try !copyFlag(&input, &output) else { throw ParseError(.unsupported, at: input.bitOffset / 8, in: "syncframe", "it has mixing metadata") }
        if try copyFlag(&input, &output) {
            try copy(5 + (header.acmod == 2 ? 4 : 0) + (header.acmod >= 6 ? 2 : 0))
            if try copyFlag(&input, &output) { try copy(8) }
            if header.fscod < 3 { try copy(1) }
        }
        func independentOnly(_ count: Int) throws(ParseError) { if type == .independent { try copy(count) } else { try input.skipBits(count) } }
        // convsync
        if header.blockCount != 6 { try independentOnly(1) }
        if try copyFlag(&input, &output) { try copy(8 * (Int(try copyBits(6, &input, &output)) + 1)) }
        // audfrm, up to what an independent substream alone has: exponents for who converts it to AC-3.
        let channels = header.channelCount - (header.hasLFE ? 1 : 0)
        var isByBlock = true
        if header.blockCount == 6 {
            isByBlock = try copyFlag(&input, &output)
            try copy(1)
        }
        try copy(10)
        var coupled = [Bool](repeating: false, count: header.blockCount)
        if header.acmod > 1 {
            coupled[0] = try copyFlag(&input, &output)
            for block in coupled.indices.dropFirst() {
                coupled[block] = try copyFlag(&input, &output) ? try copyFlag(&input, &output) : coupled[block - 1]
            }
        }
        if isByBlock {
            for isCoupled in coupled { try copy(2 * (channels + (isCoupled ? 1 : 0))) }
        } else {
            try copy(5 * (channels + (coupled.contains(true) ? 1 : 0)))
        }
        if header.hasLFE { try copy(header.blockCount) }
        if header.blockCount == 6 {
            try independentOnly(5 * channels)
        } else {
            var ahead = input
            try independentOnly(1)
            if try ahead.readFlag() { try independentOnly(5 * channels) }
        }
        // auxdatae, crcrsv and crc2 stand at the end.
        var left = frame.count * 8 - 18 - output.bitCount
        while left > 0 {
            let part = min(left, 32, frame.count * 8 - 18 - input.bitOffset)
            if part <= 0 {
                output.writeBits(0 as UInt64, min(left, 32))
                left -= min(left, 32)
                continue
            }
            try copy(part)
            left -= part
        }
        while input.bitOffset < frame.count * 8 - 18 {
            guard try !input.readFlag() else { throw ParseError(.unsupported, at: input.bitOffset / 8, in: "syncframe", "it has no room for a longer header") }
        }
        output.writeBits(0 as UInt64, 18)
        return checked(output.bytes)
    }

    private static func copyBits(_ count: Int, _ input: inout BitReader, _ output: inout BitWriter) throws(ParseError) -> UInt64 {
        let bits = try input.readBits(count)
        output.writeBits(bits, count)
        return bits
    }

    private static func copyFlag(_ input: inout BitReader, _ output: inout BitWriter) throws(ParseError) -> Bool {
        let flag = try input.readFlag()
        output.writeFlag(flag)
        return flag
    }

    /// crc2 over all but the syncword; crcrsv is turned over where that would look like one (§E.1.3.4).
    private static func checked(_ frame: [UInt8]) -> [UInt8] {
        var frame = frame
        var sum = FLACFrame.check16(frame[2..<frame.count - 2])
        if sum == 0x0B77 {
            frame[frame.count - 3] ^= 1
            sum = FLACFrame.check16(frame[2..<frame.count - 2])
        }
        frame[frame.count - 2] = UInt8(sum >> 8)
        frame[frame.count - 1] = UInt8(truncatingIfNeeded: sum)
        return frame
    }
}
