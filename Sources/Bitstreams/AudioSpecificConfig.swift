package import BitsAndTime

/// MPEG-4 audio's AudioSpecificConfig (ISO/IEC 14496-3:2019 §1.6.2.1), kept with the bytes it came from.
package struct AudioSpecificConfig: Sendable, Equatable {
    /// 2: AAC LC. 5 and 29, the explicit signalling of SBR and PS, are unfolded into ``extensionObjectType``.
    package var audioObjectType: Int
    /// Of the core, Hz.
    package var samplingFrequency: Int
    package var channelConfiguration: Int
    /// 5: SBR, 29: SBR and PS; `nil` where not signalled.
    package var extensionObjectType: Int?
    /// Of the output where SBR is signalled, Hz.
    package var extensionSamplingFrequency: Int?
    /// Samples a core frame decodes to: 1024 or 960.
    package var frameLength: Int
    /// Channels, a program_config_element counted; 0 where neither says.
    package var channelCount: Int
    package let bytes: [UInt8]

    static let frequencies = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
    private static let channelCounts = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8, 0]

    package init(parsing bytes: [UInt8]) throws(ParseError) {
        self.bytes = bytes
        var bits = BitReader(bytes, context: "AudioSpecificConfig")
        audioObjectType = try Self.readObjectType(&bits)
        samplingFrequency = try Self.readFrequency(&bits)
        channelConfiguration = Int(try bits.readBits(4))
        if audioObjectType == 5 || audioObjectType == 29 {
            extensionObjectType = audioObjectType
            extensionSamplingFrequency = try Self.readFrequency(&bits)
            audioObjectType = try Self.readObjectType(&bits)
        }
        frameLength = 1024
        channelCount = Self.channelCounts[channelConfiguration]
        guard [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23].contains(audioObjectType) else { return }
        if try bits.readFlag() { frameLength = 960 }
        if try bits.readFlag() { try bits.skipBits(14) }
        let hasExtension = try bits.readFlag()
        if channelConfiguration == 0 { channelCount = try Self.countProgramChannels(&bits) }
        guard !hasExtension, extensionObjectType == nil, bits.bitsRemaining >= 16 else { return }
        readCompatibleExtension(bits)
    }

    /// Backward-compatible signalling: syncExtensionType 0x2b7 behind the config proper. Bytes there that end too early or say
    /// something else are no part of the config, and take nothing from it.
    private mutating func readCompatibleExtension(_ reader: BitReader) {
        var bits = reader
        do throws(ParseError) {
            guard try bits.readBits(11) == 0x2B7, try Self.readObjectType(&bits) == 5, try bits.readFlag() else { return }
            extensionSamplingFrequency = try Self.readFrequency(&bits)
            extensionObjectType = 5
            if bits.bitsRemaining >= 12, try bits.readBits(11) == 0x548, try bits.readFlag() { extensionObjectType = 29 }
        } catch {
            return
        }
    }

    /// The config of plain AAC, two bytes: what an ADTS header says.
    package init(audioObjectType: Int, frequencyIndex: Int, channelConfiguration: Int) throws(ParseError) {
        var bits = BitWriter()
        bits.writeBits(audioObjectType, 5)
        bits.writeBits(frequencyIndex, 4)
        bits.writeBits(channelConfiguration, 4)
        bits.writeBits(0, 3)
        try self.init(parsing: bits.bytes)
    }

    /// The bytes it was read from: a config round-trips by being kept.
    package func serialized() -> [UInt8] { bytes }

    private static func readObjectType(_ bits: inout BitReader) throws(ParseError) -> Int {
        let type = Int(try bits.readBits(5))
        return type == 31 ? 32 + Int(try bits.readBits(6)) : type
    }

    private static func readFrequency(_ bits: inout BitReader) throws(ParseError) -> Int {
        let index = Int(try bits.readBits(4))
        if index == 15 { return Int(try bits.readBits(24)) }
        guard frequencies.indices.contains(index) else {
            throw ParseError(.malformed, at: bits.bitOffset / 8, in: bits.context, "samplingFrequencyIndex \(index) is reserved")
        }
        return frequencies[index]
    }

    /// program_config_element (§4.4.1.1), read to its end: single elements count one, pairs two.
    private static func countProgramChannels(_ bits: inout BitReader) throws(ParseError) -> Int {
        try bits.skipBits(10)
        var elements: [Int] = []
        for width in [4, 4, 4, 2, 3, 4] { elements.append(Int(try bits.readBits(width))) }
        if try bits.readFlag() { try bits.skipBits(4) }
        if try bits.readFlag() { try bits.skipBits(4) }
        if try bits.readFlag() { try bits.skipBits(3) }
        var channels = elements[3]
        for group in 0..<3 {
            for _ in 0..<elements[group] {
                channels += try bits.readFlag() ? 2 : 1
                try bits.skipBits(4)
            }
        }
        try bits.skipBits(elements[3] * 4 + elements[4] * 4 + elements[5] * 5)  // LFE, associated data, coupling
        try bits.alignToByte()
        try bits.skipBits(8 * Int(try bits.readBits(8)))  // comment
        return channels
    }
}

/// The header of an AAC frame in a transport stream (ISO/IEC 14496-3:2019 §1.A.2.2).
package struct ADTSHeader: Sendable, Equatable {
    package let audioObjectType: Int
    package let frequencyIndex: Int
    package let channelConfiguration: Int
    /// 7, or 9 with a checksum.
    package let headerByteCount: Int
    /// Header included.
    package let frameByteCount: Int

    package init(parsing bytes: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(bytes, context: "adts_frame")
        guard try bits.readBits(12) == 0xFFF else { throw ParseError(.malformed, at: 0, in: "adts_frame", "no syncword") }
        try bits.skipBits(1)
        guard try bits.readBits(2) == 0 else { throw ParseError(.malformed, at: 1, in: "adts_frame", "layer is not 0") }
        headerByteCount = try bits.readFlag() ? 7 : 9
        audioObjectType = Int(try bits.readBits(2)) + 1
        frequencyIndex = Int(try bits.readBits(4))
        try bits.skipBits(1)
        channelConfiguration = Int(try bits.readBits(3))
        try bits.skipBits(4)
        frameByteCount = Int(try bits.readBits(13))
        try bits.skipBits(11)
        guard try bits.readBits(2) == 0 else {
            throw ParseError(.unsupported, at: 6, in: "adts_frame", "more than one raw data block in a frame")
        }
        guard AudioSpecificConfig.frequencies.indices.contains(frequencyIndex) else {
            throw ParseError(.malformed, at: 2, in: "adts_frame", "sampling_frequency_index \(frequencyIndex)")
        }
        guard frameByteCount >= headerByteCount else { throw ParseError(.malformed, at: 3, in: "adts_frame", "frame of \(frameByteCount) bytes") }
    }
}
