internal import BitsAndTime
package import Bitstreams
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

    /// A packet as the sample it becomes.
    package struct Framed: Sendable {
        package let payload: any SamplePayload
        /// The packet overran itself and was cut at its last whole unit: a player refuses a whole segment for one such sample.
        package var isCut = false
    }

    /// `nil` for a packet that holds no sample of this framing, and for one without any whole unit.
    package func framed(_ packet: Packet, codec: TrackCodec) -> Framed? {
        switch self {
        case .passthrough:
            return Framed(payload: packet)
        case .annexB, .lengthPrefixed:
            return packet.withUnsafeBytes { lengthPrefixed($0, packet, codec) }
        case .startCodesBehindLengths(let size):
            return Framed(payload: packet.withUnsafeBytes { NALUnitSequence.splitAtStartCodes($0, lengthSize: size) })
        case .adts:
            let bytes = packet.bytes
            do throws(ParseError) {
                let header = try ADTSHeader(parsing: bytes[...])
                return header.headerByteCount < bytes.count ? Framed(payload: Array(bytes[header.headerByteCount...])) : nil
            } catch {
                return nil
            }
        case .av1TemporalUnit:
            return packet.withUnsafeBytes { bytes in
                guard let cleaned = AV1TemporalUnit.cleaned(bytes) else { return AV1TemporalUnit.isOverrun(bytes) ? nil : Framed(payload: packet) }
                return Framed(payload: cleaned, isCut: AV1TemporalUnit.isOverrun(bytes))
            }
        }
    }

    /// Behind lengths as the record says, whatever the packet itself has.
    private func lengthPrefixed(_ bytes: UnsafeRawBufferPointer, _ packet: Packet, _ codec: TrackCodec) -> Framed? {
        guard case .lengthPrefixed(let size) = servedFraming else { return nil }
        let found = nalUnitFraming(of: bytes, codec: codec.family)
        switch found {
        case .annexB where size == 4: return Framed(payload: NALUnitSequence.convertToLengthPrefixed(bytes))
        case .lengthPrefixed(size):
            let whole = NALUnitSequence.wholeByteCount(bytes, lengthSize: size)
            if whole == bytes.count { return Framed(payload: packet) }
            return whole > 0 ? Framed(payload: Array(bytes[..<whole]), isCut: true) : nil
        default:
            let (ranges, dropped) = NALUnitSequence.units(in: bytes, framing: found)
            return NALUnitSequence.lengthPrefixed(ranges.map { Array(bytes[$0])[...] }, lengthSize: size).map { Framed(payload: $0, isCut: dropped > 0) }
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

    /// How they lie in this packet.
    package func nalUnitFraming(of packet: UnsafeRawBufferPointer, codec: RandomAccess.Codec) -> NALUnitFraming {
        switch self {
        case .annexB, .lengthPrefixed: NALUnitFraming.ofSample(packet, expected: nalUnitFraming, codec: codec)
        default: nalUnitFraming
        }
    }

    /// How they lie in the sample that is served.
    var servedFraming: NALUnitFraming {
        if case .lengthPrefixed(let size) = self { return .lengthPrefixed(lengthSize: size) }
        return .lengthPrefixed(lengthSize: 4)
    }
}

extension SampleFraming {
    /// What the record says of the samples that are served.
    var servedLengthSize: Int {
        if case .lengthPrefixed(let size) = servedFraming { size } else { 4 }
    }
}

extension Packet: SamplePayload {
    package var pieces: [FragmentContent.Piece] { [.packet(self, 0..<byteCount)] }
}

extension FileSpan: SamplePayload {
    package var pieces: [FragmentContent.Piece] { [.file(self)] }
}
