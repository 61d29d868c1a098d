internal import BitsAndTime
internal import Bitstreams
internal import Libav

/// Samples of a track before the first that is meant to be heard: priming, pre-skip.
enum LeadingSkip {
    /// As the container says of its first packet. Opus says so in its own header (RFC 7845 §5.1), where Matroska's demuxer leaves it to the decoder.
    static func samples(_ stream: StreamInfo, first: Packet?) -> Int64 {
        if let told = first?.skipSamplesStart, told > 0 { return Int64(told) }
        guard stream.codecName == "opus" else { return 0 }
        do throws(ParseError) { return Int64(try OpusHead(parsing: stream.extradata).preSkip) } catch { return 0 }
    }
}
