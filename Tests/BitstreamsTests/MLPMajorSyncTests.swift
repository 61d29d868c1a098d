import BitsAndTime
import Bitstreams
import Testing
import TestSupport

struct MLPMajorSyncTests {
    /// The head of an access unit: four substreams, channel meanings, and words behind them.
    private static func unit(format: UInt64 = 0xF872_6FBA, substreams: UInt64 = 4, info: UInt64 = 0xC8, extra: ((inout BitWriter) -> Void)? = nil) -> [UInt8] {
        var bits = BitWriter()
        bits.writeBits(0xA090_FFD8, 32)
        bits.writeBits(format, 32)
        bits.writeBits(0x0007_804F, 32)
        bits.writeBits(0xB752, 16)
        bits.writeBits(0x1000_0000, 32)
        bits.writeBits(0x84ED, 16)
        bits.writeBits(substreams, 4)
        bits.writeBits(0, 4)
        bits.writeBits(info, 8)
        bits.writeBits(0, 63)
        bits.writeFlag(extra != nil)
        extra?(&bits)
        return bits.bytes
    }

    @Test func objectsAreSaidByThePresentationOfSixteenChannels() throws {
        let objects = try MLPMajorSync(accessUnit: Self.unit { bits in
            bits.writeBits(1, 4)
            bits.writeBits(0x1F, 5)
            bits.writeBits(0x23, 6)
            bits.writeBits(15, 5)
            bits.writeBits(0b1100_0000_0000, 12)
        }[...])
        #expect(objects.hasObjectPresentation && objects.substreamCount == 4 && objects.objectPresentationElementCount == 16 && objects.isDynamicObjectsOnly)
        let undescribed = try MLPMajorSync(accessUnit: Self.unit()[...])
        #expect(undescribed.hasObjectPresentation && undescribed.objectPresentationElementCount == nil)
        let plain = try MLPMajorSync(accessUnit: Self.unit(substreams: 3, info: 0x3C)[...])
        #expect(plain.isTrueHD && !plain.hasObjectPresentation)
        let mlp = try MLPMajorSync(accessUnit: Self.unit(format: 0xF872_6FBB, substreams: 2, info: 0xC8)[...])
        #expect(!mlp.isTrueHD && !mlp.hasObjectPresentation)
        #expect(throws: ParseError.self) { try MLPMajorSync(accessUnit: Self.unit(format: 0xF872_6FBC)[...]) }
        for bytes in Damage.all(of: Self.unit { $0.writeBits(0x1FC6_FC00, 32) }) { _ = try? MLPMajorSync(accessUnit: bytes[...]) }
    }
}
