import BitsAndTime
import ISOBMFF
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct SegmentIndexTests {
    private static func bytes(_ index: SegmentIndex) -> [UInt8] {
        var writer = ByteWriter()
        index.serialize(into: &writer)
        return writer.bytes
    }

    private static func parse(_ bytes: [UInt8]) throws(ParseError) -> SegmentIndex {
        try SegmentIndex(parsing: try Box.sequence(in: bytes[...]).required("sidx", in: "test"))
    }

    @Test func bytesOfTheStandard() throws {
        let index = SegmentIndex(
            referenceID: 1, timescale: 1000, earliestPresentationTimeTicks: 80, firstOffset: 2,
            references: [.init(isIndex: true, byteCount: 0x7FFF_FFFF, durationTicks: 6000, startsWithSAP: false, sapType: 6, sapDeltaTimeTicks: 5)])
        let expected: [UInt8] = [
            0, 0, 0, 44, 0x73, 0x69, 0x64, 0x78, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0xE8, 0, 0, 0, 80, 0, 0, 0, 2, 0, 0, 0, 1,
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0x17, 0x70, 0x60, 0, 0, 5,
        ]
        #expect(Self.bytes(index) == expected)
        #expect(try Self.parse(expected) == index)
    }

    @Test(arguments: [(0, 0), (UInt64(UInt32.max), 1), (UInt64(UInt32.max) + 1, 0), (0, UInt64.max)] as [(UInt64, UInt64)])
    func versionsByValue(time: UInt64, offset: UInt64) throws {
        let index = SegmentIndex(
            referenceID: 9, timescale: 1, earliestPresentationTimeTicks: time, firstOffset: offset,
            references: [.init(byteCount: 0, durationTicks: 0), .init(byteCount: 7, durationTicks: .max)])
        let bytes = Self.bytes(index)
        #expect(bytes[8] == (max(time, offset) > UInt64(UInt32.max) ? 1 : 0))
        #expect(try Self.parse(bytes) == index)
        for short in Damage.truncations(of: bytes) { #expect(throws: ParseError.self) { try Self.parse(short) } }
        for bytes in Damage.mutations(of: bytes, count: 1000) {
            if let read = try? Self.parse(bytes) { #expect(try Self.parse(Self.bytes(read)) == read) }
        }
    }

    @Test func valuesTheFieldsCannotHold() throws {
        let reference = SegmentIndex.Reference(byteCount: .max, durationTicks: 1, sapType: 9, sapDeltaTimeTicks: .max)
        let index = SegmentIndex(
            referenceID: 1, timescale: 1, earliestPresentationTimeTicks: 0, references: Array(repeating: reference, count: 70_000))
        let read = try Self.parse(Self.bytes(index))
        #expect(read.references.count == 65_535)
        #expect(read.references[0] == .init(byteCount: 0x7FFF_FFFF, durationTicks: 1, sapType: 1, sapDeltaTimeTicks: 0x0FFF_FFFF))
    }

    /// ffmpeg's index of its fragments leads from each to the next.
    @Test func filesOfFFmpeg() throws {
        let file = try Fixture.folder().makeBlocking(
            "sidx.mp4", "-f lavfi -i testsrc2=s=64x64:r=24:d=3 -c:v libx264 -preset ultrafast -g 24 -movflags frag_keyframe+empty_moov+default_base_moof+global_sidx")
        let bytes = try Fixture.bytes(file)
        let boxes = try Box.sequence(in: bytes[...])
        let at = try #require(boxes.firstIndex { $0.type == "sidx" })
        let index = try SegmentIndex(parsing: boxes[at])
        #expect(index.references.count == 3 && index.references.allSatisfy { !$0.isIndex && $0.durationTicks == index.timescale })
        var offset = boxes[at].payload.endIndex + Int(index.firstOffset)
        for (reference, moof) in zip(index.references, boxes.filter { $0.type == "moof" }) {
            #expect(moof.offset == offset)
            offset += Int(reference.byteCount)
        }
        #expect(try Self.parse(Self.bytes(index)) == index)
    }
}
