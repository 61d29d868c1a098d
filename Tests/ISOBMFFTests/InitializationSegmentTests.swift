import BitsAndTime
import ISOBMFF
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct InitializationSegmentTests {
    private static let video = InitializationSegment(
        trackID: 3, timescale: 90_000, language: "ces",
        sampleEntry: .visual(
            VisualSampleEntry(
                format: "avc1", width: 720, height: 576, configurationBoxes: [RawBox(type: "avcC", payload: [1, 2, 3])],
                colour: ColourInformation(primaries: 9, transfer: 16, matrix: 9, isFullRange: true),
                pixelAspectRatio: PixelAspectRatio(horizontal: 64, vertical: 45), bitRate: BitRateBox(maximum: 9_000_000, average: 4_000_000))),
        presentationOffset: 7200, displayWidth: 1024, displayHeight: 576)

    private static let audio = InitializationSegment(
        timescale: 48_000,
        sampleEntry: .audio(
            AudioSampleEntry(
                format: "mp4a", channelCount: 6, sampleRate: 48_000, configurationBoxes: [RawBox(type: "esds", payload: [0, 0, 0, 0])],
                bitRate: BitRateBox(bufferByteCount: 1, maximum: 2, average: 3))))

    @Test func roundTrip() throws {
        for segment in [Self.video, Self.audio] {
            let bytes = segment.serialized()
            let parsed = try InitializationSegment(parsing: bytes)
            #expect(parsed == segment)
            #expect(parsed.serialized() == bytes)
        }
    }

    @Test func severalTracksRoundTrip() throws {
        let tracks = [Self.video, Self.audio]
        let bytes = InitializationSegment.serialized(tracks)
        #expect(try InitializationSegment.tracks(parsing: bytes) == tracks)
        #expect(try InitializationSegment(parsing: bytes) == tracks[0])
        #expect(try TrackExtends.defaults(initialization: bytes).keys.sorted() == [1, 3])
        let moov = try Box.sequence(in: bytes[...]).required("moov", in: "init").children(context: "moov")
        #expect(moov.map(\.type) == ["mvhd", "trak", "trak", "mvex"])
        #expect(moov[0].payload.suffix(4) == [0, 0, 0, 4], "the next track's ID")
        for bytes in Damage.all(of: bytes, mutations: 500) { _ = try? InitializationSegment.tracks(parsing: bytes) }
    }

    @Test func boxesAndBrandsOfCMAF() throws {
        let boxes = try Box.sequence(in: Self.video.serialized()[...])
        #expect(boxes.map(\.type) == ["ftyp", "moov"])
        let moov = try boxes[1].children(context: "moov")
        #expect(moov.map(\.type) == ["mvhd", "trak", "mvex"])
        #expect(try moov[1].children(context: "trak").map(\.type) == ["tkhd", "edts", "mdia"])
        let sound = try Box.sequence(in: Self.audio.serialized()[...])[1].children(context: "moov")
        #expect(try sound[1].children(context: "trak").map(\.type) == ["tkhd", "mdia"])
    }

    @Test func ratesThatTheFieldCannotHold() throws {
        let entry = AudioSampleEntry(format: "fLaC", channelCount: 2, sampleSizeBits: 24, sampleRate: 96_000, configurationBoxes: [])
        let parsed = try InitializationSegment(parsing: InitializationSegment(timescale: 96_000, sampleEntry: .audio(entry)).serialized())
        guard case .audio(let read) = parsed.sampleEntry else { throw Fixture.Missing() }
        #expect(read.sampleRate == 0 && read.sampleSizeBits == 24 && parsed.timescale == 96_000)
    }

    @Test func languagesThatAreNone() throws {
        for language in ["", "en", "ENG", "e1g", "český"] {
            let segment = InitializationSegment(timescale: 1, language: language, sampleEntry: Self.audio.sampleEntry)
            #expect(try InitializationSegment(parsing: segment.serialized()).language == "und")
        }
    }

    @Test func damageNeverTraps() {
        for segment in [Self.video, Self.audio] {
            for bytes in Damage.all(of: segment.serialized(), mutations: 3000) {
                if let parsed = try? InitializationSegment(parsing: bytes) { _ = parsed.serialized() }
            }
        }
    }

    @Test func filesOfFFmpegRead() throws {
        let file = try Fixture.folder().makeBlocking(
            "init.mp4",
            "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -c:v libx264 -preset ultrafast -vf setsar=4/3,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv -metadata:s:v language=deu")
        let segment = try InitializationSegment(parsing: try Fixture.bytes(file))
        #expect(segment.language == "deu" && segment.timescale == 12_800 && segment.trackID == 1)
        #expect(segment.displayWidth == 213 && segment.displayHeight == 90)
        guard case .visual(let entry) = segment.sampleEntry else { throw Fixture.Missing() }
        #expect(entry.format == "avc1" && entry.width == 160 && entry.height == 90)
        #expect(entry.colour == ColourInformation(primaries: 1, transfer: 1, matrix: 1, isFullRange: false))
        #expect(entry.pixelAspectRatio == PixelAspectRatio(horizontal: 4, vertical: 3))
        #expect(entry.configurationBoxes.map(\.type) == ["avcC"])
    }
}
