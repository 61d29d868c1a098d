import BitsAndTime
import MPEGTS
import TestSupport
import Testing

@Suite struct TransportScannerTests {
    @Test func openingsAreTheFirstKeyframesLateEnough() throws {
        var fixture = TransportFixture()
        for n in 0..<1000 {
            let time = Int64(n) * 3600
            fixture.append(.init(shown: time + 7200, decoded: time, isKey: n % 50 == 0, byteCount: 100))
        }
        let scan = try TransportFixture.scan(fixture.bytes).scan
        #expect(scan.openings.map { ($0.time - 7200) / 90_000 } == [0, 2, 8, 14, 20, 26, 32, 38])
        #expect(scan.end == 1000 * 3600 + 7200)
        for opening in scan.openings { #expect(fixture.bytes[Int(opening.position)] == 0x47) }
    }

    @Test func jumpingFindsWhatReadingAllFinds() throws {
        for seed in 0..<40 {
            let stride = PacketFraming.strides[seed % 3]
            // Some begin just before the clock's end.
            let start = seed % 4 == 0 ? TransportClock.period - 900_000 : Int64(seed) * 1_000_000
            let bytes = TransportFixture.wild(seed: UInt64(seed), seconds: 60, stride: stride, start: start).bytes
            let (jumping, _) = try TransportFixture.scan(bytes)
            let (whole, _) = try TransportFixture.scan(bytes, jumps: false)
            #expect(jumping.openings == whole.openings, "seed \(seed)")
            #expect(jumping.end == whole.end, "seed \(seed)")
            #expect(zip(whole.openings, whole.openings.dropFirst()).allSatisfy { $0.time < $1.time && $0.position < $1.position })
        }
    }

    @Test func mostOfALongStreamIsNotRead() throws {
        var fixture = TransportFixture()
        for n in 0..<3000 {
            let time = Int64(n) * 3600
            fixture.append(.init(shown: time, decoded: time, isKey: n % 50 == 0, byteCount: n % 50 == 0 ? 60_000 : 8000))
        }
        let (scan, window) = try TransportFixture.scan(fixture.bytes)
        #expect(scan.openings.count == 21)
        #expect(window.bytesRead < Int64(fixture.bytes.count) / 2)
    }

    @Test func damageIsStrodeOver() throws {
        var bytes = TransportFixture.wild(seed: 5, seconds: 60).bytes
        let clean = try TransportFixture.scan(bytes).scan
        // A piece of no whole number of packets is gone behind the last opening but one.
        let at = Int(clean.openings[clean.openings.count - 2].position) + 188 * 40
        bytes.removeSubrange(at..<(at + 1000))
        #expect(try TransportFixture.scan(bytes).scan.openings.map(\.time) == clean.openings.map(\.time))
    }

    @Test func joinedRecordingsHaveNoPlan() {
        let bytes = TransportFixture.wild(seed: 6, seconds: 40).bytes
        #expect(throws: KeyframeScanError.self) { try TransportFixture.scan(bytes + bytes) }
        let later = TransportFixture.wild(seed: 6, seconds: 40, start: 900_000 + 90_000 * 3600).bytes
        #expect(throws: KeyframeScanError.self) { try TransportFixture.scan(bytes + later) }
    }

    @Test func streamsWithoutKeyframesOrPacketsHaveNoPlan() {
        var fixture = TransportFixture()
        for n in 0..<100 { fixture.append(.init(shown: Int64(n) * 3600, decoded: Int64(n) * 3600, isKey: false, byteCount: 100)) }
        #expect(throws: KeyframeScanError.noKeyframe) { try TransportFixture.scan(fixture.bytes) }
        #expect(throws: KeyframeScanError.layout("no transport packets")) { try TransportFixture.scan([UInt8](repeating: 1, count: 9000)) }
    }

    @Test func spoiltStreamsEndInAnAnswerOrAnError() {
        let bytes = TransportFixture.wild(seed: 9, seconds: 4).bytes
        for spoilt in Damage.mutations(of: bytes, count: 300) { _ = try? TransportFixture.scan(spoilt) }
        for cut in stride(from: 0, to: min(bytes.count, 40_000), by: 61) { _ = try? TransportFixture.scan(Array(bytes[..<cut])) }
        for offset in 1..<188 { _ = try? TransportFixture.scan(Array(bytes.dropFirst(offset).prefix(60_000))) }
    }
}
