import BitsAndTime
import MPEGTS
import TestSupport
import Testing

@Suite struct TransportPacketTests {
    private func parse(_ bytes: [UInt8]) -> TransportPacket? { bytes.withUnsafeBytes { TransportPacket($0) } }

    @Test func headersAreReadFieldByField() throws {
        var fixture = TransportFixture()
        fixture.append(0x1ABC, unit: [UInt8](repeating: 7, count: 100), isRandomAccess: true)
        let packet = try #require(parse(fixture.bytes))
        #expect(packet.pid == 0x1ABC && packet.startsUnit && packet.isRandomAccess && !packet.hasDiscontinuity && !packet.isScrambled && !packet.hasError)
        #expect(packet.payload == 88..<188)
        #expect(fixture.bytes[packet.payload].allSatisfy { $0 == 7 })
    }

    @Test func packetsThatAreNoneAreNone() {
        var packet = [UInt8](repeating: 0xFF, count: 188)
        #expect(parse(packet) == nil)
        packet[0] = 0x47
        packet[3] = 0x30
        packet[4] = 184
        #expect(parse(packet) == nil)
        packet[4] = 183
        #expect(parse(packet)?.payload.isEmpty == true)
        #expect(parse(Array(packet.dropLast())) == nil)
    }

    @Test func timesOf33BitsComeBack() throws {
        for ticks: Int64 in [0, 1, 90_000, 0x1_2345_6789, TransportClock.period - 1] {
            let header = try #require(PESHeader(TransportFixture.pes(0xE0, shown: ticks, decoded: ticks / 2, payload: [1])))
            #expect(header.presentationTime == ticks && header.decodeTime == ticks / 2 && header.byteCount == 19)
        }
        let alone = try #require(PESHeader(TransportFixture.pes(0xC0, shown: 77, decoded: nil, payload: [])))
        #expect(alone.presentationTime == 77 && alone.decodeTime == 77 && alone.byteCount == 14)
    }

    @Test func headersWithoutTimesAndPiecesOfHeaders() {
        #expect(PESHeader([0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0, 0xAA])?.presentationTime == nil)
        #expect(PESHeader([0, 0, 1, 0xBE, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1] as [UInt8]) == nil)
        for damaged in Damage.all(of: TransportFixture.pes(0xE0, shown: 5, decoded: 4, payload: [9])) { _ = PESHeader(damaged) }
    }

    @Test func theClockGoesOnPastItsEnd() {
        let period = TransportClock.period
        #expect(TransportClock.unwrapped(100, near: period - 100) == period + 100)
        #expect(TransportClock.unwrapped(period - 100, near: period + 100) == period - 100)
        #expect(TransportClock.unwrapped(period - 100, near: 100) == -100)
        #expect(TransportClock.unwrapped(5, from: period * 3 + 6) == period * 4 + 5)
    }

    @Test(arguments: [188, 192, 204])
    func framingsAreTold(stride: Int) throws {
        let bytes = TransportFixture.wild(seed: 3, seconds: 2, stride: stride).bytes
        for junk in [0, 1, 187, 500] {
            let framing = try #require(try PacketFraming.detect(ByteWindow([UInt8](repeating: 0x11, count: junk) + bytes)))
            #expect(framing.stride == stride)
            #expect(framing.firstSync == Int64(junk + (stride == 192 ? 4 : 0)))
        }
        #expect(try PacketFraming.detect(ByteWindow([UInt8](repeating: 0, count: 5000))) == nil)
        #expect(try PacketFraming.detect(ByteWindow([])) == nil)
    }
}
