internal import BitsAndTime

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

    /// What holds for streams of either: flags that both claim, and the higher tier and level (ISO/IEC 14496-15:2022 §8.3.3.1.3).
    package func covering(_ other: HEVCProfileTierLevel) -> HEVCProfileTierLevel {
        HEVCProfileTierLevel(
            profileSpace: profileSpace, isHighTier: isHighTier || other.isHighTier, profileIDC: max(profileIDC, other.profileIDC),
            compatibilityFlags: compatibilityFlags & other.compatibilityFlags, constraintFlags: constraintFlags & other.constraintFlags,
            levelIDC: max(levelIDC, other.levelIDC))
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
