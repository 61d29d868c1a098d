import BitsAndTime
import Foundation
import Subtitles
import TestSupport
import Testing

/// Files of others, outside the repository: `PRISM_MEDIA` names their folder.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["PRISM_MEDIA"] != nil, "PRISM_MEDIA names no folder of media"))
struct RealPicturesTests {
    private static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(path))) }
    private static func url(_ path: String) -> URL { URL(fileURLWithPath: ProcessInfo.processInfo.environment["PRISM_MEDIA"] ?? "").appendingPathComponent(path) }

    private static func read(_ cue: PictureCue, _ language: String) throws -> String {
        let recogniser = TesseractRecogniser()
        guard recogniser.absence(of: language) == nil else { return "" }
        return try cue.objects.flatMap { try recogniser.read(InkPicture($0)?.lines ?? [], language: language) { false } }.map(\.text).joined(separator: "\n")
    }

    @Test func picturesOfASupFileAreThoseOfAnotherDecoder() throws {
        let cues = try PictureFile(sup: try Self.bytes("subtitles/libpgs-js/test.sup")).cues(of: 0)
        #expect(milliseconds(cues) == [[1000, 2000], [3000, 4000]])
        // Their colours are not brought to the full range: where something is, and how opaque, is what can be compared.
        for (cue, name) in zip(cues, ["test-0", "test-2"]) {
            let theirs = try Self.bytes("subtitles/libpgs-js/\(name).rgba")
            var ours = [UInt8](repeating: 0, count: 128 * 64)
            for object in cue.objects {
                let rgba = object.rgba
                for place in object.pixels.indices { ours[(object.y + place / object.width) * 128 + object.x + place % object.width] = rgba[place * 4 + 3] }
            }
            #expect(ours == stride(from: 3, to: theirs.count, by: 4).map { theirs[$0] })
        }
        #expect(try Self.read(cues[0], "en") == "Hello World!")
        // What its own .srt says of it is not what it shows.
        #expect(try Self.read(cues[1], "en") == "Test\n:-)")
    }

    @Test func vobSubPairsAreReadFromMemory() throws {
        let folder = "subtitles/subtitles-rs/fixtures/"
        let file = try PictureFile(index: String(decoding: try Self.bytes(folder + "example.idx"), as: UTF8.self), subpictures: try Self.bytes(folder + "example.sub"))
        #expect(file.tracks.map(\.language) == ["de"])
        let cues = try file.cues(of: 0)
        let (fromDisk, _) = try pictureCues(in: Self.url(folder + "example.idx"))
        #expect(milliseconds(cues) == [[49466, 51172], [52636, 55969]])
        #expect(cues == fromDisk)
        #expect(try Self.read(cues[0], "de") == "Hi. Ich bin Dorie.")
        #expect(try Self.read(cues[1], "de") == "Ich leide an Gedächtnisverschwund.")
    }

    struct File: CustomTestStringConvertible {
        let path: String
        let text: String
        let times: [[Int64]]
        var unseen = 0
        var testDescription: String { path }
    }

    @Test(arguments: [
        File(path: "matroska/exo/mkv/sample_with_pgs_subtitles.mkv", text: "This is the first subtitle.", times: [[0, 1240]]),
        File(path: "matroska/exo/mkv/sample_with_vobsub.mkv", text: "This is the first subtitle.", times: [[0, 1228]]),
        // The second picture and its clear are at one instant, as ffmpeg once wrote them.
        File(path: "subtitles/subtitleedit/sample_TS_dvbsub_at_video_start.ts", text: "One", times: [[1600, 6500]], unseen: 1),
        File(path: "subtitles/subtitleedit/sample_TS_dvbsub_rs204.ts", text: "One", times: [[1600, 6500]], unseen: 1),
    ]) func containersAreRead(file: File) throws {
        let (cues, decoder) = try pictureCues(in: Self.url(file.path))
        #expect(milliseconds(cues) == file.times)
        #expect(decoder.statistics.damaged == 0 && decoder.statistics.unseen == file.unseen)
        #expect(try cues.map { try Self.read($0, "en") } == [file.text])
    }

    /// ffmpeg's own encoder of DivX's pictures, from a DVD's.
    @Test func picturesOfDivXAreRead() async throws {
        let folder = try FFmpegFixture()
        let index = Self.url("subtitles/subtitles-rs/fixtures/example.idx").path
        let url = try await folder.make("x.avi", "-i \(index) -c:s xsub")
        let (cues, decoder) = try pictureCues(in: url)
        // Its muxer puts the packets side by side and the times into them.
        #expect(milliseconds(cues).map { $0[1] - $0[0] } == [1706, 3333])
        #expect(try cues.map { try Self.read($0, "de") } == ["Hi. Ich bin Dorie.", "Ich leide an Gedächtnisverschwund."])
        #expect(decoder.statistics.damaged == 0)
    }

    @Test func picturesOfDVBAreRead() async throws {
        let folder = try FFmpegFixture()
        let index = Self.url("subtitles/subtitles-rs/fixtures/example.idx").path
        let url = try await folder.make("x.ts", "-i \(index) -c:s dvbsub")
        let (cues, _) = try pictureCues(in: url)
        #expect(milliseconds(cues).map { $0[1] - $0[0] } == [1706, 3333])
        #expect(try cues.map { try Self.read($0, "de") } == ["Hi. Ich bin Dorie.", "Ich leide an Gedächtnisverschwund."])
    }
}
