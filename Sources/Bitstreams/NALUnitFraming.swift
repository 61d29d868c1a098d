/// How NAL units lie in a sample: behind start codes (ITU-T H.264 / H.265 Annex B) or behind their lengths (ISO/IEC 14496-15 §4.3.3).
package enum NALUnitFraming: Sendable, Equatable {
    case annexB
    /// 1, 2 or 4 bytes.
    case lengthPrefixed(lengthSize: Int)

    /// Reads the framing off decoder configuration bytes: a start code or a version-1 record. `nil` where they are neither.
    package static func detect(extradata: [UInt8], lengthSizeOffset: Int) -> NALUnitFraming? {
        if extradata.starts(with: [0, 0, 1]) || extradata.starts(with: [0, 0, 0, 1]) { return .annexB }
        guard extradata.first == 1, extradata.indices.contains(lengthSizeOffset) else { return nil }
        let size = Int(extradata[lengthSizeOffset] & 3) + 1
        return size == 3 ? nil : .lengthPrefixed(lengthSize: size)
    }

    /// Where avcC and hvcC keep lengthSizeMinusOne.
    package static let avcLengthSizeOffset = 4
    package static let hevcLengthSizeOffset = 21
}
