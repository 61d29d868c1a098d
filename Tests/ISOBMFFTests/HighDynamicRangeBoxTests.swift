import BitsAndTime
import Foundation
import ISOBMFF
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct HighDynamicRangeBoxTests {
    /// P3-D65 at 1000 cd/m².
    private static let display = MasteringDisplay(
        green: .init(x: 13250, y: 34500), blue: .init(x: 7500, y: 3000), red: .init(x: 34000, y: 16000), whitePoint: .init(x: 15635, y: 16450),
        maximumLuminance: 10_000_000, minimumLuminance: 1)
    private static let light = ContentLightLevel(maximumContent: 1000, maximumPictureAverage: 400)

    private static func segment(_ boxes: [RawBox], typed: Bool) -> InitializationSegment {
        InitializationSegment(
            timescale: 24_000,
            sampleEntry: .visual(
                VisualSampleEntry(
                    format: "hvc1", width: 64, height: 64, configurationBoxes: boxes, masteringDisplay: typed ? display : nil, contentLight: typed ? light : nil)))
    }

    @Test func bytesOfTheStandard() throws {
        var writer = ByteWriter()
        Self.display.serialize(into: &writer)
        Self.light.serialize(into: &writer)
        #expect(
            writer.bytes == [
                0, 0, 0, 32, 0x6D, 0x64, 0x63, 0x76, 0x33, 0xC2, 0x86, 0xC4, 0x1D, 0x4C, 0x0B, 0xB8, 0x84, 0xD0, 0x3E, 0x80, 0x3D, 0x13, 0x40, 0x42,
                0, 0x98, 0x96, 0x80, 0, 0, 0, 1, 0, 0, 0, 12, 0x63, 0x6C, 0x6C, 0x69, 0x03, 0xE8, 0x01, 0x90,
            ])
        let boxes = try Box.sequence(in: writer.bytes[...])
        #expect(try MasteringDisplay(parsing: boxes[0]) == Self.display && ContentLightLevel(parsing: boxes[1]) == Self.light)
        for bytes in Damage.truncations(of: Array(boxes[0].payload)) {
            #expect(throws: ParseError.self) { try MasteringDisplay(parsing: Box.sequence(in: Self.boxed("mdcv", bytes)[...])[0]) }
        }
    }

    private static func boxed(_ type: FourCharacterCode, _ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        RawBox(type: type, payload: payload).serialize(into: &writer)
        return writer.bytes
    }

    @Test func inASampleEntry() throws {
        let segment = Self.segment([RawBox(type: "hvcC", payload: [1])], typed: true)
        #expect(try InitializationSegment(parsing: segment.serialized()) == segment)
        for bytes in Damage.all(of: segment.serialized(), mutations: 1000) {
            if let parsed = try? InitializationSegment(parsing: bytes) { _ = parsed.serialized() }
        }
    }

    @Test func onesOfAnotherSizeAreKept() throws {
        let segment = Self.segment([RawBox(type: "mdcv", payload: [1, 2, 3]), RawBox(type: "clli", payload: [0, 0, 0, 0, 0])], typed: false)
        #expect(try InitializationSegment(parsing: segment.serialized()) == segment)
    }

    @Test func ofTwoTheFirstCounts() throws {
        let second = [RawBox(type: "clli", payload: [9, 9, 9, 9]), RawBox(type: "mdcv", payload: [UInt8](repeating: 9, count: 24))]
        let bytes = Self.segment(second, typed: true).serialized()
        let parsed = try InitializationSegment(parsing: bytes)
        #expect(try InitializationSegment(parsing: parsed.serialized()) == parsed)
        guard case .visual(let entry) = parsed.sampleEntry else { throw Fixture.Missing() }
        // What is kept raw is written first.
        #expect(entry.contentLight == ContentLightLevel(maximumContent: 0x909, maximumPictureAverage: 0x909))
        #expect(entry.configurationBoxes.isEmpty)
    }

    /// ffprobe, which nobody here wrote, sees the same numbers.
    @Test func ffprobeReadsThem() throws {
        let folder = try Fixture.folder()
        let source = try folder.makeBlocking(
            "hdr.mp4", "-f lavfi -i testsrc2=s=64x64:r=24:d=1 -c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=24 -tag:v hvc1 -movflags frag_keyframe+empty_moov+default_base_moof")
        let bytes = try Fixture.bytes(source)
        var segment = try InitializationSegment(parsing: bytes)
        guard case .visual(var entry) = segment.sampleEntry else { throw Fixture.Missing() }
        entry.masteringDisplay = Self.display
        entry.contentLight = Self.light
        segment.sampleEntry = .visual(entry)
        var written = segment.serialized()
        for parsed in try MovieFragment.parse(segment: bytes) { written += parsed.fragment.serializedHeader() + parsed.sampleRanges.flatMap { bytes[$0] } }
        let file = folder.url("hdr-ours.mp4")
        try Fixture.write(written, to: file)
        let said = try FFmpegFixture.run(["ffprobe", "-v", "error", "-show_entries", "stream_side_data", "-of", "compact", file.path])
        let text = String(decoding: said.output, as: UTF8.self)
        for field in ["red_x=34000/50000", "green_y=34500/50000", "blue_x=7500/50000", "max_luminance=10000000/10000", "max_content=1000", "max_average=400"] {
            #expect(text.contains(field), "\(field) in \(text)")
        }
    }
}
