import BitsAndTime
import Matroska
import Testing

struct ElementTests {
    @Test(arguments: [
        ([0x1A, 0x45, 0xDF, 0xA3, 0x9F], ElementID.ebml, ElementHeader.Size.known(31)),
        ([0xEC, 0x40, 0x02], .void, .known(2)),
        ([0x42, 0x82, 0x88], .docType, .known(8)),
        ([0x2A, 0xD7, 0xB1, 0x10, 0x00, 0x00, 0x03], .timestampScale, .known(3)),
        ([0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .segment, .unknown),
        ([0x1F, 0x43, 0xB6, 0x75, 0xFF], .cluster, .unknown),
        ([0xEC, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], .void, .known((1 << 56) - 2)),
    ] as [([UInt8], ElementID, ElementHeader.Size)])
    func headersReadAndWriteBack(_ bytes: [UInt8], _ id: ElementID, _ size: ElementHeader.Size) throws {
        var reader = ByteReader(bytes)
        let header = try ElementHeader(parsing: &reader)
        #expect(header.id == id)
        #expect(header.size == size)
        #expect(header.byteCount == bytes.count)
        var writer = ByteWriter()
        header.serialize(into: &writer)
        #expect(writer.bytes == bytes)
        for count in 0..<bytes.count {
            var short = ByteReader(bytes[..<count])
            #expect(throws: ParseError.self) { try ElementHeader(parsing: &short) }
        }
    }

    @Test(arguments: [[0x00, 0x80], [0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0x80], [0xFF, 0x80], [0x80, 0x80], [0xEC, 0x00]] as [[UInt8]])
    func reservedIdentifiersAndOverlongSizesAreMalformed(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        #expect { try ElementHeader(parsing: &reader) } throws: { ($0 as? ParseError)?.kind == .malformed }
    }

    @Test func aSizeOfAllOnesTakesOneByteMore() {
        #expect(ElementHeader(id: .void, size: .known(126)).sizeByteCount == 1)
        #expect(ElementHeader(id: .void, size: .known(127)).sizeByteCount == 2)
        #expect(ElementHeader(id: .void, size: .known(16_383)).sizeByteCount == 3)
    }

    @Test func valuesOfNoBytesAreZeroAndFloatsComeInTwoSizes() throws {
        var values: [Double] = []
        let bytes: [UInt8] = [0x44, 0x89, 0x80] + [0x44, 0x89, 0x84, 0x44, 0x7A, 0x00, 0x00] + [0x44, 0x89, 0x88, 0x40, 0x8F, 0x40, 0, 0, 0, 0, 0]
        try Element.forEach(in: bytes[...], context: "t") { (element) throws(ParseError) in values.append(try element.float()) }
        #expect(values == [0, 1000, 1000])
    }

    @Test func errorsCarryTheOffsetFromTheStart() {
        let bytes: [UInt8] = [0xEC, 0x81, 0x00, 0xEC, 0x85, 0x00]
        #expect { try Element.forEach(in: bytes[...], context: "Cues") { _ in } } throws: { error in
            (error as? ParseError)?.offset == 3 && (error as? ParseError)?.kind == .truncated
        }
    }

    @Test func informationHasDefaultsAndRefusesAZeroScale() throws {
        #expect(try SegmentInformation(parsing: []) == SegmentInformation())
        let zero = MatroskaFixture.integer(.timestampScale, 0)
        #expect(throws: ParseError.self) { try SegmentInformation(parsing: zero[...]) }
        let nan = MatroskaFixture.integer(.duration, Double.nan.bitPattern)
        #expect(try SegmentInformation(parsing: nan[...]).durationTicks == nil)
    }

    @Test func timesAreExact() {
        #expect(SegmentInformation().time(ticks: 41) == MediaTime(ticks: 41, timescale: 1000))
        #expect(SegmentInformation(timestampScale: 20_833).time(ticks: 2) == MediaTime(ticks: 41_666, timescale: 1_000_000_000))
        #expect(SegmentInformation(timestampScale: .max).time(ticks: 2) == nil)
        #expect(SegmentInformation(durationTicks: 1000.5).duration == MediaTime(ticks: 1_000_500_000, timescale: 1_000_000_000))
        #expect(SegmentInformation(durationTicks: 1e300).duration == nil)
    }

    @Test func cuePointsOfSeveralTracksBecomeSeveral() throws {
        let one = CuePoint(timeTicks: 0, track: 1, clusterPosition: 100)
        let two = CuePoint(timeTicks: 2000, track: 2, clusterPosition: 900)
        let bytes = MatroskaFixture.cues([one, two])
        var reader = ByteReader(bytes)
        let header = try ElementHeader(parsing: &reader)
        let payload = reader.readRemaining()
        #expect(header.payloadByteCount == Int64(payload.count))
        #expect(try CuePoint.parse(cues: payload) == [one, two])
        for count in payload.indices.dropFirst() where count != payload.startIndex + payload.count / 2 {
            #expect(throws: ParseError.self) { try CuePoint.parse(cues: payload[..<count]) }
        }
        let positions = MatroskaFixture.element(
            .cueTrackPositions, MatroskaFixture.integer(.cueTrack, 1) + MatroskaFixture.integer(.cueClusterPosition, 5))
        let shared = MatroskaFixture.element(.cuePoint, MatroskaFixture.integer(.cueTime, 7) + positions + positions)
        #expect(try CuePoint.parse(cues: shared[...]).count == 2)
        let bare = MatroskaFixture.element(.cuePoint, MatroskaFixture.integer(.cueTime, 7))
        #expect(throws: ParseError.self) { try CuePoint.parse(cues: bare[...]) }
    }

    @Test func mutatedBytesNeverTrap() {
        var random = SeededGenerator(seed: 7)
        let cues = Array(MatroskaFixture.cues((0..<6).map { CuePoint(timeTicks: $0 * 1000, track: 1, clusterPosition: $0 * 500) }).dropFirst(8))
        let seeks = Array(MatroskaFixture.seekHead([(.cues, 5), (.info, 9)]).dropFirst(5))
        for _ in 0..<3000 {
            for base in [cues, seeks, Array(MatroskaFixture.info.dropFirst(5))] {
                var bytes = base
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                _ = try? CuePoint.parse(cues: bytes[...])
                _ = try? SeekEntry.parse(seekHead: bytes[...])
                _ = (try? SegmentInformation(parsing: bytes[...]))?.duration
            }
        }
    }
}
