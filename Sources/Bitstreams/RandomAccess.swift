internal import BitsAndTime

/// How decoding can begin at a picture.
package enum RandomAccessKind: Sendable, Equatable {
    /// Nothing after it refers to anything before it.
    case idr
    /// HEVC CRA or BLA: pictures shown before it may not decode (open GOP).
    case cra
    /// H.264 with a recovery point SEI message: an open GOP, or a gradual refresh.
    case recoveryPoint
    /// All slices are intra, though nothing promises that what follows refers no further back.
    case intraOnly
    /// Decoding cannot begin here.
    case none
}

/// Reads off the first bytes of a sample whether decoding can begin there. Never traps, never looks past NAL and slice headers.
package enum RandomAccess {
    package enum Codec: Sendable { case avc, hevc, av1 }

    package static func classify(sample: UnsafeRawBufferPointer, codec: Codec, framing: NALUnitFraming) -> RandomAccessKind {
        switch codec {
        case .avc: avc(sample, framing)
        case .hevc: hevc(sample, framing)
        case .av1: av1(sample)
        }
    }

    private static func avc(_ sample: UnsafeRawBufferPointer, _ framing: NALUnitFraming) -> RandomAccessKind {
        var recovery = false
        var slices = 0
        var allIntra = true
        for range in NALUnitSequence.units(in: sample, framing: framing).ranges {
            switch sample[range.lowerBound] & 0x1F {
            case 5: return .idr
            case 6: recovery = recovery || hasRecoveryPoint(sample, range)
            case 1, 2:
                slices += 1
                // slice_header: first_mb_in_slice, slice_type (§7.3.3); 2, 4, 7 and 9 are I and SI.
                let head = Array(sample[range.dropFirst().prefix(12)])
                var bits = BitReader(RBSP.removingEmulationPrevention(head[...]))
                do throws(ParseError) {
                    _ = try bits.readUE()
                    let type = try bits.readUE() % 5
                    if type != 2, type != 4 { allIntra = false }
                } catch {
                    allIntra = false
                }
            default: break
            }
        }
        guard slices > 0 else { return .none }
        return recovery ? .recoveryPoint : allIntra ? .intraOnly : .none
    }

    /// SEI payload type 6 (§D.1.1).
    private static func hasRecoveryPoint(_ sample: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        let payload = RBSP.removingEmulationPrevention(Array(sample[range.dropFirst().prefix(4096)])[...])
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
        for range in NALUnitSequence.units(in: sample, framing: framing).ranges {
            switch sample[range.lowerBound] >> 1 & 0x3F {
            case 19, 20: return .idr
            case 16...18, 21: return .cra
            case 0...15, 22...31: return .none
            default: break
            }
        }
        return .none
    }

    private static func av1(_ sample: UnsafeRawBufferPointer) -> RandomAccessKind {
        for unit in AV1OpenBitstreamUnit.units(in: sample).units {
            let isFrame = unit.type == AV1OpenBitstreamUnit.UnitType.frame || unit.type == AV1OpenBitstreamUnit.UnitType.frameHeader
            guard isFrame, let first = sample[unit.payload].first else { continue }
            // show_existing_frame 0, frame_type 0 (a key frame), show_frame 1 (§5.9.2): one shown later is no sync sample
            // (AV1-ISOBMFF §2.4).
            return first & 0xF0 == 0x10 ? .idr : .none
        }
        return .none
    }
}
