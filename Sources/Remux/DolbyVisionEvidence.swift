package import DolbyVision

/// What container and bitstream say of a video track's Dolby Vision: all that its route is decided from.
package struct DolbyVisionEvidence: Sendable, Equatable {
    /// What the first reference processing unit found reads as.
    package struct Unit: Sendable, Equatable {
        /// See ``ReferenceProcessingUnit/profile``.
        package let profile: UInt8?
        package let enhancementLayer: ReferenceProcessingUnit.EnhancementLayer?

        package init(profile: UInt8?, enhancementLayer: ReferenceProcessingUnit.EnhancementLayer? = nil) {
            self.profile = profile
            self.enhancementLayer = enhancementLayer
        }
    }

    package var codec: TrackCodec
    /// The container's record.
    package var record: DolbyVisionConfigurationRecord?
    /// ISO/IEC 23091-2 code points of the coded pictures; `nil` where unspecified.
    package var primaries: Int?
    package var transfer: Int?
    package var matrix: Int?
    package var bitDepth: Int?
    /// `nil`: none was found in the pictures looked at, or none could be read.
    package var unit: Unit?
    /// Whether pictures were looked through: only then does `unit == nil` mean that there is none.
    package var wasSearched: Bool
    /// Whether samples hold enhancement layer units (NAL unit type 63).
    package var hasEnhancementUnits: Bool
    /// The stream that holds the second layer and the units, where it is one of its own.
    package var companionStream: Int?
    /// The level that size and rate of the pictures need, for a record that nobody wrote.
    package var level: UInt8

    package init(
        codec: TrackCodec, record: DolbyVisionConfigurationRecord? = nil, primaries: Int? = nil, transfer: Int? = nil, matrix: Int? = nil,
        bitDepth: Int? = 10, unit: Unit? = nil, wasSearched: Bool = true, hasEnhancementUnits: Bool = false, companionStream: Int? = nil, level: UInt8 = 6
    ) {
        self.codec = codec
        self.record = record
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.bitDepth = bitDepth
        self.unit = unit
        self.wasSearched = wasSearched
        self.hasEnhancementUnits = hasEnhancementUnits
        self.companionStream = companionStream
        self.level = level
    }

    /// Whether the pictures say nothing of their colour, as those of profile 5 must: IPT-PQ-c2 has no code point.
    var isColourUnspecified: Bool { primaries == nil && transfer == nil && matrix == nil }

    /// Whether the pictures say that they are BT.2020 YCbCr with PQ or HLG: a base layer that stands alone.
    var namesBaseLayer: Bool { matrix == 9 && (transfer == 16 || transfer == 18) }
}
