import BitsAndTime
import Bitstreams
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct SequenceParameterSetTests {
    private struct Options {
        var subLayersMinus1 = 0
        var scalingLists = false
        var pcm = false
        var shortTermSets = 0
        var longTermPictures = 0
        var chroma: UInt32 = 1
        /// A reference decoder's parameters of this shape, and min_spatial_segmentation_idc 77 behind it.
        var decoderModel: (hasNAL: Bool, hasVCL: Bool, hasSubPictures: Bool)?
    }

    private static func writeDecoderModel(_ bits: inout BitWriter, _ model: (hasNAL: Bool, hasVCL: Bool, hasSubPictures: Bool), _ subLayersMinus1: Int) {
        bits.writeFlag(model.hasNAL)
        bits.writeFlag(model.hasVCL)
        if model.hasNAL || model.hasVCL {
            bits.writeFlag(model.hasSubPictures)
            if model.hasSubPictures { bits.writeBits(0x5_5555, 19) }
            bits.writeBits(0xA5, 8)
            if model.hasSubPictures { bits.writeBits(0xA, 4) }
            bits.writeBits(0x2AAA, 15)
        }
        for layer in 0...subLayersMinus1 {
            let (general, within, lowDelay) = (layer % 3 == 0, layer % 3 == 1, layer % 2 == 0)
            bits.writeFlag(general)
            if !general { bits.writeFlag(within) }
            if general || within { bits.writeUE(1000) } else { bits.writeFlag(lowDelay) }
            let count: UInt32 = !(general || within) && lowDelay ? 0 : 2
            if general || within || !lowDelay { bits.writeUE(count) }
            for isPresent in [model.hasNAL, model.hasVCL] where isPresent {
                for entry in 0...count {
                    for value: UInt32 in model.hasSubPictures ? [70_000, 3, 2, entry] : [70_000, entry] { bits.writeUE(value) }
                    bits.writeFlag(entry == 0)
                }
            }
        }
    }

    /// An SPS of 1920×1080 in a 1920×1088 picture with everything before the VUI varied, and a full VUI.
    private static func hevc(_ options: Options) -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(0, 4)
        bits.writeBits(options.subLayersMinus1, 3)
        bits.writeFlag(true)
        bits.writeBits(0, 3)
        bits.writeBits(2, 5)
        bits.writeBits(0x2000_0000, 32)
        bits.writeBits(0x9000_0000_0000, 48)
        bits.writeBits(123, 8)
        for layer in 0..<options.subLayersMinus1 {
            bits.writeFlag(layer % 2 == 0)
            bits.writeFlag(true)
        }
        if options.subLayersMinus1 > 0 { for _ in options.subLayersMinus1..<8 { bits.writeBits(0, 2) } }
        for layer in 0..<options.subLayersMinus1 {
            if layer % 2 == 0 { bits.writeBits(0x5A5A, 44); bits.writeBits(0xA5A5, 44) }
            bits.writeBits(90, 8)
        }
        bits.writeUE(0)
        bits.writeUE(options.chroma)
        if options.chroma == 3 { bits.writeFlag(false) }
        bits.writeUE(1920)
        bits.writeUE(1088)
        bits.writeFlag(true)
        for value: UInt32 in [0, 0, 0, options.chroma == 1 ? 4 : 8] { bits.writeUE(value) }
        bits.writeUE(2)
        bits.writeUE(2)
        bits.writeUE(4)  // eight bits of picture order count
        bits.writeFlag(true)
        for _ in 0...options.subLayersMinus1 { for value: UInt32 in [5, 2, 0] { bits.writeUE(value) } }
        for value: UInt32 in [0, 3, 0, 3, 1, 1] { bits.writeUE(value) }
        bits.writeFlag(options.scalingLists)
        if options.scalingLists {
            bits.writeFlag(true)
            for size in 0..<4 {
                for list in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                    if list == 0 {
                        bits.writeFlag(true)
                        if size > 1 { bits.writeSE(-3) }
                        for at in 0..<(size == 0 ? 16 : 64) { bits.writeSE(Int32(at % 5) - 2) }
                    } else {
                        bits.writeFlag(false)
                        bits.writeUE(UInt32(size == 3 ? 1 : list - 1))
                    }
                }
            }
        }
        bits.writeBits(0b10, 2)
        bits.writeFlag(options.pcm)
        if options.pcm {
            bits.writeBits(0x77, 8)
            bits.writeUE(0)
            bits.writeUE(1)
            bits.writeFlag(false)
        }
        bits.writeUE(UInt32(options.shortTermSets))
        var deltas = 0
        for set in 0..<options.shortTermSets {
            if set > 0 { bits.writeFlag(set % 3 != 0) }
            if set > 0, set % 3 != 0 {
                bits.writeFlag(set % 2 == 0)
                bits.writeUE(UInt32(set))
                var next = 0
                for entry in 0...deltas {
                    switch entry % 3 {
                    case 0: bits.writeFlag(true); next += 1
                    case 1: bits.writeBits(0b01, 2); next += 1
                    default: bits.writeBits(0b00, 2)
                    }
                }
                deltas = next
            } else {
                let (negative, positive) = (set % 9, set % 7)
                bits.writeUE(UInt32(negative))
                bits.writeUE(UInt32(positive))
                for entry in 0..<(negative + positive) {
                    bits.writeUE(UInt32(entry))
                    bits.writeFlag(entry % 2 == 0)
                }
                deltas = negative + positive
            }
        }
        bits.writeFlag(options.longTermPictures > 0)
        if options.longTermPictures > 0 {
            bits.writeUE(UInt32(options.longTermPictures))
            for picture in 0..<options.longTermPictures { bits.writeBits(picture * 2 + 1, 9) }
        }
        bits.writeBits(0b11, 2)
        bits.writeFlag(true)  // VUI
        bits.writeFlag(true)
        bits.writeBits(255, 8)
        bits.writeBits(64, 16)
        bits.writeBits(45, 16)
        bits.writeBits(0b11, 2)  // overscan
        bits.writeFlag(true)
        bits.writeBits(5, 3)
        bits.writeFlag(true)
        bits.writeFlag(true)
        for point in [9, 18, 2] { bits.writeBits(point, 8) }
        bits.writeFlag(true)
        bits.writeUE(2)
        bits.writeUE(2)
        bits.writeBits(0b010, 3)  // fields
        bits.writeFlag(true)
        for value: UInt32 in [1, 2, 3, 4] { bits.writeUE(value) }
        bits.writeFlag(true)
        bits.writeBits(1001, 32)
        bits.writeBits(60_000, 32)
        if let model = options.decoderModel {
            bits.writeFlag(true)
            bits.writeUE(9)
            bits.writeFlag(true)
            writeDecoderModel(&bits, model, options.subLayersMinus1)
            bits.writeBits(0b1010, 4)  // bitstream_restriction_flag and three flags
            for value: UInt32 in [77, 2, 1, 15, 15] { bits.writeUE(value) }
            bits.writeBits(0b01, 2)
        } else {
            bits.writeBits(0b0001, 4)
        }
        return [0x42, 0x01] + RBSP.insertingEmulationPrevention(bits.bytes[...])
    }

    @Test(arguments: 0..<24) func hevcSetReadsToItsVUI(seed: Int) throws {
        var options = Options()
        options.subLayersMinus1 = seed % 7
        options.scalingLists = seed & 1 == 1
        options.pcm = seed & 2 == 2
        options.shortTermSets = [0, 1, 5, 17, 64][seed % 5]
        options.longTermPictures = [0, 1, 32][seed % 3]
        options.chroma = UInt32(seed % 4)
        if seed % 4 != 3 { options.decoderModel = (seed & 4 == 4, seed & 8 == 8, seed & 16 == 16) }
        let unit = Self.hevc(options)
        let set = try HEVCSequenceParameterSet(parsing: unit[...])
        #expect(set.width == 1920 && set.height == 1080)
        #expect(set.minSpatialSegmentationIDC == (seed % 4 != 3 ? 77 : 0) && set.videoParameterSetID == 0 && set.sequenceParameterSetID == 0)
        #expect(set.maxDecPicBufferingMinus1 == 5 && set.maxNumReorderPics == 2 && set.maxLatencyIncreasePlus1 == 0)
        #expect(set.bitDepthLuma == 10 && set.bitDepthChroma == 10 && set.chromaFormatIDC == options.chroma)
        #expect(set.maxSubLayersMinus1 == options.subLayersMinus1 && set.isTemporalIDNested)
        #expect(set.profileTierLevel.profileIDC == 2 && set.profileTierLevel.levelIDC == 123 && !set.profileTierLevel.isHighTier)
        #expect(set.profileTierLevel.constraintFlags == 0x9000_0000_0000 && set.profileTierLevel.compatibilityFlags == 0x2000_0000)
        #expect(set.usability.sampleAspectRatio?.horizontal == 64 && set.usability.sampleAspectRatio?.vertical == 45)
        #expect(set.usability.primaries == 9 && set.usability.transfer == 18 && set.usability.matrix == nil && set.usability.isFullRange == true)
        #expect(set.isFieldSequence)
        #expect(set.usability.tick?.numerator == 1001 && set.usability.tick?.denominator == 60_000)
        for bytes in Damage.all(of: unit, mutations: 100) { _ = try? HEVCSequenceParameterSet(parsing: bytes[...]) }
    }

    @Test func moreSubLayersThanThereAreIsRefused() {
        var unit = Self.hevc(Options())
        unit[2] |= 0x0E
        #expect(throws: ParseError.self) { try HEVCSequenceParameterSet(parsing: unit[...]) }
    }

    /// Interlaced 4:2:0 of 1920×1080: cropping counts in units of four luma rows.
    @Test func avcCroppingOfFields() throws {
        var bits = BitWriter()
        bits.writeBits(0x67, 8)
        bits.writeBits(77, 8)
        bits.writeBits(0, 8)
        bits.writeBits(40, 8)
        for value: UInt32 in [0, 4, 0, 4, 2] { bits.writeUE(value) }
        bits.writeFlag(false)
        bits.writeUE(119)
        bits.writeUE(33)
        bits.writeFlag(false)
        bits.writeFlag(true)
        bits.writeFlag(true)
        bits.writeFlag(true)
        for value: UInt32 in [0, 0, 0, 2] { bits.writeUE(value) }
        bits.writeFlag(true)
        bits.writeFlag(true)
        bits.writeBits(14, 8)
        bits.writeBits(0, 3)
        bits.writeFlag(true)
        bits.writeBits(1, 32)
        bits.writeBits(50, 32)
        bits.writeFlag(true)
        bits.writeBits(0, 3)
        bits.writeFlag(true)
        let unit = RBSP.insertingEmulationPrevention(bits.bytes[...])
        let set = try AVCSequenceParameterSet(parsing: unit[...])
        #expect(set.width == 1920 && set.height == 1080 && !set.isFrameOnly && set.profileIDC == 77)
        #expect(set.usability.sampleAspectRatio?.horizontal == 4 && set.usability.sampleAspectRatio?.vertical == 3 && set.usability.primaries == nil)
        #expect(set.usability.tick?.denominator == 50)
        for bytes in Damage.all(of: unit, mutations: 1000) { _ = try? AVCSequenceParameterSet(parsing: bytes[...]) }
    }

    /// Progressive, with both reference decoders, then a promise about reordering.
    private static func avc(reorder: UInt32, buffering: UInt32, models: [Bool], bitDepth: UInt32 = 0, chroma: UInt32 = 1) -> [UInt8] {
        var bits = BitWriter()
        for byte in [0x67, 100, 0, 40] { bits.writeBits(byte, 8) }
        for value: UInt32 in [0, chroma, bitDepth, bitDepth] { bits.writeUE(value) }
        bits.writeBits(0, 2)
        for value: UInt32 in [0, 0, 4, 4] { bits.writeUE(value) }
        bits.writeFlag(false)
        bits.writeUE(119)
        bits.writeUE(67)
        bits.writeBits(0b110, 3)  // frame_mbs_only, direct_8x8_inference, no cropping
        bits.writeFlag(true)  // VUI
        bits.writeBits(0b0000, 4)
        bits.writeFlag(true)
        bits.writeBits(1001, 32)
        bits.writeBits(48_000, 32)
        bits.writeFlag(true)
        for model in models {
            bits.writeFlag(model)
            guard model else { continue }
            bits.writeUE(1)
            bits.writeBits(0x35, 8)
            for value: UInt32 in [900, 1200] {
                bits.writeUE(value)
                bits.writeUE(value * 2)
                bits.writeFlag(true)
            }
            bits.writeBits(0xF_0F0F, 20)
        }
        if models.contains(true) { bits.writeFlag(false) }
        bits.writeFlag(true)
        bits.writeFlag(true)
        bits.writeFlag(true)
        for value: UInt32 in [2, 1, 11, 11, reorder, buffering] { bits.writeUE(value) }
        bits.writeFlag(true)
        return RBSP.insertingEmulationPrevention(bits.bytes[...])
    }

    @Test(arguments: [[false, false], [true, false], [false, true], [true, true]]) func avcReorderingBehindReferenceDecoders(models: [Bool]) throws {
        let unit = Self.avc(reorder: 2, buffering: 4, models: models)
        let set = try AVCSequenceParameterSet(parsing: unit[...])
        #expect(set.maxNumReorderFrames == 2 && set.maxDecFrameBuffering == 4 && set.hasFixedFrameRate)
        #expect(set.usability.tick?.numerator == 1001 && set.usability.tick?.denominator == 48_000 && set.height == 1088)
        for bytes in Damage.all(of: unit, mutations: 1000) { _ = try? AVCSequenceParameterSet(parsing: bytes[...]) }
        // Cut behind its clock, it still describes its picture.
        let cut = try AVCSequenceParameterSet(parsing: unit.dropLast(2))
        #expect(cut.maxNumReorderFrames == nil && cut.width == set.width && cut.usability == set.usability)
        #expect(try AVCSequenceParameterSet(parsing: Self.avc(reorder: 5, buffering: 4, models: models)[...]).maxNumReorderFrames == nil)
    }

    @Test func depthsAndFormatsNoStandardHasAreRefused() {
        #expect(throws: ParseError.self) { try AVCSequenceParameterSet(parsing: Self.avc(reorder: 0, buffering: 0, models: [false, false], bitDepth: 7)[...]) }
        #expect(throws: ParseError.self) { try AVCSequenceParameterSet(parsing: Self.avc(reorder: 0, buffering: 0, models: [false, false], chroma: 4)[...]) }
        var options = Options()
        options.chroma = 4
        #expect(throws: ParseError.self) { try HEVCSequenceParameterSet(parsing: Self.hevc(options)[...]) }
    }

    @Test func sliceHeadersToTheirPictureSet() throws {
        for (coded, type) in [(UInt32(0), AVCSliceHeaderPrefix.SliceType.p), (1, .b), (2, .i), (3, .sp), (4, .si), (7, .i), (9, .si)] {
            var bits = BitWriter()
            bits.writeBits(0x41, 8)
            for value: UInt32 in [8159, coded, 255] { bits.writeUE(value) }
            bits.writeFlag(true)
            let unit = RBSP.insertingEmulationPrevention(bits.bytes[...])
            let prefix = try AVCSliceHeaderPrefix(parsing: unit[...])
            #expect(prefix.firstMacroblock == 8159 && prefix.sliceType == type && prefix.pictureParameterSetID == 255)
            #expect(prefix.isTypeOfWholePicture == (coded >= 5) && prefix.isIntra == [2, 4, 7, 9].contains(coded))
            for bytes in Damage.all(of: unit) { _ = try? AVCSliceHeaderPrefix(parsing: bytes[...]) }
        }
        #expect(throws: ParseError.self) { try AVCSliceHeaderPrefix(parsing: [0x67, 0x88, 0x80]) }
    }

    /// A picture set as x265 writes them, tiles and wavefronts at the end.
    @Test(arguments: [(false, false, UInt8(1)), (true, false, 2), (false, true, 3), (true, true, 0)])
    func pictureSetsTellHowToDecodeInParallel(tiles: Bool, wavefronts: Bool, parallelism: UInt8) throws {
        var bits = BitWriter()
        bits.writeUE(3)
        bits.writeUE(0)
        bits.writeBits(0b0010010, 7)
        bits.writeUE(2)
        bits.writeUE(0)
        bits.writeSE(-7)
        bits.writeBits(0b011, 3)
        bits.writeUE(1)
        bits.writeSE(2)
        bits.writeSE(-2)
        bits.writeBits(0b0110, 4)
        bits.writeFlag(tiles)
        bits.writeFlag(wavefronts)
        bits.writeFlag(true)
        let unit = [0x44, 0x01] + RBSP.insertingEmulationPrevention(bits.bytes[...])
        let set = try HEVCPictureParameterSet(parsing: unit[...])
        #expect(set.pictureParameterSetID == 3 && set.sequenceParameterSetID == 0 && set.parallelismType == parallelism)
        var options = Options()
        options.decoderModel = (true, false, false)
        options.subLayersMinus1 = 2
        let sets = [[0x40, 0x01, 0x0C], Self.hevc(options), unit].map { $0[...] }
        let record = try HEVCDecoderConfigurationRecord(parameterSets: sets)
        #expect(record.minSpatialSegmentationIDC == 77 && record.parallelismType == parallelism && record.temporalLayerCount == 3)
        #expect(record.hasParameterSets && record.isTemporalIDNested && record.bitDepthLumaMinus8 == 2)
        #expect(try HEVCDecoderConfigurationRecord(parsing: record.serialized()) == record)
        let stream = sets.flatMap { set -> [UInt8] in [0, 0, 0, 1] + Array(set) }
        #expect(try HEVCDecoderConfigurationRecord(annexB: stream[...]) == record)
        for bytes in Damage.all(of: unit) { _ = try? HEVCPictureParameterSet(parsing: bytes[...]) }
        for bytes in Damage.all(of: stream, mutations: 300) { _ = try? HEVCDecoderConfigurationRecord(annexB: bytes[...]) }
        #expect(throws: ParseError.self) { try HEVCDecoderConfigurationRecord(parameterSets: sets.dropLast()) }
    }

    @Test func recordOfTwoSequenceSetsClaimsWhatHoldsForBoth() {
        let high = HEVCProfileTierLevel(
            profileSpace: 0, isHighTier: true, profileIDC: 1, compatibilityFlags: 0x6000_0000, constraintFlags: 0x9000_0000_0000, levelIDC: 93)
        let deep = HEVCProfileTierLevel(
            profileSpace: 0, isHighTier: false, profileIDC: 2, compatibilityFlags: 0x2000_0000, constraintFlags: 0xB000_0000_0000, levelIDC: 123)
        let both = high.covering(deep)
        #expect(both.isHighTier && both.profileIDC == 2 && both.compatibilityFlags == 0x2000_0000 && both.constraintFlags == 0x9000_0000_0000)
        #expect(both.levelIDC == 123 && both == deep.covering(high))
    }
}
