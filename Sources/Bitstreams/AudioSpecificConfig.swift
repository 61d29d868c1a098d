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
    /// Samples a core frame decodes to: 1024 or 960, half of that for low delay; for xHE-AAC the output's.
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
        if audioObjectType == 42 { try readUnifiedSpeechConfig(&bits) }
        guard Self.generalAudioTypes.contains(audioObjectType) else { return }
        // Low delay halves the transform (§4.5.2.1.1).
        let isShort = try bits.readFlag()
        frameLength = (isShort ? 960 : 1024) / (audioObjectType == 23 ? 2 : 1)
        if try bits.readFlag() { try bits.skipBits(14) }
        let hasExtension = try bits.readFlag()
        if channelConfiguration == 0 { channelCount = try ProgramConfigElement(parsing: &bits).channelCount }
        guard !hasExtension, extensionObjectType == nil else { return }
        if audioObjectType == 6 || audioObjectType == 20, bits.bitsRemaining >= 3 { try bits.skipBits(3) }  // layerNr
        if audioObjectType >= 17, bits.bitsRemaining >= 2, try bits.readBits(2) > 1 { return }  // epConfig
        guard bits.bitsRemaining >= 16 else { return }
        readCompatibleExtension(bits)
    }

    /// Object types that go on with GASpecificConfig (Table 1.15).
    private static let generalAudioTypes: Set<Int> = [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23]

    /// The head of UsacConfig (ISO/IEC 23003-3:2020 §5.2, Tables 70 and 72), where xHE-AAC tells its output.
    private mutating func readUnifiedSpeechConfig(_ bits: inout BitReader) throws(ParseError) {
        if try bits.readBits(5) == 31 { try bits.skipBits(24) }
        let lengths = [768, 1024, 2048, 2048, 4096]
        let index = Int(try bits.readBits(3))
        guard lengths.indices.contains(index) else {
            throw ParseError(.malformed, at: bits.bitOffset / 8, in: "UsacConfig", "coreSbrFrameLengthIndex \(index) is reserved")
        }
        frameLength = lengths[index]
        let counts = [0, 1, 2, 3, 4, 5, 6, 8, 2, 3, 4, 7, 8, 24]
        let configuration = Int(try bits.readBits(5))
        if channelCount == 0, counts.indices.contains(configuration) { channelCount = counts[configuration] }
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

    /// Channels a decoder gives: parametric stereo makes two of one.
    package var outputChannelCount: Int { extensionObjectType == 29 && channelCount == 1 ? 2 : channelCount }
    /// Hz, after SBR where it is signalled.
    package var outputSamplingFrequency: Int { extensionSamplingFrequency ?? samplingFrequency }

    /// How SBR and PS are said (§1.6.5).
    package enum ExtensionSignalling: Sendable {
        /// The extension's object type comes first; a decoder without SBR refuses the stream.
        case hierarchical
        /// Behind a plain config, where such a decoder does not look.
        case backwardCompatible
    }

    /// A config of AAC with SBR (5), or with SBR and PS (29).
    package init(
        audioObjectType: Int = 2, samplingFrequency: Int, channelConfiguration: Int, extensionObjectType: Int, extensionSamplingFrequency: Int,
        signalling: ExtensionSignalling
    ) throws(ParseError) {
        guard (1...4).contains(audioObjectType), (1...7).contains(channelConfiguration), [5, 29].contains(extensionObjectType) else {
            throw ParseError(
                .unsupported, at: 0, in: "AudioSpecificConfig", "object type \(audioObjectType) under \(extensionObjectType), channelConfiguration \(channelConfiguration)")
        }
        var bits = BitWriter()
        bits.writeBits(signalling == .hierarchical ? extensionObjectType : audioObjectType, 5)
        Self.writeFrequency(samplingFrequency, to: &bits)
        bits.writeBits(channelConfiguration, 4)
        if signalling == .hierarchical {
            Self.writeFrequency(extensionSamplingFrequency, to: &bits)
            bits.writeBits(audioObjectType, 5)
        }
        bits.writeBits(0, 3)
        if signalling == .backwardCompatible {
            bits.writeBits(0x2B7, 11)
            bits.writeBits(5, 5)
            bits.writeFlag(true)
            Self.writeFrequency(extensionSamplingFrequency, to: &bits)
            if extensionObjectType == 29 {
                bits.writeBits(0x548, 11)
                bits.writeFlag(true)
            }
        }
        try self.init(parsing: bits.bytes)
    }

    private static func writeFrequency(_ frequency: Int, to bits: inout BitWriter) {
        if let index = frequencies.firstIndex(of: frequency) {
            bits.writeBits(index, 4)
        } else {
            bits.writeBits(15, 4)
            bits.writeBits(frequency, 24)
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

    /// The same under another channelConfiguration, for a config whose rate is one of the table's (§1.6.3.4).
    package func with(channelConfiguration: Int) throws(ParseError) -> AudioSpecificConfig {
        guard (1...15).contains(channelConfiguration), bytes.count >= 2, audioObjectType < 31, bytes[0] & 7 != 7 || bytes[1] & 0x80 == 0 else {
            throw ParseError(.unsupported, at: 0, in: "AudioSpecificConfig", "channelConfiguration \(channelConfiguration) does not go into this one")
        }
        var changed = bytes
        changed[1] = changed[1] & 0x87 | UInt8(channelConfiguration) << 3
        return try AudioSpecificConfig(parsing: changed)
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
}
