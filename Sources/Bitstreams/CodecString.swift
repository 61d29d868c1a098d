/// RFC 6381 `codecs` strings, from decoder configuration and nothing else.
package enum CodecString {
    package static let ac3 = "ac-3"
    package static let eac3 = "ec-3"
    package static let flac = "fLaC"
    package static let alac = "alac"
    package static let opus = "opus"

    /// `avc1.PPCCLL` (ISO/IEC 14496-15:2022 Annex E.2).
    package static func avc(_ record: AVCDecoderConfigurationRecord) -> String {
        "avc1." + [record.profileIndication, record.profileCompatibility, record.levelIndication].map { hex($0, width: 2) }.joined()
    }

    /// `hvc1.` profile, reversed compatibility flags, tier and level, constraint bytes without trailing zeros (Annex E.3).
    package static func hevc(_ record: HEVCDecoderConfigurationRecord, sampleEntry: String = "hvc1") -> String {
        let ptl = record.profileTierLevel
        var reversed: UInt32 = 0
        for bit in 0..<32 where ptl.compatibilityFlags >> UInt32(bit) & 1 == 1 { reversed |= 1 << UInt32(31 - bit) }
        let space = ptl.profileSpace == 0 ? "" : String(UnicodeScalar(UInt8(0x40 + ptl.profileSpace)))
        var parts = [sampleEntry, "\(space)\(ptl.profileIDC)", String(reversed, radix: 16, uppercase: true), "\(ptl.isHighTier ? "H" : "L")\(ptl.levelIDC)"]
        var constraints = (0..<6).map { UInt8(truncatingIfNeeded: ptl.constraintFlags >> UInt64(40 - 8 * $0)) }
        while constraints.last == 0 { constraints.removeLast() }
        parts += constraints.map { String($0, radix: 16, uppercase: true) }
        return parts.joined(separator: ".")
    }

    /// `av01.P.LLT.DD`, with the colour fields where they are not the default (AV1-ISOBMFF §5).
    package static func av1(_ record: AV1CodecConfigurationRecord) -> String {
        var text = "av01.\(record.profile).\(decimal(record.level, width: 2))\(record.isHighTier ? "H" : "M").\(decimal(UInt8(record.bitDepth), width: 2))"
        guard let header = record.sequenceHeader else { return text }
        let primaries = header.primaries, transfer = header.transfer, matrix = header.matrix
        let isDefault = !header.isMonochrome && header.subsamplingX && header.subsamplingY
            && header.chromaSamplePosition == 0 && (primaries == 1 || primaries == 2) && (transfer == 1 || transfer == 2) && (matrix == 1 || matrix == 2) && !header.isFullRange
        guard !isDefault else { return text }
        let chroma = "\(header.subsamplingX ? 1 : 0)\(header.subsamplingY ? 1 : 0)\(header.subsamplingX && header.subsamplingY ? header.chromaSamplePosition : 0)"
        text += ".\(header.isMonochrome ? 1 : 0).\(chroma)"
        text += ".\(decimal(primaries, width: 2)).\(decimal(transfer, width: 2)).\(decimal(matrix, width: 2)).\(header.isFullRange ? 1 : 0)"
        return text
    }

    /// `vp09.PP.LL.DD`, with the sampling and colour fields where they are not the default (VP Codec ISO Media File Format Binding v1.0 §2.4).
    package static func vp9(_ record: VP9CodecConfigurationRecord) -> String {
        let text = "vp09." + [record.profile, record.level, record.bitDepth].map { decimal($0, width: 2) }.joined(separator: ".")
        let points = [record.primaries, record.transfer, record.matrix]
        guard record.chromaSubsampling > 1 || record.isFullRange || points.contains(where: { $0 > 2 }) else { return text }
        return text + "." + ([record.chromaSubsampling] + points + [record.isFullRange ? 1 : 0]).map { decimal($0, width: 2) }.joined(separator: ".")
    }

    /// `mp4a.40.` and the object type the decoder must know (RFC 6381 §3.3): explicit SBR is 5, PS 29.
    package static func aac(_ config: AudioSpecificConfig) -> String { "mp4a.40.\(config.extensionObjectType ?? config.audioObjectType)" }

    private static func hex(_ value: UInt8, width: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func decimal(_ value: UInt8, width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
