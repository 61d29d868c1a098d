package import BitsAndTime

/// An H.265 picture parameter set, as far as `hvcC` and the head of a slice need it (ITU-T H.265 §7.3.2.3.1).
package struct HEVCPictureParameterSet: Sendable, Equatable {
    package var pictureParameterSetID: UInt32
    package var sequenceParameterSetID: UInt32
    /// output_flag_present_flag: slices carry pic_output_flag.
    package var hasOutputFlag: Bool
    /// num_extra_slice_header_bits.
    package var extraSliceHeaderBitCount: Int
    /// tiles_enabled_flag.
    package var hasTiles: Bool
    /// entropy_coding_sync_enabled_flag: wavefronts.
    package var hasWavefronts: Bool

    /// - Parameter unit: The NAL unit, its two header bytes included.
    package init(parsing unit: ArraySlice<UInt8>) throws(ParseError) {
        let context = "pic_parameter_set_rbsp"
        var bits = BitReader(RBSP.removingEmulationPrevention(unit), context: context)
        guard try bits.readBits(16) >> 9 & 0x3F == 34 else { throw ParseError(.malformed, at: 0, in: context, "nal_unit_type is not 34") }
        pictureParameterSetID = try bits.readUE()
        sequenceParameterSetID = try bits.readUE()
        guard pictureParameterSetID <= 63, sequenceParameterSetID <= 15 else {
            throw ParseError(.malformed, at: 2, in: context, "picture set \(pictureParameterSetID) of sequence set \(sequenceParameterSetID)")
        }
        try bits.skipBits(1)
        hasOutputFlag = try bits.readFlag()
        extraSliceHeaderBitCount = Int(try bits.readBits(3))
        try bits.skipBits(2)  // up to cabac_init_present_flag
        _ = try bits.readUE()
        _ = try bits.readUE()
        _ = try bits.readSE()
        try bits.skipBits(2)
        if try bits.readFlag() { _ = try bits.readUE() }
        _ = try bits.readSE()
        _ = try bits.readSE()
        try bits.skipBits(4)  // up to transquant_bypass_enabled_flag
        hasTiles = try bits.readFlag()
        hasWavefronts = try bits.readFlag()
    }

    /// parallelismType of `hvcC` (ISO/IEC 14496-15:2022 §8.3.3.1.3): 0 mixed or unknown, 1 slices, 2 tiles, 3 wavefronts.
    package var parallelismType: UInt8 { hasTiles ? (hasWavefronts ? 0 : 2) : (hasWavefronts ? 3 : 1) }
}
