package import BitsAndTime

/// FLAC's STREAMINFO block (RFC 9639 §8.2), 34 bytes.
package struct FLACStreamInfo: Sendable, Equatable {
    package let minimumBlockSize: Int
    package let maximumBlockSize: Int
    /// Hz.
    package let sampleRate: Int
    package let channelCount: Int
    package let bitsPerSample: Int
    /// Bytes; 0 where the encoder did not know.
    package let minimumFrameSize: Int
    package let maximumFrameSize: Int
    /// Per channel; `nil` where the encoder did not know.
    package let sampleCount: UInt64?
    package let bytes: [UInt8]

    /// Takes the bare block, or one behind `fLaC` and a metadata block header.
    package init(parsing input: [UInt8]) throws(ParseError) {
        var reader = ByteReader(input, context: "STREAMINFO")
        if input.starts(with: Array("fLaC".utf8)) {
            try reader.skip(4)
            let header = try reader.readUInt32()
            guard header & 0x7FFF_FFFF == 34 else { throw ParseError(.malformed, at: 4, in: "STREAMINFO", "the first metadata block is another") }
        }
        bytes = Array(try reader.readBytes(34))
        var bits = BitReader(bytes, context: "STREAMINFO")
        minimumBlockSize = Int(try bits.readBits(16))
        maximumBlockSize = Int(try bits.readBits(16))
        minimumFrameSize = Int(try bits.readBits(24))
        maximumFrameSize = Int(try bits.readBits(24))
        sampleRate = Int(try bits.readBits(20))
        channelCount = Int(try bits.readBits(3)) + 1
        bitsPerSample = Int(try bits.readBits(5)) + 1
        let count = try bits.readBits(36)
        sampleCount = count == 0 ? nil : count
        guard sampleRate > 0, maximumBlockSize >= 16 else {
            throw ParseError(.malformed, at: 0, in: "STREAMINFO", "\(sampleRate) Hz in blocks of \(maximumBlockSize)")
        }
    }

    /// The block as it was read, without its metadata block header.
    package func serialized() -> [UInt8] { bytes }

    /// Content of a `dfLa` box (FLAC-in-ISOBMFF v0.0.4 §3.3.2): version, flags, and this one metadata block, marked last.
    package var specificBox: [UInt8] { [0, 0, 0, 0, 0x80, 0, 0, 34] + bytes }
}
