package import BitsAndTime

/// ALAC's magic cookie: ALACSpecificConfig, 24 bytes, and a channel layout behind it where it has more than two channels
/// (Apple Lossless Audio Codec, ALACMagicCookieDescription).
package struct ALACSpecificConfig: Sendable, Equatable {
    package let frameLength: Int
    package let bitDepth: Int
    package let channelCount: Int
    /// Hz.
    package let sampleRate: Int
    /// The cookie without its wrapping.
    package let bytes: [UInt8]

    /// Takes the bare cookie, one with the box's version and flags before it, or a whole `alac` box.
    package init(parsing input: [UInt8]) throws(ParseError) {
        var reader = ByteReader(input, context: "ALACSpecificConfig")
        if input.count >= 36, Array(input[4..<8]) == Array("alac".utf8) { try reader.skip(12) } else if input.count == 28 { try reader.skip(4) }
        var cookie = Array(try reader.readBytes(24))
        // ALACChannelLayoutInfo: a box of 24 bytes named `chan`.
        let rest = reader.readRemaining()
        if rest.count >= 24, rest.prefix(8).elementsEqual([0, 0, 0, 24] + Array("chan".utf8)) { cookie += rest.prefix(24) }
        bytes = cookie
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

    package func serialized() -> [UInt8] { bytes }

    /// Content of the inner `alac` box: version, flags, cookie.
    package var specificBox: [UInt8] { [0, 0, 0, 0] + bytes }
}
