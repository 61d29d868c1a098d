import BitsAndTime
import Matroska
import TestSupport
import Testing

@Suite struct ClusterFrontScannerTests {
    private static let rule = SegmentOpenings(first: 2000, later: 6000, largestGap: 60_000)

    private struct NoTracks: Error {}

    private static func layout(_ file: [UInt8]) throws -> (MatroskaLayout, [TrackEntry]) {
        let window = ByteWindow(file)
        let layout = try MatroskaLayout.scan(stopsAtMedia: true) { try window.copy(at: $0, count: $1) }
        guard let place = layout.tracks else { throw NoTracks() }
        return (layout, try TrackEntry.parse(tracks: window.copy(at: place.payloadOffset, count: Int(place.payloadByteCount))[...]))
    }

    private static func scan(_ file: [UInt8], fronts: [Int64: ClusterFront] = [:]) throws -> (ClusterFrontScanner, ByteWindow) {
        let (layout, tracks) = try layout(file)
        let window = ByteWindow(file)
        let reader = ClusterFrontReader(window: window, layout: layout, track: 1)
        return (try ClusterFrontScanner(window: ByteWindow(file), layout: layout, tracks: tracks, track: 1, rule: rule) { try fronts[$0] ?? reader.front(at: $0) }, window)
    }

    @Test func whereEachKeyframeBeginsAClusterTheBlocksShowNoMore() throws {
        for seed in 0..<40 {
            var random = SeededRandom(seed: UInt64(seed))
            let length = Int.random(in: 20...160, using: &random)
            let file = Film.file(Film.clusters(count: 3000, pictures: length) { $0 % length == 0 })
            let (fronts, _) = try Self.scan(file)
            let (blocks, _) = try Film.scan(file)
            #expect(fronts.openings == blocks.openings, "seed \(seed)")
            #expect(fronts.endNanoseconds == blocks.endNanoseconds)
        }
    }

    @Test func aKeyframeInsideAClusterOpensNothing() throws {
        // Keyframes each 2 s, Clusters of 3 s: each other Cluster begins with one.
        let (scan, _) = try Self.scan(Film.file(Film.clusters(count: 1000, pictures: 75) { $0 % 50 == 0 }))
        #expect(scan.openings.map(\.time) == [0, 6000, 12_000, 18_000, 24_000, 30_000, 36_000])
    }

    @Test func oneReadAClusterIsEnough() throws {
        let file = Film.file(Film.clusters(count: 1000, pictures: 25, bytes: 20_000) { $0 % 25 == 0 })
        let (_, window) = try Self.scan(file)
        #expect(window.reads <= 41 && window.bytesRead <= 41 * Int64(ByteWindow.smallestRead))
    }

    @Test func aFrontTakenFromElsewhereIsOnlyOneThatTheWalkComesTo() throws {
        // A Cluster inside a picture's payload: it looks like one, and no size leads to it.
        let inner = Film.clusters(count: 2, pictures: 1) { _ in true }[0]
        var clusters = Film.clusters(count: 200, pictures: 25) { $0 % 25 == 0 }
        clusters.insert(
            MatroskaFixture.element(
                .cluster, MatroskaFixture.integer(.timestamp, 4000, byteCount: 4) + MatroskaFixture.element(.void, inner, sizeByteCount: 8), sizeByteCount: 8), at: 4)
        let file = Film.file(clusters)
        let (layout, _) = try Self.layout(file)
        let reader = ClusterFrontReader(window: ByteWindow(file), layout: layout, track: 1)
        var found: [Int64: ClusterFront] = [:]
        var place: Int64 = 0
        while let front = try reader.search(from: place, before: .max) {
            found[front.offset] = front
            place = front.offset + 1
        }
        #expect(found.count == clusters.count + 1)
        #expect(try Self.scan(file, fronts: found).0.openings == Self.scan(file).0.openings)
    }

    @Test func searchesEndWhereTheyAreTold() throws {
        let file = Film.file(Film.clusters(count: 100, pictures: 25) { $0 % 25 == 0 })
        let (layout, _) = try Self.layout(file)
        let reader = ClusterFrontReader(window: ByteWindow(file), layout: layout, track: 1)
        let first = try #require(layout.firstClusterOffset)
        let second = try #require(try reader.front(at: first)).end
        #expect(try reader.search(from: first + 1, before: second) == nil)
        #expect(try reader.search(from: first + 1, before: second + 1)?.offset == second)
    }

    @Test func clustersOfUnknownSizeAreNotFollowed() throws {
        let file = Film.file(Film.clusters(count: 100, pictures: 25, unsized: true) { $0 % 25 == 0 })
        #expect(throws: KeyframeScanError.self) { try Self.scan(file) }
    }

    @Test func filesCutAnywhereEndWhereTheyWereCut() throws {
        let file = Film.file(Film.clusters(count: 300, pictures: 25) { $0 % 25 == 0 })
        for cut in stride(from: file.count, to: 0, by: -97) {
            guard let layout = try? Self.layout(Array(file[..<cut])), layout.0.firstClusterOffset != nil, let (scan, _) = try? Self.scan(Array(file[..<cut])) else { continue }
            #expect(scan.openings.first?.time == 0)
            #expect(scan.endNanoseconds <= 12_000_000_000)
            // A last Cluster that is cut short opens a segment as a whole one does.
            let (blocks, _) = try Film.scan(Array(file[..<cut]))
            #expect(scan.openings == blocks.openings, "cut at \(cut)")
        }
    }

    @Test func damageNeverTraps() throws {
        let file = Film.file(Film.clusters(count: 30, pictures: 20) { $0 % 20 == 0 })
        var random = SeededRandom(seed: 11)
        for _ in 0..<400 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...8, using: &random) { damaged[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            guard let layout = try? Self.layout(damaged), layout.0.firstClusterOffset != nil else { continue }
            _ = try? Self.scan(damaged)
        }
    }
}
