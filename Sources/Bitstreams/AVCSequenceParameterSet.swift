package import BitsAndTime

/// An H.264 sequence parameter set, as far as sample entries and playlists need it (ITU-T H.264 §7.3.2.1.1, Annex E).
package struct AVCSequenceParameterSet: Sendable, Equatable {
    package var profileIDC: UInt8
    /// constraint_set flags and reserved bits, as one byte.
    package var constraintFlags: UInt8
    package var levelIDC: UInt8
    package var sequenceParameterSetID: UInt32 = 0
    package var chromaFormatIDC: UInt32 = 1
    package var bitDepthLuma: Int = 8
    package var bitDepthChroma: Int = 8
    /// Luma samples after cropping.
    package var width: Int = 0
    package var height: Int = 0
    package var isFrameOnly = true
    /// separate_colour_plane_flag.
    package var hasSeparatePlanes = false
    /// Bits of frame_num and of pic_order_cnt_lsb in slice headers.
    package var frameNumberBitCount = 4
    package var pictureOrderCountType: UInt32 = 0
    package var pictureOrderCountBitCount = 4
    package var maxNumReferenceFrames: UInt32 = 0
    package var usability = VideoUsabilityInformation()

    /// Profiles whose sets carry chroma_format_idc and what follows (§7.3.2.1.1); the avcC extension hangs on the same list.
    package static let highProfiles: Set<UInt8> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    /// fixed_frame_rate_flag.
    package var hasFixedFrameRate = false
    /// max_num_reorder_frames and max_dec_frame_buffering; `nil` where bitstream_restriction_flag is 0.
    package var maxNumReorderFrames: UInt32?
    package var maxDecFrameBuffering: UInt32?

    /// - Parameter unit: The NAL unit, header included.
    package init(parsing unit: ArraySlice<UInt8>) throws(ParseError) {
        var bits = BitReader(RBSP.removingEmulationPrevention(unit), context: "seq_parameter_set")
        guard try bits.readBits(8) & 0x1F == 7 else { throw ParseError(.malformed, at: 0, in: "seq_parameter_set", "nal_unit_type is not 7") }
        profileIDC = UInt8(try bits.readBits(8))
        constraintFlags = UInt8(try bits.readBits(8))
        levelIDC = UInt8(try bits.readBits(8))
        sequenceParameterSetID = try bits.readUE()
        var separatePlanes = false
        if Self.highProfiles.contains(profileIDC) {
            chromaFormatIDC = try bits.readUE()
            guard chromaFormatIDC <= 3 else { throw ParseError(.malformed, at: 4, in: "seq_parameter_set", "chroma_format_idc \(chromaFormatIDC)") }
            if chromaFormatIDC == 3 { separatePlanes = try bits.readFlag() }
            let (luma, chroma) = (try bits.readUE(), try bits.readUE())
            guard luma <= 6, chroma <= 6 else { throw ParseError(.malformed, at: 4, in: "seq_parameter_set", "bit depths of \(luma) and \(chroma) over 8") }
            (bitDepthLuma, bitDepthChroma) = (Int(luma) + 8, Int(chroma) + 8)
            try bits.skipBits(1)
            if try bits.readFlag() {
                for list in 0..<(chromaFormatIDC == 3 ? 12 : 8) where try bits.readFlag() {
                    try Self.skipScalingList(&bits, count: list < 6 ? 16 : 64)
                }
            }
        }
        frameNumberBitCount = Int(min(try bits.readUE(), 12)) + 4
        pictureOrderCountType = try bits.readUE()
        switch pictureOrderCountType {
        case 0: pictureOrderCountBitCount = Int(min(try bits.readUE(), 12)) + 4
        case 1:
            try bits.skipBits(1)
            _ = try bits.readSE()
            _ = try bits.readSE()
            for _ in 0..<min(try bits.readUE(), 255) { _ = try bits.readSE() }
        default: break
        }
        maxNumReferenceFrames = try bits.readUE()
        try bits.skipBits(1)
        let widthInMacroblocks = Int(try bits.readUE()) + 1
        let heightInMapUnits = Int(try bits.readUE()) + 1
        hasSeparatePlanes = separatePlanes
        isFrameOnly = try bits.readFlag()
        if !isFrameOnly { try bits.skipBits(1) }
        try bits.skipBits(1)
        guard widthInMacroblocks <= 4096, heightInMapUnits <= 4096 else {
            throw ParseError(.limitExceeded, at: 0, in: "seq_parameter_set", "\(widthInMacroblocks)×\(heightInMapUnits) macroblocks")
        }
        width = widthInMacroblocks * 16
        height = heightInMapUnits * 16 * (isFrameOnly ? 1 : 2)
        if try bits.readFlag() {
            let unitX = !separatePlanes && (chromaFormatIDC == 1 || chromaFormatIDC == 2) ? 2 : 1
            let unitY = (!separatePlanes && chromaFormatIDC == 1 ? 2 : 1) * (isFrameOnly ? 1 : 2)
            let crop = [try bits.readUE(), try bits.readUE(), try bits.readUE(), try bits.readUE()].map { Int($0) }
            width -= (crop[0] + crop[1]) * unitX
            height -= (crop[2] + crop[3]) * unitY
            guard width > 0, height > 0 else { throw ParseError(.malformed, at: 0, in: "seq_parameter_set", "cropped to nothing") }
        }
        if try bits.readFlag() {
            try usability.parsePictureDescription(&bits)
            if try bits.readFlag() {
                let (units, scale) = (try bits.readUInt(32), try bits.readUInt(32))
                // A frame is two ticks long (§E.2.1).
                if units > 0, scale > 0 { usability.tick = (units, scale) }
                hasFixedFrameRate = try bits.readFlag()
            }
            parseBitstreamRestriction(bits)
        }
    }

    /// From nal_hrd_parameters_present_flag to the end of the VUI (§E.1.1). These are hints: a set that is damaged here still
    /// describes its picture, and says nothing of reordering.
    private mutating func parseBitstreamRestriction(_ reader: BitReader) {
        var bits = reader
        do throws(ParseError) {
            var hasDecoderModel = false
            for _ in 0..<2 where try bits.readFlag() {
                hasDecoderModel = true
                let count = try bits.readUE()
                guard count <= 31 else { return }
                try bits.skipBits(8)
                for _ in 0...count {
                    _ = try bits.readUE()
                    _ = try bits.readUE()
                    try bits.skipBits(1)
                }
                try bits.skipBits(20)
            }
            if hasDecoderModel { try bits.skipBits(1) }
            try bits.skipBits(1)
            guard try bits.readFlag() else { return }
            try bits.skipBits(1)
            for _ in 0..<4 { _ = try bits.readUE() }
            let (reorder, buffering) = (try bits.readUE(), try bits.readUE())
            // A decoded picture buffer holds 16 frames at most (§A.3.1).
            guard reorder <= buffering, buffering <= 16 else { return }
            (maxNumReorderFrames, maxDecFrameBuffering) = (reorder, buffering)
        } catch {
            return
        }
    }

    private static func skipScalingList(_ bits: inout BitReader, count: Int) throws(ParseError) {
        var (last, next) = (8, 8)
        for _ in 0..<count {
            if next != 0 { next = (last + Int(try bits.readSE()) & 0xFF) & 0xFF }
            if next != 0 { last = next }
        }
    }
}
