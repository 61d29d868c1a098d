package import BitsAndTime

/// general_profile_tier_level of an H.265 parameter set (ITU-T H.265 §7.3.3), twelve bytes as hvcC repeats them.
package struct HEVCProfileTierLevel: Sendable, Equatable {
    package var profileSpace: UInt8
    package var isHighTier: Bool
    package var profileIDC: UInt8
    /// general_profile_compatibility_flag[0] in the most significant bit.
    package var compatibilityFlags: UInt32
    /// The 48 bits behind them: progressive, interlaced, non-packed, frame-only, and the rest.
    package var constraintFlags: UInt64
    package var levelIDC: UInt8

    package init(profileSpace: UInt8, isHighTier: Bool, profileIDC: UInt8, compatibilityFlags: UInt32, constraintFlags: UInt64, levelIDC: UInt8) {
        self.profileSpace = profileSpace
        self.isHighTier = isHighTier
        self.profileIDC = profileIDC
        self.compatibilityFlags = compatibilityFlags
        self.constraintFlags = constraintFlags
        self.levelIDC = levelIDC
    }

    init(_ bits: inout BitReader, maxSubLayersMinus1: Int) throws(ParseError) {
        profileSpace = UInt8(try bits.readBits(2))
        isHighTier = try bits.readFlag()
        profileIDC = UInt8(try bits.readBits(5))
        compatibilityFlags = try bits.readUInt(32)
        constraintFlags = try bits.readBits(48)
        levelIDC = UInt8(try bits.readBits(8))
        var present: [(profile: Bool, level: Bool)] = []
        for _ in 0..<maxSubLayersMinus1 { present.append((try bits.readFlag(), try bits.readFlag())) }
        if maxSubLayersMinus1 > 0 { try bits.skipBits(2 * (8 - maxSubLayersMinus1)) }
        for layer in present { try bits.skipBits((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    }
}

/// An H.265 sequence parameter set, as far as sample entries and playlists need it (ITU-T H.265 §7.3.2.2, Annex E).
package struct HEVCSequenceParameterSet: Sendable, Equatable {
    package var maxSubLayersMinus1: Int
    package var isTemporalIDNested: Bool
    package var profileTierLevel: HEVCProfileTierLevel
    package var chromaFormatIDC: UInt32
    package var bitDepthLuma: Int
    package var bitDepthChroma: Int
    /// Luma samples inside the conformance window.
    package var width: Int
    package var height: Int
    package var usability = VideoUsabilityInformation()
    /// field_seq_flag: pictures are fields.
    package var isFieldSequence = false

    /// - Parameter unit: The NAL unit, its two header bytes included.
    package init(parsing unit: ArraySlice<UInt8>) throws(ParseError) {
        let context = "seq_parameter_set_rbsp"
        var bits = BitReader(RBSP.removingEmulationPrevention(unit), context: context)
        guard try bits.readBits(16) >> 9 & 0x3F == 33 else { throw ParseError(.malformed, at: 0, in: context, "nal_unit_type is not 33") }
        try bits.skipBits(4)
        maxSubLayersMinus1 = Int(try bits.readBits(3))
        guard maxSubLayersMinus1 <= 6 else { throw ParseError(.malformed, at: 2, in: context, "\(maxSubLayersMinus1 + 1) sub-layers") }
        isTemporalIDNested = try bits.readFlag()
        profileTierLevel = try HEVCProfileTierLevel(&bits, maxSubLayersMinus1: maxSubLayersMinus1)
        _ = try bits.readUE()
        chromaFormatIDC = try bits.readUE()
        let separatePlanes = chromaFormatIDC == 3 ? try bits.readFlag() : false
        width = Int(try bits.readUE())
        height = Int(try bits.readUE())
        guard (1...65_535).contains(width), (1...65_535).contains(height) else {
            throw ParseError(.limitExceeded, at: 0, in: context, "\(width)×\(height) luma samples")
        }
        if try bits.readFlag() {
            let unitX = !separatePlanes && (chromaFormatIDC == 1 || chromaFormatIDC == 2) ? 2 : 1
            let unitY = !separatePlanes && chromaFormatIDC == 1 ? 2 : 1
            let window = [try bits.readUE(), try bits.readUE(), try bits.readUE(), try bits.readUE()].map { Int($0) }
            width -= (window[0] + window[1]) * unitX
            height -= (window[2] + window[3]) * unitY
            guard width > 0, height > 0 else { throw ParseError(.malformed, at: 0, in: context, "conformance window holds nothing") }
        }
        bitDepthLuma = Int(min(try bits.readUE(), 8)) + 8
        bitDepthChroma = Int(min(try bits.readUE(), 8)) + 8
        let pocBits = Int(min(try bits.readUE(), 12)) + 4
        let all = try bits.readFlag()
        for _ in (all ? 0 : maxSubLayersMinus1)...maxSubLayersMinus1 {
            for _ in 0..<3 { _ = try bits.readUE() }
        }
        for _ in 0..<6 { _ = try bits.readUE() }
        if try bits.readFlag(), try bits.readFlag() { try Self.skipScalingLists(&bits) }
        try bits.skipBits(2)
        if try bits.readFlag() {  // pcm
            try bits.skipBits(8)
            _ = try bits.readUE()
            _ = try bits.readUE()
            try bits.skipBits(1)
        }
        try Self.skipShortTermSets(&bits)
        if try bits.readFlag() {
            for _ in 0..<min(try bits.readUE(), 32) { try bits.skipBits(pocBits + 1) }
        }
        try bits.skipBits(2)
        guard try bits.readFlag() else { return }
        try usability.parsePictureDescription(&bits)
        try bits.skipBits(1)
        isFieldSequence = try bits.readFlag()
        try bits.skipBits(1)
        if try bits.readFlag() {  // default display window
            for _ in 0..<4 { _ = try bits.readUE() }
        }
        if try bits.readFlag() {
            let (units, scale) = (try bits.readUInt(32), try bits.readUInt(32))
            if units > 0, scale > 0 { usability.tick = (units, scale) }
        }
    }

    private static func skipScalingLists(_ bits: inout BitReader) throws(ParseError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try bits.readFlag() else {
                    _ = try bits.readUE()
                    continue
                }
                if size > 1 { _ = try bits.readSE() }
                for _ in 0..<min(64, 1 << (4 + size << 1)) { _ = try bits.readSE() }
            }
        }
    }

    private static func skipShortTermSets(_ bits: inout BitReader) throws(ParseError) {
        let count = Int(try bits.readUE())
        guard count <= 64 else { throw ParseError(.malformed, at: 0, in: "seq_parameter_set_rbsp", "\(count) short-term reference picture sets") }
        var deltas = 0
        for i in 0..<count {
            if i > 0, try bits.readFlag() {
                try bits.skipBits(1)
                _ = try bits.readUE()
                var next = 0
                for _ in 0...deltas {
                    if try bits.readFlag() { next += 1 } else if try bits.readFlag() { next += 1 }
                }
                deltas = next
            } else {
                let (negative, positive) = (Int(try bits.readUE()), Int(try bits.readUE()))
                guard negative <= 16, positive <= 16 else { throw ParseError(.malformed, at: 0, in: "st_ref_pic_set", "\(negative)+\(positive) pictures") }
                for _ in 0..<(negative + positive) {
                    _ = try bits.readUE()
                    try bits.skipBits(1)
                }
                deltas = negative + positive
            }
        }
    }
}
