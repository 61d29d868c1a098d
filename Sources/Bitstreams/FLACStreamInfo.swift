package import BitsAndTime

/// FLAC's STREAMINFO block (RFC 9639 §8.2), 34 bytes.
package struct FLACStreamInfo: Sendable, Equatable {
    package let minimumBlockSize: Int
    package let maximumBlockSize: Int
    /// Hz.
    package let sampleRate: Int
    package let channelCount: Int
    package let bitsPerSample: Int
    package let bytes: [UInt8]

    /// Takes the bare block, or one behind `fLaC` and a metadata block header.
    package init(parsing input: [UInt8]) throws(ParseError) {
        var reader = ByteReader(input, context: "STREAMINFO")
        if input.starts(with: Array("fLaC".utf8)) { try reader.skip(8) }
        bytes = Array(try reader.readBytes(34))
        var bits = BitReader(bytes, context: "STREAMINFO")
        minimumBlockSize = Int(try bits.readBits(16))
        maximumBlockSize = Int(try bits.readBits(16))
        try bits.skipBits(48)
        sampleRate = Int(try bits.readBits(20))
        channelCount = Int(try bits.readBits(3)) + 1
        bitsPerSample = Int(try bits.readBits(5)) + 1
        guard sampleRate > 0, maximumBlockSize >= 16 else {
            throw ParseError(.malformed, at: 0, in: "STREAMINFO", "\(sampleRate) Hz in blocks of \(maximumBlockSize)")
        }
    }

    /// Content of a `dfLa` box (FLAC-in-ISOBMFF v0.0.4 §3.3.2): version, flags, and this one metadata block, marked last.
    package var specificBox: [UInt8] { [0, 0, 0, 0, 0x80, 0, 0, 34] + bytes }
}

/// ALAC's magic cookie (ALACSpecificConfig), 24 bytes.
package struct ALACSpecificConfig: Sendable, Equatable {
    package let frameLength: Int
    package let bitDepth: Int
    package let channelCount: Int
    /// Hz.
    package let sampleRate: Int
    package let bytes: [UInt8]

    /// Takes the bare cookie, one with the box's version and flags before it, or a whole `alac` box.
    package init(parsing input: [UInt8]) throws(ParseError) {
        var reader = ByteReader(input, context: "ALACSpecificConfig")
        if input.count >= 36, Array(input[4..<8]) == Array("alac".utf8) { try reader.skip(12) } else if input.count == 28 { try reader.skip(4) }
        bytes = Array(try reader.readBytes(24))
        var fields = ByteReader(bytes, context: "ALACSpecificConfig")
        frameLength = Int(try fields.readUInt32())
        try fields.skip(1)
        bitDepth = Int(try fields.readUInt8())
        try fields.skip(3)
        channelCount = Int(try fields.readUInt8())
        try fields.skip(10)
        sampleRate = Int(try fields.readUInt32())
        guard frameLength > 0, frameLength <= 1 << 20, channelCount > 0, sampleRate > 0 else {
            throw ParseError(.malformed, at: 0, in: "ALACSpecificConfig", "\(channelCount) channels, \(sampleRate) Hz, frames of \(frameLength)")
        }
    }

    /// Content of the inner `alac` box: version, flags, cookie.
    package var specificBox: [UInt8] { [0, 0, 0, 0] + bytes }
}
