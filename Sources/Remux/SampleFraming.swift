internal import BitsAndTime
internal import Bitstreams
package import Libav

/// Turns a packet's bytes into the sample the sample entry promises. Whatever already is one passes by reference, untouched.
package enum SampleFraming: Sendable, Equatable {
    /// The packet is the sample.
    case passthrough
    /// Start codes become lengths (ISO/IEC 14496-15 §4.3.3).
    case annexB
    /// Units behind their lengths, of this many bytes each, as the record says: the packet is the sample.
    case lengthPrefixed(lengthSize: Int)
    /// Lengths around start codes: a faulty writer's. Units behind lengths of four bytes are made of it.
    case startCodesBehindLengths(lengthSize: Int)
    /// The ADTS header goes: `mp4a` samples are raw data blocks (ISO/IEC 14496-3 §1.6).
    case adts
    /// Temporal delimiters and padding go (AV1-ISOBMFF §2.4).
    case av1TemporalUnit

    /// `nil` for a packet that holds no sample of this framing.
    package func payload(of packet: Packet) -> (any SamplePayload)? {
        switch self {
        case .passthrough, .lengthPrefixed:
            return packet
        case .annexB:
            return packet.withUnsafeBytes(NALUnitSequence.convertToLengthPrefixed)
        case .startCodesBehindLengths(let size):
            return packet.withUnsafeBytes { NALUnitSequence.splitAtStartCodes($0, lengthSize: size) }
        case .adts:
            let bytes = packet.bytes
            do throws(ParseError) {
                let header = try ADTSHeader(parsing: bytes[...])
                return header.headerByteCount < bytes.count ? Array(bytes[header.headerByteCount...]) : nil
            } catch {
                return nil
            }
        case .av1TemporalUnit:
            return packet.withUnsafeBytes(AV1TemporalUnit.cleaned) ?? packet
        }
    }

    /// How NAL units lie in the packet, for codecs that have them.
    var nalUnitFraming: NALUnitFraming {
        switch self {
        case .annexB, .startCodesBehindLengths: .annexB
        case .lengthPrefixed(let size): .lengthPrefixed(lengthSize: size)
        default: .lengthPrefixed(lengthSize: 4)
        }
    }

    /// How they lie in the sample that is served.
    var servedFraming: NALUnitFraming {
        if case .lengthPrefixed(let size) = self { return .lengthPrefixed(lengthSize: size) }
        return .lengthPrefixed(lengthSize: 4)
    }
}

extension Packet: SamplePayload {
    package var pieces: [FragmentContent.Piece] { [.packet(self, 0..<byteCount)] }
}

extension FileSpan: SamplePayload {
    package var pieces: [FragmentContent.Piece] { [.file(self)] }
}
