package import BitsAndTime

/// An AC-3 or E-AC-3 syncframe's header (ETSI TS 102 366 V1.4.1 §4.3, Annex E §E.1.2).
package struct AC3Syncframe: Sendable, Equatable {
    /// E-AC-3 stream types (§E.1.3.1.1).
    package enum StreamType: UInt8, Sendable { case independent = 0, dependent = 1, converted = 2, reserved = 3 }

    package var isEnhanced: Bool
    package var streamType: StreamType = .independent
    package var substreamID: UInt8 = 0
    package var frameByteCount: Int
    package var fscod: UInt8
    /// Hz.
    package var sampleRate: Int
    package var bsid: UInt8
    package var bsmod: UInt8 = 0
    package var acmod: UInt8
    package var hasLFE: Bool
    /// AC-3: frmsizecod, whose upper five bits are bit_rate_code.
    package var frameSizeCode: UInt8 = 0
    /// dialnorm: how many dB below full scale dialogue lies, 1…31; 0 is reserved and counts as 31 (§4.4.2.8).
    package var dialogueNormalization: UInt8 = 31
    /// 1, 2, 3 or 6 blocks of 256 samples.
    package var blockCount = 6
    /// Dependent substreams: which channels they hold; `nil` where not said.
    package var channelMap: UInt16?
    /// TS 103 420: complexity_index_type_a, when the addbsi field signals joint object coding.
    package var jocComplexityIndex: Int?

    private static let sampleRates = [48000, 44100, 32000]
    private static let bitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
    private static let channelCounts = [2, 1, 2, 3, 3, 4, 4, 5]

    /// Channels of this syncframe alone.
    package var channelCount: Int { Self.channelCounts[Int(acmod)] + (hasLFE ? 1 : 0) }
    package var sampleCount: Int { blockCount * 256 }
    /// Bits a second: AC-3's by its code, since at 44.1 kHz frames alternate around it; E-AC-3's as the frame's size has it.
    package var bitRate: Int {
        isEnhanced ? frameByteCount * 8 * sampleRate / sampleCount : (Self.bitRates[Int(frameSizeCode) >> 1] * 1000) >> max(0, Int(bsid) - 8)
    }

    package init(parsing bytes: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(bytes, context: "syncframe")
        guard try bits.readBits(16) == 0x0B77 else { throw ParseError(.malformed, at: 0, in: "syncframe", "no syncword") }
        var ahead = bits
        try ahead.skipBits(24)
        bsid = UInt8(try ahead.readBits(5))
        guard bsid <= 16 else { throw ParseError(.unsupported, at: 5, in: "syncframe", "bsid \(bsid)") }
        isEnhanced = bsid > 10
        (frameByteCount, fscod, sampleRate, acmod, hasLFE) = (0, 0, 48000, 0, false)
        if isEnhanced { try parseEnhanced(&bits) } else { try parseBasic(&bits) }
    }

    private mutating func parseBasic(_ bits: inout BitReader) throws(ParseError) {
        try bits.skipBits(16)  // crc1
        fscod = UInt8(try bits.readBits(2))
        frameSizeCode = UInt8(try bits.readBits(6))
        guard fscod < 3, frameSizeCode < 38 else {
            throw ParseError(.malformed, at: 4, in: "syncframe", "fscod \(fscod), frmsizecod \(frameSizeCode)")
        }
        sampleRate = Self.sampleRates[Int(fscod)] >> max(0, Int(bsid) - 8)
        let rate = Self.bitRates[Int(frameSizeCode) >> 1]
        switch fscod {
        case 0: frameByteCount = rate * 4
        case 1: frameByteCount = (rate * 320 / 147 + Int(frameSizeCode & 1)) * 2
        default: frameByteCount = rate * 6
        }
        try bits.skipBits(5)
        bsmod = UInt8(try bits.readBits(3))
        acmod = UInt8(try bits.readBits(3))
        if acmod & 1 != 0, acmod != 1 { try bits.skipBits(2) }
        if acmod & 4 != 0 { try bits.skipBits(2) }
        if acmod == 2 { try bits.skipBits(2) }
        hasLFE = try bits.readFlag()
        dialogueNormalization = Self.dialogueNormalization(try bits.readBits(5))
    }

    private static func dialogueNormalization(_ field: UInt64) -> UInt8 { field == 0 ? 31 : UInt8(field) }

    private mutating func parseEnhanced(_ bits: inout BitReader) throws(ParseError) {
        streamType = StreamType(rawValue: UInt8(try bits.readBits(2))) ?? .reserved
        substreamID = UInt8(try bits.readBits(3))
        frameByteCount = (Int(try bits.readBits(11)) + 1) * 2
        fscod = UInt8(try bits.readBits(2))
        let second = UInt8(try bits.readBits(2))
        if fscod == 3 {
            guard second < 3 else { throw ParseError(.malformed, at: 4, in: "syncframe", "fscod2 \(second)") }
            sampleRate = Self.sampleRates[Int(second)] / 2
            blockCount = 6
        } else {
            sampleRate = Self.sampleRates[Int(fscod)]
            blockCount = [1, 2, 3, 6][Int(second)]
        }
        acmod = UInt8(try bits.readBits(3))
        hasLFE = try bits.readFlag()
        try bits.skipBits(5)  // bsid
        for program in 0..<(acmod == 0 ? 2 : 1) {
            let field = try bits.readBits(5)
            if program == 0 { dialogueNormalization = Self.dialogueNormalization(field) }
            if try bits.readFlag() { try bits.skipBits(8) }
        }
        if streamType == .dependent, try bits.readFlag() { channelMap = UInt16(try bits.readBits(16)) }
        if try bits.readFlag() { try skipMixingMetadata(&bits) }
        if try bits.readFlag() { try parseInformationalMetadata(&bits) }
        if streamType == .independent, blockCount != 6 { try bits.skipBits(1) }
        if streamType == .converted {
            let hasFrameSize = blockCount == 6 ? true : try bits.readFlag()
            if hasFrameSize { try bits.skipBits(6) }
        }
        guard try bits.readFlag() else { return }
        let addbsiBytes = Int(try bits.readBits(6)) + 1
        // TS 103 420 §8.3.1: seven reserved bits, flag_ec3_extension_type_a, complexity_index_type_a.
        guard addbsiBytes >= 2 else { return }
        try bits.skipBits(7)
        if try bits.readFlag() {
            let index = Int(try bits.readBits(8))
            if index > 0 { jocComplexityIndex = index }
        }
    }

    private func skipMixingMetadata(_ bits: inout BitReader) throws(ParseError) {
        if acmod > 2 { try bits.skipBits(2) }
        if acmod & 1 != 0, acmod > 2 { try bits.skipBits(6) }
        if acmod & 4 != 0 { try bits.skipBits(6) }
        if hasLFE, try bits.readFlag() { try bits.skipBits(5) }
        guard streamType == .independent else { return }
        for _ in 0..<(acmod == 0 ? 2 : 1) where try bits.readFlag() { try bits.skipBits(6) }
        if try bits.readFlag() { try bits.skipBits(6) }
        switch try bits.readBits(2) {
        case 1: try bits.skipBits(5)
        case 2: try bits.skipBits(12)
        case 3: try skipMixData(&bits)
        default: break
        }
        if acmod < 2 {
            for _ in 0..<(acmod == 0 ? 2 : 1) where try bits.readFlag() { try bits.skipBits(14) }
        }
        if try bits.readFlag() {
            if blockCount == 1 {
                try bits.skipBits(5)
            } else {
                for _ in 0..<blockCount where try bits.readFlag() { try bits.skipBits(5) }
            }
        }
    }

    private func skipMixData(_ bits: inout BitReader) throws(ParseError) {
        // mixdeflen says how many bytes follow, less two (§E.1.3.1.23); they are not looked at.
        let byteCount = Int(try bits.readBits(5)) + 2
        try bits.skipBits(byteCount * 8)
    }

    private mutating func parseInformationalMetadata(_ bits: inout BitReader) throws(ParseError) {
        bsmod = UInt8(try bits.readBits(3))
        try bits.skipBits(2)
        if acmod == 2 { try bits.skipBits(4) }
        if acmod >= 6 { try bits.skipBits(2) }
        for _ in 0..<(acmod == 0 ? 2 : 1) where try bits.readFlag() { try bits.skipBits(8) }
        if fscod < 3 { try bits.skipBits(1) }
    }

    /// Content of a `dac3` box.
    package var ac3SpecificBox: [UInt8] { AC3SpecificBox(self).serialized() }
}
