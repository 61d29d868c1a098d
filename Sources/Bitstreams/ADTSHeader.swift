package import BitsAndTime

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

    /// Hz.
    package var samplingFrequency: Int { AudioSpecificConfig.frequencies[frequencyIndex] }

    /// What `mp4a` must be told of these frames.
    ///
    /// ADTS has two bits for the object type: SBR and PS are never said here and show only in the frames (implicit signalling).
    /// - Parameter frame: This header's frame, header included. Read only where channelConfiguration is 0: its first element is then
    ///   the program_config_element (§1.A.2.2 and §4.5.1.1).
    package func audioSpecificConfig(frame: ArraySlice<UInt8>) throws(ParseError) -> AudioSpecificConfig {
        guard channelConfiguration == 0 else {
            return try AudioSpecificConfig(audioObjectType: audioObjectType, frequencyIndex: frequencyIndex, channelConfiguration: channelConfiguration)
        }
        var bits = BitReader(frame.dropFirst(headerByteCount), context: "raw_data_block")
        guard try bits.readBits(3) == 5 else {
            throw ParseError(.unsupported, at: headerByteCount, in: "raw_data_block", "channelConfiguration is 0 and no program_config_element comes first")
        }
        let element = try ProgramConfigElement(parsing: &bits)
        var config = BitWriter()
        config.writeBits(audioObjectType, 5)
        config.writeBits(frequencyIndex, 4)
        config.writeBits(0, 4)
        config.writeBits(0, 3)
        try element.write(to: &config)
        return try AudioSpecificConfig(parsing: config.bytes)
    }
}
