package import BitsAndTime

/// An H.265 sequence parameter set, as far as sample entries and playlists need it (ITU-T H.265 §7.3.2.2, Annex E).
package struct HEVCSequenceParameterSet: Sendable, Equatable {
    package var videoParameterSetID: UInt8
    package var sequenceParameterSetID: UInt32
    package var maxSubLayersMinus1: Int
    package var isTemporalIDNested: Bool
    package var profileTierLevel: HEVCProfileTierLevel
    package var chromaFormatIDC: UInt32
    /// separate_colour_plane_flag.
    package var hasSeparatePlanes: Bool
    /// log2_max_pic_order_cnt_lsb_minus4 + 4.
    package var pictureOrderCountBitCount: Int
    package var bitDepthLuma: Int
    package var bitDepthChroma: Int
    /// Luma samples inside the conformance window.
    package var width: Int
    package var height: Int
    package var usability = VideoUsabilityInformation()
    /// field_seq_flag: pictures are fields.
    package var isFieldSequence = false
    /// Of the highest sub-layer: sps_max_dec_pic_buffering_minus1, sps_max_num_reorder_pics and sps_max_latency_increase_plus1.
    package var maxDecPicBufferingMinus1: UInt32
    package var maxNumReorderPics: UInt32
    package var maxLatencyIncreasePlus1: UInt32
    /// min_spatial_segmentation_idc, 0 where the VUI does not say.
    package var minSpatialSegmentationIDC: UInt16 = 0

    /// - Parameter unit: The NAL unit, its two header bytes included.
    package init(parsing unit: ArraySlice<UInt8>) throws(ParseError) {
        let context = "seq_parameter_set_rbsp"
        var bits = BitReader(RBSP.removingEmulationPrevention(unit), context: context)
        guard try bits.readBits(16) >> 9 & 0x3F == 33 else { throw ParseError(.malformed, at: 0, in: context, "nal_unit_type is not 33") }
        videoParameterSetID = UInt8(try bits.readBits(4))
        maxSubLayersMinus1 = Int(try bits.readBits(3))
        guard maxSubLayersMinus1 <= 6 else { throw ParseError(.malformed, at: 2, in: context, "\(maxSubLayersMinus1 + 1) sub-layers") }
        isTemporalIDNested = try bits.readFlag()
        profileTierLevel = try HEVCProfileTierLevel(&bits, maxSubLayersMinus1: maxSubLayersMinus1)
        sequenceParameterSetID = try bits.readUE()
        guard sequenceParameterSetID <= 15 else { throw ParseError(.malformed, at: 0, in: context, "sps_seq_parameter_set_id \(sequenceParameterSetID)") }
        chromaFormatIDC = try bits.readUE()
        guard chromaFormatIDC <= 3 else { throw ParseError(.malformed, at: 0, in: context, "chroma_format_idc \(chromaFormatIDC)") }
        let separatePlanes = chromaFormatIDC == 3 ? try bits.readFlag() : false
        hasSeparatePlanes = separatePlanes
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
        let (luma, chroma) = (try bits.readUE(), try bits.readUE())
        guard luma <= 8, chroma <= 8 else { throw ParseError(.malformed, at: 0, in: context, "bit depths of \(luma) and \(chroma) over 8") }
        (bitDepthLuma, bitDepthChroma) = (Int(luma) + 8, Int(chroma) + 8)
        let pocBits = Int(min(try bits.readUE(), 12)) + 4
        pictureOrderCountBitCount = pocBits
        let all = try bits.readFlag()
        (maxDecPicBufferingMinus1, maxNumReorderPics, maxLatencyIncreasePlus1) = (0, 0, 0)
        for _ in (all ? 0 : maxSubLayersMinus1)...maxSubLayersMinus1 {
            maxDecPicBufferingMinus1 = try bits.readUE()
            maxNumReorderPics = try bits.readUE()
            maxLatencyIncreasePlus1 = try bits.readUE()
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
            parseBehindTiming(bits, hasTiming: true)
        } else {
            parseBehindTiming(bits, hasTiming: false)
        }
    }

    /// The VUI behind its clock (§E.2.1). These are hints: a set that is damaged here still describes its picture.
    private mutating func parseBehindTiming(_ reader: BitReader, hasTiming: Bool) {
        var bits = reader
        do throws(ParseError) {
            if hasTiming {
                if try bits.readFlag() { _ = try bits.readUE() }  // vui_num_ticks_poc_diff_one_minus1
                if try bits.readFlag() { try Self.skipHypotheticalReferenceDecoder(&bits, maxSubLayersMinus1: maxSubLayersMinus1) }
            }
            guard try bits.readFlag() else { return }
            try bits.skipBits(3)
            let segmentation = try bits.readUE()
            if segmentation <= 4095 { minSpatialSegmentationIDC = UInt16(segmentation) }
        } catch {
            return
        }
    }

    /// hrd_parameters with its common part (§E.2.2).
    private static func skipHypotheticalReferenceDecoder(_ bits: inout BitReader, maxSubLayersMinus1: Int) throws(ParseError) {
        let models = (try bits.readFlag() ? 1 : 0) + (try bits.readFlag() ? 1 : 0)
        var hasSubPictures = false
        if models > 0 {
            hasSubPictures = try bits.readFlag()
            if hasSubPictures { try bits.skipBits(19) }
            try bits.skipBits(hasSubPictures ? 12 : 8)
            try bits.skipBits(15)
        }
        for _ in 0...maxSubLayersMinus1 {
            let isFixedGenerally = try bits.readFlag()
            let isFixedWithin = isFixedGenerally ? true : try bits.readFlag()
            var hasLowDelay = false
            if isFixedWithin { _ = try bits.readUE() } else { hasLowDelay = try bits.readFlag() }
            let count = hasLowDelay ? 0 : try bits.readUE()
            guard count <= 31 else { throw ParseError(.malformed, at: bits.bitOffset / 8, in: "hrd_parameters", "cpb_cnt_minus1 \(count)") }
            for _ in 0..<models {
                for _ in 0...count {
                    for _ in 0..<(hasSubPictures ? 4 : 2) { _ = try bits.readUE() }
                    try bits.skipBits(1)
                }
            }
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
