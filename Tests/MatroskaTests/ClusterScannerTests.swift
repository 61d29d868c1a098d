import BitsAndTime
import Matroska
import TestSupport
import Testing

/// Files of one picture and one sound track, made block by block.
struct Film {
    typealias Make = MatroskaFixture

    static let tracks = Make.element(
        .tracks,
        Make.element(.trackEntry, Make.integer(.trackNumber, 1, byteCount: 1) + Make.integer(.trackType, 1, byteCount: 1) + Make.integer(.defaultDuration, 40_000_000, byteCount: 4))
            + Make.element(.trackEntry, Make.integer(.trackNumber, 2, byteCount: 1) + Make.integer(.trackType, 2, byteCount: 1)))

    static func block(_ track: UInt8, _ relative: Int16, key: Bool, bytes: Int, flags: UInt8 = 0) -> [UInt8] {
        let time = UInt16(bitPattern: relative)
        return Make.element(.simpleBlock, [0x80 | track, UInt8(time >> 8), UInt8(time & 0xFF), flags | (key ? 0x80 : 0)] + [UInt8](repeating: 0xAA, count: bytes), sizeByteCount: 3)
    }

    static func group(_ track: UInt8, _ relative: Int16, key: Bool, bytes: Int, duration: UInt64) -> [UInt8] {
        let time = UInt16(bitPattern: relative)
        let body = Make.element(.block, [0x80 | track, UInt8(time >> 8), UInt8(time & 0xFF), 0] + [UInt8](repeating: 0xAA, count: bytes), sizeByteCount: 3)
        return Make.element(.blockGroup, body + (key ? [] : Make.integer(.referenceBlock, 40, byteCount: 1)) + Make.integer(.blockDuration, duration, byteCount: 2), sizeByteCount: 3)
    }

    static func file(_ clusters: [[UInt8]]) -> [UInt8] {
        Make.ebml + Make.unsized(.segment, Make.info + tracks + clusters.flatMap { $0 })
    }

    /// A picture each 40 ms with keyframes where `isKey` says, in Clusters of `pictures`; each picture leads by its reordering.
    static func clusters(count: Int, pictures: Int, unsized: Bool = false, grouped: Bool = false, bytes: Int = 40, isKey: (Int) -> Bool) -> [[UInt8]] {
        stride(from: 0, to: count, by: pictures).map { first in
            var body = Make.integer(.timestamp, UInt64(first * 40), byteCount: 4)
            for n in first..<min(count, first + pictures) {
                let relative = Int16((n - first) * 40)
                body += grouped ? group(1, relative, key: isKey(n), bytes: bytes, duration: 40) : block(1, relative, key: isKey(n), bytes: bytes)
                body += block(2, relative, key: true, bytes: 9)
            }
            return unsized ? Make.unsized(.cluster, body) : Make.element(.cluster, body, sizeByteCount: 8)
        }
    }

    static func scan(_ file: [UInt8], skips: Bool = true, rule: SegmentOpenings = SegmentOpenings(first: 2000, later: 6000, largestGap: 60_000)) throws -> (ClusterScanner, ByteWindow) {
        let window = ByteWindow(file)
        let layout = try MatroskaLayout.scan { try window.copy(at: $0, count: $1) }
        guard let place = layout.tracks else { throw KeyframeScanError.layout("no Tracks") }
        let tracks = try TrackEntry.parse(tracks: window.copy(at: place.payloadOffset, count: Int(place.payloadByteCount))[...])
        let scanned = ByteWindow(file)
        return (try ClusterScanner(window: scanned, layout: layout, tracks: tracks, track: 1, rule: rule, skipsClusters: skips), scanned)
    }
}

@Suite struct ClusterScannerTests {
    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func openingsAndEndAreFoundByBlockHeaders(unsized: Bool, grouped: Bool) throws {
        let file = Film.file(Film.clusters(count: 1000, pictures: 30, unsized: unsized, grouped: grouped) { $0 % 50 == 0 })
        let (scan, _) = try Film.scan(file)
        #expect(scan.openings.map(\.time) == [0, 2000, 8000, 14_000, 20_000, 26_000, 32_000, 38_000])
        #expect(scan.endNanoseconds == 40_000_000_000)
        for opening in scan.openings { #expect(Array(file[Int(opening.position)..<Int(opening.position) + 4]) == [0x1F, 0x43, 0xB6, 0x75]) }
    }

    @Test func passingOverClustersFindsWhatReadingAllFinds() throws {
        for seed in 0..<60 {
            var random = SeededRandom(seed: UInt64(seed))
            let (length, gop) = (Int.random(in: 5...120, using: &random), Int.random(in: 1...200, using: &random))
            let odds = Double.random(in: 0...0.1, using: &random)
            var keys: Set<Int> = [0]
            for n in 1..<3000 where n % gop == 0 || Double.random(in: 0..<1, using: &random) < odds { keys.insert(n) }
            let file = Film.file(Film.clusters(count: 3000, pictures: length) { keys.contains($0) })
            let (jumping, _) = try Film.scan(file)
            let (whole, _) = try Film.scan(file, skips: false)
            #expect(jumping.openings == whole.openings, "seed \(seed)")
            #expect(jumping.endNanoseconds == whole.endNanoseconds)
        }
    }

    @Test func payloadsAreNotRead() throws {
        let file = Film.file(Film.clusters(count: 1000, pictures: 25, bytes: 20_000) { $0 % 50 == 0 })
        let (_, window) = try Film.scan(file)
        #expect(window.bytesRead < Int64(file.count) / 8)
    }

    @Test func aFileCutAnywhereIsPlannedAsFarAsItGoes() throws {
        let file = Film.file(Film.clusters(count: 300, pictures: 25) { $0 % 25 == 0 })
        for cut in stride(from: file.count, to: 0, by: -97) {
            guard let (scan, _) = try? Film.scan(Array(file[..<cut])) else { continue }
            #expect(scan.openings.first?.time == 0)
            #expect(scan.endNanoseconds <= 12_000_000_000)
            if cut == file.count { #expect(scan.openings.map(\.time) == [0, 2000, 8000]) }
        }
    }

    @Test func damageIsStrodeOver() throws {
        var clusters = Film.clusters(count: 1000, pictures: 25) { $0 % 25 == 0 }
        for i in 4..<200 { clusters[5][i] = 0 }
        clusters[20] = Array(clusters[20].dropFirst(9))
        let (scan, _) = try Film.scan(Film.file(clusters))
        #expect(scan.openings.map(\.time) == [0, 2000, 8000, 14_000, 21_000, 27_000, 33_000, 39_000])
    }

    @Test func aClockThatFallsBackAndASecondSegmentHaveNoPlan() throws {
        let clusters = Film.clusters(count: 400, pictures: 25) { $0 % 25 == 0 }
        #expect(throws: KeyframeScanError.clockJumps(at: 0)) { try Film.scan(Film.file(clusters + clusters)) }
        #expect(throws: KeyframeScanError.layout("several Segments")) { try Film.scan(Film.file(clusters) + Film.file(clusters)) }
        #expect(throws: KeyframeScanError.noKeyframe) { try Film.scan(Film.file(Film.clusters(count: 400, pictures: 25) { _ in false })) }
    }

    @Test func spoiltFilesEndInAnAnswerOrAnError() throws {
        let file = Film.file(Film.clusters(count: 120, pictures: 12) { $0 % 24 == 0 })
        for spoilt in Damage.mutations(of: file, count: 1500) { _ = try? Film.scan(spoilt) }
        for cut in 0..<min(file.count, 1200) { _ = try? Film.scan(Array(file[..<cut])) }
    }

    @Test func lacedBlocksLastAsLongAsTheirFrames() throws {
        var cluster = MatroskaFixture.integer(.timestamp, 0, byteCount: 4) + Film.block(1, 0, key: true, bytes: 20)
        // Three frames of fixed size, 40 ms each, behind the first.
        cluster += MatroskaFixture.element(.simpleBlock, [0x81, 0, 40, 0x04, 2] + [UInt8](repeating: 1, count: 30))
        let (scan, _) = try Film.scan(Film.file([MatroskaFixture.element(.cluster, cluster, sizeByteCount: 8)]))
        #expect(scan.endNanoseconds == 160_000_000)
    }
}
