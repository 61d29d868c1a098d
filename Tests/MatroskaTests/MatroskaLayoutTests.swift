import BitsAndTime
import Matroska
import Testing

struct MatroskaLayoutTests {
    private typealias Fixture = MatroskaFixture

    private static let clusters = (0..<6).map { Fixture.cluster(at: $0 * 2000) }

    /// EBML, Segment of known size, SeekHead to the Cues at `position`, Info, Tracks, padding, `middle`.
    private static func file(cuesAt position: UInt64?, _ rest: [UInt8], isSized: Bool = true) -> [UInt8] {
        let seek = Fixture.seekHead([(.info, 0)] + (position.map { [(.cues, $0)] } ?? []))
        let body = seek + Fixture.info + Fixture.tracks + Fixture.element(.void, [UInt8](repeating: 0, count: 30)) + rest
        return Fixture.ebml + (isSized ? Fixture.element(.segment, body, sizeByteCount: 8) : Fixture.unsized(.segment, body))
    }

    private static func headByteCount(cues: Bool) -> UInt64 {
        let empty = file(cuesAt: cues ? 0 : nil, [])
        return UInt64(empty.count - Fixture.ebml.count - 12)
    }

    private static func tailIndexed() -> (file: [UInt8], points: [CuePoint]) {
        let head = headByteCount(cues: true)
        let step = Int64(clusters[0].count)
        let points = (0..<6).map { CuePoint(timeTicks: $0 * 2000, track: 1, clusterPosition: Int64(head) + $0 * step) }
        let media = clusters.flatMap(\.self)
        return (file(cuesAt: head + UInt64(media.count), media + Fixture.cues(points)), points)
    }

    @Test func cuesBehindTheMediaAreFoundThroughTheSeekHead() throws {
        let (file, points) = Self.tailIndexed()
        let layout = try MatroskaLayout.scan(read: Fixture.reader(file))
        #expect(layout.docType == "matroska")
        #expect(layout.indexLocation == .tail)
        #expect(layout.ending == .found)
        #expect(layout.information?.duration == MediaTime(ticks: 12, timescale: 1))
        let first = try #require(layout.firstClusterOffset)
        #expect(Array(file[Int(first)..<Int(first) + 4]) == [0x1F, 0x43, 0xB6, 0x75])
        #expect(layout.metadataEnd == first - 32)  // The padding is no metadata.
        let cues = try #require(layout.cues)
        #expect(cues.end == Int64(file.count))
        #expect(try CuePoint.parse(cues: file[Int(cues.payloadOffset)..<Int(cues.end)]) == points)
        for point in points {
            let offset = Int(try #require(layout.fileOffset(ofPosition: point.clusterPosition)))
            #expect(Array(file[offset..<offset + 4]) == [0x1F, 0x43, 0xB6, 0x75])
        }
    }

    @Test func cuesBeforeTheMediaAreAtTheHead() throws {
        let file = Self.file(cuesAt: nil, Fixture.cues([CuePoint(timeTicks: 0, track: 1, clusterPosition: 1)]) + Self.clusters[0])
        #expect(try MatroskaLayout.scan(read: Fixture.reader(file)).indexLocation == .head)
    }

    @Test func onlyAWholeWalkProvesThatThereIsNone() throws {
        for isSized in [true, false] {
            let file = Self.file(cuesAt: nil, Self.clusters.flatMap(\.self), isSized: isSized)
            let whole = try MatroskaLayout.scan(read: Fixture.reader(file))
            #expect(whole.indexLocation == .none)
            #expect(whole.ending == .endOfSegment)
            let hurried = try MatroskaLayout.scan(
                budget: .init(reads: 7, bytes: 1 << 20, blockByteCount: 16), read: Fixture.reader(file))
            #expect(hurried.indexLocation == .unknown)
            #expect(hurried.ending == .budgetExhausted)
            for cut in [1, 50, Self.clusters[0].count * 2 + 3] {
                let layout = try MatroskaLayout.scan(read: Fixture.reader(file.dropLast(cut)))
                #expect(layout.indexLocation == .unknown)
                #expect(layout.ending == .truncated)
            }
        }
    }

    @Test func cuesThatNoSeekHeadNamesAreFoundByTheWalk() throws {
        let file = Self.file(
            cuesAt: nil, Self.clusters.flatMap(\.self) + Fixture.cues([CuePoint(timeTicks: 0, track: 1, clusterPosition: 1)]))
        let layout = try MatroskaLayout.scan(read: Fixture.reader(file))
        #expect(layout.indexLocation == .tail)
    }

    @Test func aPlaceWhereNoCuesLieIsNotBelieved() throws {
        let file = Self.file(cuesAt: 3, Fixture.unsized(.cluster, Self.clusters[0]))
        let layout = try MatroskaLayout.scan(read: Fixture.reader(file))
        #expect(layout.seekEntries.contains(SeekEntry.parseOne(.cues, 3)))
        #expect(layout.indexLocation == .unknown)
        #expect(!layout.declaresNoCues)
        #expect(layout.ending == .unsizedCluster)
    }

    @Test func aSecondSeekHeadBehindTheMediaIsFollowed() throws {
        let probe = Self.headWithChain(0, [])
        let media = Fixture.unsized(.cluster, Self.clusters[0])
        let chainAt = UInt64(probe.count - Fixture.ebml.count - 12 + media.count)
        let chainLength = UInt64(Fixture.seekHead([(.cues, 0)]).count)
        let tail = Fixture.seekHead([(.cues, chainAt + chainLength)]) + Fixture.cues([CuePoint(timeTicks: 0, track: 1, clusterPosition: 0)])
        let layout = try MatroskaLayout.scan(read: Fixture.reader(Self.headWithChain(chainAt, media + tail)))
        #expect(layout.indexLocation == .tail)
        let cut = try MatroskaLayout.scan(read: Fixture.reader(Self.headWithChain(chainAt, media)))
        #expect(cut.hasUnreadSeekHeads && !cut.declaresNoCues)
    }

    private static func headWithChain(_ position: UInt64, _ rest: [UInt8]) -> [UInt8] {
        Fixture.ebml + Fixture.element(.segment, Fixture.seekHead([(.seekHead, position)]) + Fixture.info + rest, sizeByteCount: 8)
    }

    @Test func completenessComparesTheLastPointWithTheLastCluster() throws {
        let (file, points) = Self.tailIndexed()
        let read = Fixture.reader(file)
        let layout = try MatroskaLayout.scan(read: read)
        let tolerance = MediaTime(ticks: 3, timescale: 1)
        #expect(try layout.indexCompleteness(of: points, tolerance: tolerance, read: read) == .complete)
        #expect(try layout.indexCompleteness(of: Array(points.prefix(5)), tolerance: tolerance, read: read) == .complete)
        #expect(try layout.indexCompleteness(of: Array(points.prefix(3)), tolerance: tolerance, read: read) == .partial)
        #expect(try layout.indexCompleteness(of: [], tolerance: tolerance, read: read) == .absent)
        #expect(try layout.indexCompleteness(of: nil, tolerance: tolerance, read: read) == .unknown)
        let foreign = [CuePoint(timeTicks: 0, track: 1, clusterPosition: 0)]
        #expect(try layout.indexCompleteness(of: foreign, tolerance: tolerance, read: read) == .unknown)
        let cut = Fixture.reader(file.dropLast(300))
        #expect(try layout.indexCompleteness(of: points, tolerance: tolerance, read: cut) == .unknown)
    }

    @Test func readersThatGiveLittleAtATimeChangeNothing() throws {
        let (file, _) = Self.tailIndexed()
        let budget = MatroskaLayout.Budget(reads: 10_000, bytes: 1 << 22, blockByteCount: 64)
        let whole = try MatroskaLayout.scan(budget: budget, read: Fixture.reader(file))
        let reader = Fixture.reader(file)
        #expect(try MatroskaLayout.scan(budget: budget) { offset, count in Array(reader(offset, count).prefix(3)) } == whole)
    }

    @Test func aReadersErrorPassesThrough() {
        struct Broken: Error {}
        #expect(throws: Broken.self) { try MatroskaLayout.scan { _, _ in throw Broken() } }
    }

    @Test func anythingElseIsRefusedAndNoInputTraps() throws {
        for bytes in [[], [0x1A], Array("RIFF....AVI ".utf8), Fixture.ebml, Fixture.ebml + Fixture.info] as [[UInt8]] {
            #expect(throws: ParseError.self) { try MatroskaLayout.scan(read: Fixture.reader(bytes)) }
        }
        let (file, points) = Self.tailIndexed()
        for count in 0..<file.count { _ = try? MatroskaLayout.scan(read: Fixture.reader(Array(file.prefix(count)))) }
        var random = SeededGenerator(seed: 11)
        for _ in 0..<3000 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let layout = try? MatroskaLayout.scan(read: Fixture.reader(bytes)) else { continue }
            _ = try layout.indexCompleteness(of: points, read: Fixture.reader(bytes))
        }
    }
}

extension SeekEntry {
    fileprivate static func parseOne(_ id: ElementID, _ position: UInt64) -> SeekEntry {
        var reader = ByteReader(MatroskaFixture.seekHead([(id, position)]))
        guard (try? ElementHeader(parsing: &reader)) != nil, let entries = try? SeekEntry.parse(seekHead: reader.readRemaining()),
            let entry = entries.first
        else { preconditionFailure("the fixture writes what is parsed") }
        return entry
    }
}
