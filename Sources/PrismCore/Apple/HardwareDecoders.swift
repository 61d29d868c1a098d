#if canImport(VideoToolbox)
internal import CoreMedia
internal import VideoToolbox

/// What VideoToolbox says of this device: asked, not inferred from a chip's name.
enum HardwareDecoders {
    static var availability: DecoderAvailability {
        DecoderAvailability(av1: VTIsHardwareDecodeSupported(kCMVideoCodecType_AV1), highChromaAndDepth: false, interlaced: false)
    }
}
#endif
