/// What an HEVC NAL unit is to Dolby Vision, which uses two types the standard leaves to others (ITU-T H.265 Table 7-1, UNSPEC62 and UNSPEC63).
enum HEVCUnitType: Equatable {
    case referenceProcessingUnit
    case enhancementLayer
    case other

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        guard range.count >= 2 else {
            self = .other
            return
        }
        switch bytes[range.lowerBound] >> 1 & 0x3F {
        case 62: self = .referenceProcessingUnit
        case 63: self = .enhancementLayer
        default: self = .other
        }
    }
}
