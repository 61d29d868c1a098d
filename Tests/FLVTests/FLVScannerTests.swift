import BitsAndTime
import FLV
import TestSupport
import Testing

@Suite struct FLVScannerTests {
    static func tag(_ type: UInt8, _ time: Int, _ payload: [UInt8]) -> [UInt8] {
        let size = payload.count
        let header: [UInt8] = [type, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF), UInt8(time >> 16 & 0xFF), UInt8(time >> 8 & 0xFF), UInt8(time & 0xFF), UInt8(time >> 24), 0, 0, 0]
        let length = size + 11
        return header + payload + [UInt8(length >> 24), UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
    }

    static func film(pictures: Int, gop: Int, from: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = [0x46, 0x4C, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]
        bytes += tag(18, 0, Array("onMetaData".utf8)) + tag(9, 0, [0x17, 0, 0, 0, 0, 1, 100])
        for n in 0..<pictures {
            bytes += tag(9, from + n * 40, [n % gop == 0 ? 0x17 : 0x27, 1, 0, 0, 80] + [UInt8](repeating: 3, count: 200))
            bytes += tag(8, from + n * 40, [0xAF, 1] + [UInt8](repeating: 4, count: 20))
        }
        return bytes
    }

    static func scan(_ bytes: [UInt8]) throws -> FLVScanner {
        try FLVScanner(window: ByteWindow(bytes), rule: SegmentOpenings(first: 2000, later: 6000, largestGap: 60_000))
    }

    @Test func openingsAreKeyframeTagsAndNotConfigurations() throws {
        let bytes = Self.film(pictures: 500, gop: 50)
        let scan = try Self.scan(bytes)
        #expect(scan.openings.map(\.time) == [0, 2000, 8000, 14_000])
        #expect(scan.end == 20_000)
        for opening in scan.openings { #expect(bytes[Int(opening.position)] == 9 && bytes[Int(opening.position) + 11] == 0x17) }
    }

    @Test func timesPast24BitsGoOn() throws {
        #expect(try Self.scan(Self.film(pictures: 500, gop: 50, from: 0xFF_FF00)).openings.last?.time == 0xFF_FF00 + 14_000)
    }

    @Test func damageIsStrodeOverAndJumpsHaveNoPlan() throws {
        var bytes = Self.film(pictures: 500, gop: 50)
        for i in 40_000..<40_400 { bytes[i] = 0x55 }
        #expect(try Self.scan(bytes).openings.map(\.time) == [0, 2000, 8000, 14_000])
        let twice = Self.film(pictures: 500, gop: 50) + Self.film(pictures: 500, gop: 50).dropFirst(13)
        #expect(throws: KeyframeScanError.clockJumps(at: 0)) { try Self.scan(twice) }
        #expect(throws: KeyframeScanError.layout("no FLV header")) { try Self.scan([1, 2, 3]) }
    }

    @Test func spoiltFilesEndInAnAnswerOrAnError() {
        let bytes = Self.film(pictures: 60, gop: 12)
        for spoilt in Damage.mutations(of: bytes, count: 2000) { _ = try? Self.scan(spoilt) }
        for cut in stride(from: 0, to: bytes.count, by: 7) { _ = try? Self.scan(Array(bytes[..<cut])) }
    }
}
