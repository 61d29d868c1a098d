internal import Bitstreams
internal import BitsAndTime
package import Libav

/// Turns a packet's bytes into the sample the sample entry promises. Whatever already is one passes by reference, untouched.
package enum SampleFraming: Sendable, Equatable {
    /// The packet is the sample.
    case passthrough
    /// Start codes become lengths (ISO/IEC 14496-15 §4.3.3).
    case annexB
    /// Lengths shorter than four bytes: kept as they are, the record says how long.
    case lengthPrefixed(lengthSize: Int)
    /// The ADTS header goes: `mp4a` samples are raw data blocks (ISO/IEC 14496-3 §1.6).
    case adts
    /// Temporal delimiters and padding go (AV1-ISOBMFF §2.4).
    case av1TemporalUnit

    package func payload(of packet: Packet) throws(ParseError) -> any SamplePayload {
        switch self {
        case .passthrough, .lengthPrefixed:
            return packet
        case .annexB:
            return NALUnitSequence.convertToLengthPrefixed(packet.bytes[...])
        case .adts:
            let bytes = packet.bytes
            let header = try ADTSHeader(parsing: bytes[...])
            guard header.headerByteCount < bytes.count else {
                throw ParseError(.truncated, at: header.headerByteCount, in: "adts_frame", "no raw data block behind the header")
            }
            return Array(bytes[header.headerByteCount...])
        case .av1TemporalUnit:
            return try AV1TemporalUnit.cleaned(packet.bytes[...])
        }
    }
}

extension Packet: SamplePayload {
    package func append(to output: inout [UInt8]) {
        withUnsafeBytes { output.append(contentsOf: $0) }
    }
}
