package import BitsAndTime

/// Opus's identification header (RFC 7845 §5.1), and `dOps`, the same in an MP4 (Encapsulation of Opus in ISO Base Media File Format §4.3.2).
package struct OpusHead: Sendable, Equatable {
    /// Channels that a decoder gives.
    package var channelCount: UInt8
    /// Samples at 48 kHz to leave out at the start.
    package var preSkip: UInt16
    /// Of what was encoded, Hz; 0 where nobody knows. Decoding is at 48 kHz whatever it says.
    package var inputSampleRate: UInt32
    /// 1/256 dB, to be applied by the decoder.
    package var outputGain: Int16
    /// 0: mono or stereo; 1: up to 7.1 in Vorbis's order; others are no loudspeakers' channels, or nobody's.
    package var mappingFamily: UInt8
    /// StreamCount, CoupledCount and ChannelMapping as they stand; empty for family 0.
    package var mapping: [UInt8]

    package init(
        channelCount: UInt8, preSkip: UInt16, inputSampleRate: UInt32 = 48_000, outputGain: Int16 = 0, mappingFamily: UInt8 = 0, mapping: [UInt8] = []
    ) {
        self.channelCount = channelCount
        self.preSkip = preSkip
        self.inputSampleRate = inputSampleRate
        self.outputGain = outputGain
        self.mappingFamily = mappingFamily
        self.mapping = mapping
    }

    /// The header with its magic signature, numbers least significant byte first. What follows it is no part of it.
    package init(parsing bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, context: "OpusHead")
        guard try reader.readBytes(8).elementsEqual("OpusHead".utf8) else { throw ParseError(.malformed, at: 0, in: "OpusHead", "no OpusHead") }
        // The upper half of the version says what a reader must not pass over (§5.1).
        guard try reader.readUInt8() < 16 else { throw ParseError(.unsupported, at: 8, in: "OpusHead", "a version after 15") }
        channelCount = try reader.readUInt8()
        preSkip = try reader.readUInt16().byteSwapped
        inputSampleRate = try reader.readUInt32().byteSwapped
        outputGain = try reader.readInt16().byteSwapped
        mappingFamily = try reader.readUInt8()
        mapping = mappingFamily == 0 ? [] : Array(try reader.readBytes(2 + Int(channelCount)))
        try check()
    }

    /// Content of `dOps`, numbers most significant byte first.
    package init(parsingSpecificBox bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, context: "dOps")
        guard try reader.readUInt8() == 0 else { throw ParseError(.unsupported, at: 0, in: "dOps", "a version after 0") }
        channelCount = try reader.readUInt8()
        preSkip = try reader.readUInt16()
        inputSampleRate = try reader.readUInt32()
        outputGain = try reader.readInt16()
        mappingFamily = try reader.readUInt8()
        mapping = mappingFamily == 0 ? [] : Array(try reader.readBytes(2 + Int(channelCount)))
        try check()
    }

    private func check() throws(ParseError) {
        let most = mappingFamily == 0 ? 2 : mappingFamily == 1 ? 8 : 255
        guard (1...most).contains(Int(channelCount)) else {
            throw ParseError(.malformed, at: 9, in: "OpusHead", "\(channelCount) channels in mapping family \(mappingFamily)")
        }
    }

    /// Version 1, as encoders write it.
    package func serialized() -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: 19 + mapping.count)
        writer.write(ascii: "OpusHead")
        writer.write(1 as UInt8)
        writer.write(channelCount)
        writer.write(preSkip.byteSwapped)
        writer.write(inputSampleRate.byteSwapped)
        writer.write(outputGain.byteSwapped)
        writer.write(mappingFamily)
        writer.write(contentsOf: mapping)
        return writer.bytes
    }

    package var specificBox: [UInt8] {
        var writer = ByteWriter(reservingCapacity: 11 + mapping.count)
        writer.write(0 as UInt8)
        writer.write(channelCount)
        writer.write(preSkip)
        writer.write(inputSampleRate)
        writer.write(outputGain)
        writer.write(mappingFamily)
        writer.write(contentsOf: mapping)
        return writer.bytes
    }
}
