/// The part of a sequence parameter set a decoder is built from. Two sets that agree in it decode in one session; a new picture parameter
/// set, VUI or level is taken in band by every decoder seen.
package struct DecoderSignature: Sendable, Hashable {
    package var profileIDC: UInt8
    package var chromaFormatIDC: UInt32
    package var bitDepthLuma: Int
    package var bitDepthChroma: Int
    /// Luma samples after cropping.
    package var width: Int
    package var height: Int
    package var isFrameOnly: Bool
    /// Bits of frame_num (H.264) and of pic_order_cnt_lsb, and pic_order_cnt_type (H.264).
    package var frameNumberBitCount: Int
    package var pictureOrderCountType: UInt32
    package var pictureOrderCountBitCount: Int
    /// max_num_ref_frames, or sps_max_dec_pic_buffering_minus1.
    package var referencePictureCount: UInt32

    package init(_ set: AVCSequenceParameterSet) {
        profileIDC = set.profileIDC
        chromaFormatIDC = set.chromaFormatIDC
        (bitDepthLuma, bitDepthChroma) = (set.bitDepthLuma, set.bitDepthChroma)
        (width, height) = (set.width, set.height)
        isFrameOnly = set.isFrameOnly
        frameNumberBitCount = set.frameNumberBitCount
        pictureOrderCountType = set.pictureOrderCountType
        pictureOrderCountBitCount = set.pictureOrderCountBitCount
        referencePictureCount = set.maxNumReferenceFrames
    }

    package init(_ set: HEVCSequenceParameterSet) {
        profileIDC = set.profileTierLevel.profileIDC
        chromaFormatIDC = set.chromaFormatIDC
        (bitDepthLuma, bitDepthChroma) = (set.bitDepthLuma, set.bitDepthChroma)
        (width, height) = (set.width, set.height)
        isFrameOnly = !set.isFieldSequence
        frameNumberBitCount = 0
        pictureOrderCountType = 0
        pictureOrderCountBitCount = set.pictureOrderCountBitCount
        referencePictureCount = set.maxDecPicBufferingMinus1
    }
}
