import BitsAndTime
import Bitstreams
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct SequenceParameterSetTests {
    /// Payload bytes as a NAL unit holds them.
    private static func escaped(_ payload: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var zeros = 0
        for byte in payload {
            if zeros >= 2, byte <= 3 {
                output.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            output.append(byte)
        }
        return output
    }

    private struct Options {
        var subLayersMinus1 = 0
        var scalingLists = false
        var pcm = false
        var shortTermSets = 0
        var longTermPictures = 0
        var chroma: UInt32 = 1
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
        bits.writeBits(0b0001, 4)
        return [0x42, 0x01] + escaped(bits.bytes)
    }

    @Test(arguments: 0..<24) func hevcSetReadsToItsVUI(seed: Int) throws {
        var options = Options()
        options.subLayersMinus1 = seed % 7
        options.scalingLists = seed & 1 == 1
        options.pcm = seed & 2 == 2
        options.shortTermSets = [0, 1, 5, 17, 64][seed % 5]
        options.longTermPictures = [0, 1, 32][seed % 3]
        options.chroma = UInt32(seed % 4)
        let unit = Self.hevc(options)
        let set = try HEVCSequenceParameterSet(parsing: unit[...])
        #expect(set.width == 1920 && set.height == 1080)
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
        let unit = Self.escaped(bits.bytes)
        let set = try AVCSequenceParameterSet(parsing: unit[...])
        #expect(set.width == 1920 && set.height == 1080 && !set.isFrameOnly && set.profileIDC == 77)
        #expect(set.usability.sampleAspectRatio?.horizontal == 4 && set.usability.sampleAspectRatio?.vertical == 3 && set.usability.primaries == nil)
        #expect(set.usability.tick?.denominator == 50)
        for bytes in Damage.all(of: unit, mutations: 1000) { _ = try? AVCSequenceParameterSet(parsing: bytes[...]) }
    }
}
