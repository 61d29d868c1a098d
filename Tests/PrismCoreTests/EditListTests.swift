import Foundation
import PrismCore
import SegmentVerification
import TestSupport
import Testing

/// What an edit list hides is decoded by the player and never seen: as libavformat and libavcodec show the file, so it is served.
@Suite(.fewAtATime) struct EditListTests {
    private static let encoded = "-c:v libx264 -preset veryfast -bf 3 -g 48 -keyint_min 48 -x264-params scenecut=0"

    /// Served pictures that last longer than a tick, with their times.
    private func seen(_ frames: [DecodedFragment.Frame], _ tick: Double) -> [(hash: UInt64, time: Double)] {
        let all = frames.map { (hash: $0.hash, time: Double($0.pts ?? 0) * tick) }
        return all.indices.filter { $0 + 1 == all.count || all[$0 + 1].time - all[$0].time > 0.0005 }.map { all[$0] }
    }

    private func expectShown(_ url: URL, isPlanned: Bool, dropsLast: Bool = false) async throws {
        let source = try await Reference(url, stream: 0).decoded
        try await ServedMedia.serve(url) { served in
            #expect((await served.session.planOrigin == .builtFromSource) == isPlanned)
            let video = served.presentation.renditions[0]
            let whole = try DecodedFragment(bytes: try await served.bytes(video))
            #expect(whole.frames.count > source.frames.count, "something was hidden")
            var frames = seen(whole.frames, whole.tickSeconds)
            if dropsLast { frames.removeLast() }
            #expect(frames.map(\.hash) == source.frames.map(\.hash))
            let origin = Double(source.frames.first?.pts ?? 0) * source.tickSeconds
            for (ours, theirs) in zip(frames, source.frames) {
                #expect(abs(ours.time - Double(theirs.pts ?? 0) * source.tickSeconds) < 0.003)
            }
            // Nothing lies before the film's start: a Media Source would drop it, keyframe and all.
            #expect((whole.frames.compactMap(\.pts).min().map { Double($0) * whole.tickSeconds } ?? -1) >= origin - 0.0001)
            var report = try await SegmentVerifier(client: served.client).verify(served.presentation)
            if isPlanned {
                try await ServedMedia.serve(url) { again in
                    try await SegmentVerifier(client: again.client).compare(served.presentation, with: again.presentation, count: 4, into: &report)
                }
            }
            #expect(report.findings.isEmpty, "\(report.findings)")
        }
    }

    @Test(arguments: ["-c:a aac", "-an"]) func aFilmCutBetweenKeyframesBeginsWhereItWasCut(sound: String) async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make("film.mp4", "\(FFmpegFixture.inputs(seconds: 16)) \(Self.encoded) \(sound)")
        try await expectShown(try await fixture.make("cut.mp4", "-ss 2.75 -i \(film.path) -c copy"), isPlanned: true)
    }

    /// A clock of 24 ticks a second has no room for pictures that are not seen.
    @Test func aCoarseClockIsMadeFiner() async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make("film.mp4", "\(FFmpegFixture.inputs(seconds: 6)) \(Self.encoded) -an")
        try await expectShown(try await fixture.make("cut.mp4", "-ss 1.5 -i \(film.path) -c copy -video_track_timescale 24"), isPlanned: true)
    }

    /// The second piece ends on a picture that others refer to, which stands in the last tick.
    @Test func piecesOutOfOrderPlayInTheEditsOrder() async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make("film.mp4", "-f lavfi -i testsrc2=s=160x90:r=24:d=8 \(Self.encoded)")
        let edited = try EditedFile.replacingEdits(of: film, in: fixture.url("edited.mp4"), edits: [(start: 4.5, length: 2), (start: 0.75, length: 1.5)])
        try await expectShown(edited, isPlanned: false, dropsLast: true)
    }

    /// The picture behind the end that the last ones refer to stands in the last tick.
    @Test func theEndOfAnEditHidesWhatIsBehindIt() async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make(
            "film.mp4", "-f lavfi -i testsrc2=s=160x90:r=24:d=4 -c:v libx264 -preset veryfast -bf 3 -g 48 -x264-params scenecut=0:b-adapt=0:b-pyramid=none")
        let edited = try EditedFile.replacingEdits(of: film, in: fixture.url("edited.mp4"), edits: [(start: 0, length: 2 + 3.0 / 24)])
        try await expectShown(edited, isPlanned: true, dropsLast: true)
    }

    @Test func editsThatShowNothingAreNoFilm() async throws {
        let fixture = try FFmpegFixture()
        let film = try await fixture.make("film.mp4", "-f lavfi -i testsrc2=s=160x90:r=24:d=4 \(Self.encoded)")
        let edited = try EditedFile.replacingEdits(of: film, in: fixture.url("edited.mp4"), edits: [(start: 0.01, length: 0.001)])
        let session = PrismCoreSession(url: edited)
        await #expect(throws: PrismCoreError.sourceNotMedia(reason: "it holds no picture that its edit list shows")) { _ = try await session.startWithoutHurry() }
    }
}

/// An MP4 of one track, `moov` last, with other edits.
enum EditedFile {
    struct Unsuitable: Error {}

    static func replacingEdits(of film: URL, in url: URL, edits: [(start: Double, length: Double)]) throws -> URL {
        var bytes = [UInt8](try Data(contentsOf: film))
        func find(_ name: String, after start: Int) throws -> Int {
            let mark = Array(name.utf8)
            guard let at = (start..<(bytes.count - 4)).first(where: { bytes[$0..<($0 + 4)].elementsEqual(mark) }) else { throw Unsuitable() }
            return at - 4
        }
        func number(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
        func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

        let moov = try find("moov", after: 0)
        guard moov + number(moov) == bytes.count else { throw Unsuitable() }
        let (movie, media) = (try number(find("mvhd", after: moov) + 20), try number(find("mdhd", after: moov) + 20))
        let (trak, edts) = (try find("trak", after: moov), try find("edts", after: moov))
        // B-pictures: the muxer's own edit takes their delay off.
        let delay = number(edts + 8 + 16 + 4)
        var list = big(0) + big(edits.count)
        for edit in edits {
            list += big(Int(edit.length * Double(movie))) + big(delay + Int(edit.start * Double(media))) + big(0x10000)
        }
        let box = big(list.count + 16) + Array("edts".utf8) + big(list.count + 8) + Array("elst".utf8) + list
        let grown = box.count - number(edts)
        let old = edts..<(edts + number(edts))
        for at in [moov, trak] { bytes.replaceSubrange(at..<(at + 4), with: big(number(at) + grown)) }
        bytes.replaceSubrange(old, with: box)
        try Data(bytes).write(to: url)
        return url
    }
}
