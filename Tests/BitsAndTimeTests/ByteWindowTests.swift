import BitsAndTime
import Testing

@Suite struct ByteWindowTests {
    static let file = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    @Test func whatIsAskedForComesWhateverTheOrder() throws {
        let window = ByteWindow(Self.file)
        for (offset, count) in [(0, 12), (5, 12), (4090, 12), (2_000_000, 300), (1_999_999, 1), (2_999_990, 10), (17, 100_000), (0, 262_144)] {
            let bytes = try #require(try window.bytes(at: Int64(offset), count: count))
            #expect(Array(bytes) == Array(Self.file[offset..<(offset + count)]))
        }
        #expect(try window.bytes(at: 2_999_990, count: 11) == nil)
        #expect(try window.run(at: 2_999_990, atLeast: 11).count == 10)
        #expect(try window.run(at: 3_000_000, atLeast: 1).isEmpty)
        #expect(try window.run(at: -1, atLeast: 1).isEmpty)
        #expect(try window.copy(at: 100, count: 900_000) == Array(Self.file[100..<900_100]))
        #expect(try window.copy(at: 2_999_000, count: 5000).count == 1000)
    }

    @Test func jumpsReadLittleAndStretchesMuch() throws {
        let jumping = ByteWindow(Self.file)
        for offset in stride(from: 0, to: 3_000_000, by: 200_000) { _ = try jumping.bytes(at: Int64(offset), count: 12) }
        #expect(jumping.reads == 15)
        #expect(jumping.bytesRead == 15 * 4096)

        let walking = ByteWindow(Self.file)
        for offset in stride(from: 0, to: 2_999_900, by: 100) { _ = try walking.bytes(at: Int64(offset), count: 12) }
        #expect(walking.reads < 24)
        #expect(walking.bytesRead < 3_010_000)
    }

    @Test func readsThatGiveLessThanAskedForGoOn() throws {
        let window = ByteWindow(byteCount: 1000) { offset, buffer in
            let count = min(7, 1000 - Int(offset), buffer.count)
            for i in 0..<count { buffer[i] = UInt8(truncatingIfNeeded: Int(offset) + i) }
            return count
        }
        #expect(try window.bytes(at: 40, count: 100).map(Array.init) == (40..<140).map { UInt8($0) })
    }

    @Test func openingsAreTheFirstKeyframesLateEnough() throws {
        var openings = SegmentOpenings(first: 2000, later: 6000, largestGap: 60_000)
        for time in stride(from: Int64(0), through: 20_000, by: 500) { try openings.consider(time: time, position: time * 10) }
        #expect(openings.openings.map(\.time) == [0, 2000, 8000, 14_000, 20_000])
        #expect(openings.target == 26_000)
        #expect(throws: KeyframeScanError.gap(ticks: 60_001)) { try openings.check(reached: 86_001) }
        #expect(throws: KeyframeScanError.gap(ticks: 60_001)) { try openings.consider(time: 86_001, position: 0) }
    }
}
