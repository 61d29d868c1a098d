/// The Dolby Vision configuration record of a stream, decoded by libav from dvcC, dvvC or the TS descriptor.
///
/// Dolby Vision Streams Within the ISO Base Media File Format, version 2.4, clause 3.2.
package struct DolbyVisionRecord: Sendable, Hashable {
    package let versionMajor, versionMinor: UInt8
    package let profile, level: UInt8
    package let hasRPU, hasEnhancementLayer, hasBaseLayer: Bool
    /// 0 none, 1 HDR10, 2 SDR, 4 HLG, 6 Ultra HD Blu-ray.
    package let baseLayerCompatibilityID: UInt8
    /// 0 none; what FFmpeg before 7.1 does not read is 0 too.
    package let metadataCompression: UInt8

    package init(
        versionMajor: UInt8 = 1, versionMinor: UInt8 = 0, profile: UInt8, level: UInt8, hasRPU: Bool = true,
        hasEnhancementLayer: Bool = false, hasBaseLayer: Bool = true, baseLayerCompatibilityID: UInt8 = 0,
        metadataCompression: UInt8 = 0
    ) {
        self.versionMajor = versionMajor
        self.versionMinor = versionMinor
        self.profile = profile
        self.level = level
        self.hasRPU = hasRPU
        self.hasEnhancementLayer = hasEnhancementLayer
        self.hasBaseLayer = hasBaseLayer
        self.baseLayerCompatibilityID = baseLayerCompatibilityID
        self.metadataCompression = metadataCompression
    }
}
