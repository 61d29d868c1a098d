internal import BitsAndTime

/// How decoding can begin at a picture.
package enum RandomAccessKind: Sendable, Equatable {
    /// Nothing after it refers to anything before it.
    case idr
    /// HEVC CRA or BLA: pictures shown before it may not decode (open GOP).
    case craOrBLA
    /// H.264 with a recovery point SEI message: an open GOP, or a gradual refresh.
    case recoveryPoint
    /// All slices are intra, though nothing promises that what follows refers no further back.
    case intraOnly
    /// Decoding cannot begin here.
    case none
}

/// A picture decoded after a random-access picture and shown before it (ITU-T H.265 §3).
package enum LeadingPictureKind: Sendable, Equatable {
    /// Refers behind the random-access picture: must be dropped when decoding began there.
    case skipped
    /// Decodes when decoding began at the random-access picture.
    case decodable
}

/// Reads off the first bytes of a sample whether decoding can begin there. Never traps; looks at NAL and OBU headers, at the first
/// bytes of slices and at SEI messages, and no further than the first picture that settles the matter.
package enum RandomAccess {
    package enum Codec: Sendable { case avc, hevc, av1, vp9 }

    package static func classify(sample: UnsafeRawBufferPointer, codec: Codec, framing: NALUnitFraming) -> RandomAccessKind {
        switch codec {
        case .avc: avc(sample, framing)
        case .hevc: hevc(sample, framing)
        case .av1: av1(sample)
        case .vp9: VP9FrameHeader.isRandomAccess(sample) ? .idr : .none
        }
    }

    package static func classify(sample: ArraySlice<UInt8>, codec: Codec, framing: NALUnitFraming) -> RandomAccessKind {
        sample.withUnsafeBytes { classify(sample: $0, codec: codec, framing: framing) }
    }

    /// Whether the front of a sample holds enough to classify the whole: its first slice has begun.
    package static func isSettled(front: ArraySlice<UInt8>, codec: Codec, framing: NALUnitFraming) -> Bool {
        front.withUnsafeBytes { bytes in
            var isSettled = false
            NALUnitSequence.forEachStart(in: bytes, framing: framing) { start, _ in
                guard bytes.count - start > AVCSliceHeaderPrefix.byteLimit else { return false }
                switch codec {
                case .avc: isSettled = [1, 2, 5].contains(bytes[start] & 0x1F)
                case .hevc: isSettled = bytes[start] >> 1 & 0x3F < 32 && bytes[start] & 1 == 0 && bytes[start + 1] >> 3 == 0
                case .av1, .vp9: isSettled = false
                }
                return !isSettled
            }
            return isSettled
        }
    }

    /// Whether a sample holds any slice at all: an end of sequence that comes by itself is no picture. AV1's temporal units and VP9's frames always do.
    package static func holdsPicture(_ sample: UnsafeRawBufferPointer, codec: Codec, framing: NALUnitFraming) -> Bool {
        guard codec == .avc || codec == .hevc else { return true }
        var found = false
        NALUnitSequence.forEachStart(in: sample, framing: framing) { start, _ in
            guard start < sample.count else { return true }
            found = codec == .avc ? (1...5).contains(sample[start] & 0x1F) : sample[start] >> 1 & 0x3F < 32
            return !found
        }
        return found
    }

    /// Whether the picture of an HEVC sample leads a random-access picture; `nil` where it does not (ITU-T H.265 Table 7-1).
    package static func leadingPicture(sample: UnsafeRawBufferPointer, framing: NALUnitFraming) -> LeadingPictureKind? {
        switch firstHEVCPictureType(sample, framing) {
        case 6, 7: .decodable
        case 8, 9: .skipped
        default: nil
        }
    }

    package static func leadingPicture(sample: ArraySlice<UInt8>, framing: NALUnitFraming) -> LeadingPictureKind? {
        sample.withUnsafeBytes { leadingPicture(sample: $0, framing: framing) }
    }

    private static func avc(_ sample: UnsafeRawBufferPointer, _ framing: NALUnitFraming) -> RandomAccessKind {
        var recovery = false
        var kind = RandomAccessKind.none
        NALUnitSequence.forEachStart(in: sample, framing: framing) { start, end in
            switch sample[start] & 0x1F {
            case 5:
                kind = .idr
                return false
            case 6:
                // SEI stands before the picture it speaks of (§7.4.1.2.3).
                if !recovery { recovery = hasRecoveryPoint(sample, start..<(end ?? NALUnitSequence.annexBEnd(of: start, in: sample))) }
                return true
            case 1, 2:
                if recovery {
                    kind = .recoveryPoint
                    return false
                }
                kind = isIntraSlice(sample, start, end ?? sample.count) ? .intraOnly : .none
                return kind == .intraOnly
            default:
                return true
            }
        }
        return kind
    }

    private static func isIntraSlice(_ sample: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        let head = Array(sample[start..<min(end, start + AVCSliceHeaderPrefix.byteLimit)])
        do throws(ParseError) {
            return try AVCSliceHeaderPrefix(parsing: head[...]).isIntra
        } catch {
            return false
        }
    }

    /// SEI messages are looked through this far; encoders' settings as text fill hundreds of bytes before a recovery point.
    private static let messageByteLimit = 4096

    /// SEI payload type 6 (§D.1.1).
    private static func hasRecoveryPoint(_ sample: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        let payload = RBSP.removingEmulationPrevention(Array(sample[range.dropFirst().prefix(messageByteLimit)])[...])
        var at = 0
        func coded() -> Int? {
            var value = 0
            while at < payload.count {
                let byte = payload[at]
                at += 1
                value += Int(byte)
                if byte != 0xFF { return value }
            }
            return nil
        }
        while at + 2 < payload.count {
            guard let type = coded(), let size = coded() else { return false }
            if type == 6 { return true }
            at += size
        }
        return false
    }

    private static func hevc(_ sample: UnsafeRawBufferPointer, _ framing: NALUnitFraming) -> RandomAccessKind {
        switch firstHEVCPictureType(sample, framing) {
        case 19, 20: .idr
        case 16, 17, 18, 21: .craOrBLA
        default: .none
        }
    }

    /// nal_unit_type of the first slice of the base layer; `nil` for a sample without one.
    private static func firstHEVCPictureType(_ sample: UnsafeRawBufferPointer, _ framing: NALUnitFraming) -> UInt8? {
        var found: UInt8?
        NALUnitSequence.forEachStart(in: sample, framing: framing) { start, end in
            guard start + 1 < end ?? sample.count else { return true }
            let (first, second) = (sample[start], sample[start + 1])
            // nuh_layer_id 0; nuh_temporal_id_plus1 is never 0 in a header.
            guard first & 1 == 0, second >> 3 == 0, second & 7 != 0, first >> 1 & 0x3F < 32 else { return true }
            found = first >> 1 & 0x3F
            return false
        }
        return found
    }

    /// A sync sample of AV1 holds a sequence header and then, as its first frame, a key frame that is shown (AV1-ISOBMFF §2.4): one
    /// shown later lets no decoder begin.
    private static func av1(_ sample: UnsafeRawBufferPointer) -> RandomAccessKind {
        typealias UnitType = AV1OpenBitstreamUnit.UnitType
        var sequence: UInt8?
        for unit in AV1OpenBitstreamUnit.units(in: sample).units {
            guard let first = sample[unit.payload].first else { continue }
            if unit.type == UnitType.sequenceHeader { sequence = first }
            guard unit.type == UnitType.frame || unit.type == UnitType.frameHeader else { continue }
            guard let sequence else { return .none }
            // reduced_still_picture_header: the frame says nothing and is a key frame, shown (§5.9.2).
            if sequence & 0x08 != 0 { return .idr }
            // show_existing_frame 0, frame_type 0, show_frame 1.
            return first & 0xF0 == 0x10 ? .idr : .none
        }
        return .none
    }
}
