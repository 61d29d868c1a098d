internal import BitsAndTime

/// A sample of 3GPP timed text whose words may be UTF-16, which libavcodec does not read.
///
/// Source: 3GPP TS 26.245, clause 5.17: a length, that many bytes of UTF-8, or of UTF-16 behind a byte order mark; then boxes.
enum MovTextSample {
    /// The same sample with its words in UTF-8. Boxes count characters, not bytes, and stay.
    ///
    /// - Returns: `nil` where it is UTF-8 already, or no such sample.
    static func inUTF8(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 4, case let length = Int(bytes[0]) << 8 | Int(bytes[1]), length >= 2, bytes.count >= 2 + length else { return nil }
        let text = Array(bytes[2..<(2 + length)])
        guard !TextEncoding.isUTF8(text) else { return nil }
        let words = TextEncoding.found(in: text).utf8(text).bytes
        guard words.count <= 0xFFFF else { return nil }
        return [UInt8(words.count >> 8), UInt8(words.count & 0xFF)] + words + bytes[(2 + length)...]
    }
}
