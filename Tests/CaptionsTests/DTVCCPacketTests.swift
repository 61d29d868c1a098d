@testable import Captions
import Testing

@Suite struct DTVCCPacketTests {
    private typealias Packet = DTVCCPacketAssembler.Packet

    @Test func packetsAreCutIntoServiceBlocks() {
        var assembler = DTVCCPacketAssembler()
        var encoder = DTVCC()
        let blocks: [UInt8] = [0x22, 0x41, 0x42, 0x41, 0x43, 0xE1, 0x3F, 0x44, 0x00]
        let packets = encoder.packet(blocks: blocks).flatMap { assembler.take($0) }
        #expect(packets == [Packet(blocks: [.init(service: 1, bytes: [0x41, 0x42]), .init(service: 2, bytes: [0x43]), .init(service: 63, bytes: [0x44])], followsGap: false)])
        // 128 bytes are coded as 0.
        let whole = DTVCC.triplets([0x40] + (0..<3).flatMap { _ in [0x3F] + Array(repeating: UInt8(0x41), count: 31) } + [0x3E] + Array(repeating: 0x41, count: 30))
        #expect(whole.count == 64 && whole.flatMap { assembler.take($0) }.first?.blocks.map(\.bytes.count) == [31, 31, 31, 30])
        #expect(assembler.damagedCount == 0)
    }

    @Test func gapsAndPartsAreNoticed() {
        var assembler = DTVCCPacketAssembler()
        var encoder = DTVCC()
        let packets = (0..<4).map { _ in encoder.packet([DTVCC.text("AB")]) }
        #expect(packets[0].flatMap { assembler.take($0) }.map(\.followsGap) == [false])
        #expect(packets[2].flatMap { assembler.take($0) }.map(\.followsGap) == [true])
        #expect(packets[3].flatMap { assembler.take($0) }.map(\.followsGap) == [false] && assembler.damagedCount == 1)
        // The whole blocks of a packet that never ends.
        let cut = DTVCC.triplets([0x0A, 0x22, 0x41, 0x42, 0x23, 0x43])
        #expect(cut.flatMap { assembler.take($0) } == [])
        #expect(packets[1].flatMap { assembler.take($0) }.first == Packet(blocks: [.init(service: 1, bytes: [0x41, 0x42])], followsGap: false))
        #expect(assembler.damagedCount == 2)
    }

    @Test func dataOutsideOfPacketsAndPaddingAreNothing() {
        var assembler = DTVCCPacketAssembler()
        let triplets = [CaptionTriplet(.dtvccData, 0x41, 0x42), CaptionTriplet(.dtvccStart, 0x02, 0x21, isValid: false), CaptionTriplet(.dtvccData, 0x41, 0x00)]
        #expect(triplets.flatMap { assembler.take($0) } == [] && assembler.damagedCount == 0)
    }
}
