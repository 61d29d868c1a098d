internal import BitsAndTime

/// The user data that travels with a picture, for who knows its format: captions are read of it elsewhere.
package enum PictureUserData {
    /// The messages registered by ITU-T T.35 of a sample of H.264, H.265 (SEI) or AV1 (metadata), in their order.
    ///
    /// - Parameter framing: Of NAL units; AV1 has none, and VP9 no such messages.
    package static func registered(in sample: UnsafeRawBufferPointer, codec: RandomAccess.Codec, framing: NALUnitFraming) -> [RegisteredUserData] {
        switch codec {
        case .avc, .hevc:
            NALUnitSequence.units(in: sample, framing: framing).ranges
                .filter { SEIMessage.isSEI(sample[$0.lowerBound], codec: codec) }
                .flatMap { registered(in: Array(sample[$0])[...], codec: codec) }
        case .av1: av1(sample)
        case .vp9: []
        }
    }

    package static func registered(in sample: ArraySlice<UInt8>, codec: RandomAccess.Codec, framing: NALUnitFraming) -> [RegisteredUserData] {
        sample.withUnsafeBytes { registered(in: $0, codec: codec, framing: framing) }
    }

    private static func registered(in unit: ArraySlice<UInt8>, codec: RandomAccess.Codec) -> [RegisteredUserData] {
        // An enhancement layer's speak of another view of the same picture.
        if codec == .hevc, unit.count < 2 || unit[unit.startIndex] & 1 != 0 || unit[unit.startIndex + 1] >> 3 != 0 { return [] }
        return messages(in: unit, codec: codec)
    }

    private static func messages(in unit: ArraySlice<UInt8>, codec: RandomAccess.Codec) -> [RegisteredUserData] {
        SEIMessage.messages(in: unit, headerByteCount: codec == .avc ? 1 : 2, needsStopBit: false).messages
            .filter { $0.payloadType == SEIMessage.PayloadType.registeredUserData }
            .compactMap { message in
                do throws(ParseError) { return try RegisteredUserData(parsing: message.payload[...]) } catch { return nil }
            }
    }

    private static func av1(_ sample: UnsafeRawBufferPointer) -> [RegisteredUserData] {
        AV1OpenBitstreamUnit.units(in: sample).units.filter { $0.type == AV1OpenBitstreamUnit.UnitType.metadata }.compactMap { unit in
            do throws(ParseError) {
                if case .registeredUserData(let data) = try AV1Metadata(parsing: Array(sample[unit.payload])[...]) { return data }
            } catch {
                // No message of that kind.
            }
            return nil
        }
    }

    /// user_data_start_code (ISO/IEC 13818-2 Table 6-1).
    private static let userDataStartCode: UInt8 = 0xB2

    /// Each `user_data()` of a sample of MPEG-1 or MPEG-2 video, behind its start code: of the sequence, the group and each of its pictures or fields
    /// (ISO/IEC 13818-2 §6.2.2.2.2). Zero bytes at the end are not part of it.
    package static func mpeg2(in sample: UnsafeRawBufferPointer) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        NALUnitSequence.forEachStart(in: sample, framing: .annexB) { start, _ in
            guard sample[start] == userDataStartCode else { return true }
            found.append(Array(sample[start..<NALUnitSequence.annexBEnd(of: start, in: sample)]).dropFirst())
            return true
        }
        return found
    }

    package static func mpeg2(in sample: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { sample.withUnsafeBytes { mpeg2(in: $0) } }
}
