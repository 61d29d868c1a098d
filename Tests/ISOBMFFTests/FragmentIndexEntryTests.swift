import BitsAndTime
import Foundation
import ISOBMFF
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct FragmentIndexEntryTests {
    /// The bytes of every `moof`, and nothing of the media.
    private static func moofs(_ bytes: [UInt8]) throws -> [[UInt8]] {
        try Box.sequence(in: bytes[...]).filter { $0.type == "moof" }.map { Array(bytes[$0.offset..<$0.payload.endIndex]) }
    }

    @Test func agreesWithTheWholeFragment() throws {
        var random = SeededRandom(seed: 5)
        for number in 0..<200 {
            let samples = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                FragmentSample(
                    byteCount: .random(in: 0...3, using: &random), durationTicks: .random(in: 1...2, using: &random),
                    compositionTimeOffsetTicks: .random(in: -2...2, using: &random), flags: Bool.random(using: &random) ? .sync : .nonSync)
            }
            let fragment = MovieFragment(
                sequenceNumber: UInt32(number), trackID: 3, baseMediaDecodeTime: .random(in: 0...UInt64.max, using: &random), samples: samples)
            let payload = [UInt8](repeating: 0, count: samples.reduce(0) { $0 + Int($1.byteCount) })
            let entries = try FragmentIndexEntry.entries(moof: try Self.moofs(fragment.serializedHeader() + payload)[0])
            #expect(entries.count == 1)
            let entry = try #require(entries.first)
            #expect(entry.trackID == 3 && entry.firstDecodeTimeTicks == fragment.baseMediaDecodeTime && entry.sampleCount == samples.count)
            #expect(entry.startsWithSync == (samples.first?.flags.isSync ?? false))
            #expect(entry.firstCompositionTimeOffsetTicks == samples.first?.compositionTimeOffsetTicks ?? 0)
        }
    }

    /// A file of two tracks made by ffmpeg, with and without what `trex` can say.
    @Test(arguments: ["", "+omit_tfhd_offset", "+default_base_moof", "+default_base_moof+dash"]) func filesOfFFmpeg(flags: String) throws {
        let file = try Fixture.folder().makeBlocking(
            "index\(flags.utf8.count).mp4",
            "-f lavfi -i testsrc2=s=64x64:r=24:d=3 -f lavfi -i sine=440:r=48000:d=3 -c:v libx264 -preset veryfast -bf 2 -g 24 -c:a aac -movflags frag_keyframe+empty_moov\(flags)")
        let bytes = try Fixture.bytes(file)
        let defaults = try TrackExtends.defaults(initialization: bytes)
        #expect(defaults.keys.sorted() == [1, 2])
        let entries = try Self.moofs(bytes).map { try FragmentIndexEntry.entries(moof: $0, defaults: defaults) }
        let video = entries.flatMap { $0 }.filter { $0.trackID == 1 }
        #expect(video.map(\.startsWithSync) == [true, true, true] && video.map(\.sampleCount) == [24, 24, 24])
        #expect(video.map { $0.firstDecodeTimeTicks.map { $0 % 12_288 } } == [0, 0, 0])
        #expect(video.allSatisfy { $0.firstCompositionTimeOffsetTicks == video[0].firstCompositionTimeOffsetTicks })
        // Absolute offsets are ffmpeg's default, and not read; every other shape gives the packets' bytes.
        guard !flags.isEmpty else {
            #expect(throws: ParseError.self) { try MovieFragment.parse(segment: bytes, defaults: defaults) }
            return
        }
        let parsed = try MovieFragment.parse(segment: bytes, defaults: defaults)
        let packets = try Fixture.samples(file.path)
        for track in 0...1 {
            let read = parsed.filter { Int($0.fragment.trackID) == track + 1 }
            let expected = packets.filter { Int($0.streamIndex) == track }
            #expect(read.flatMap(\.sampleRanges).map { Array(bytes[$0]) } == expected.map(\.bytes))
            #expect(read.flatMap(\.fragment.samples).map(\.flags.isSync) == expected.map(\.isKeyframe))
        }
    }

    @Test func damageNeverTraps() throws {
        let fragment = MovieFragment(
            sequenceNumber: 1, trackID: 1, baseMediaDecodeTime: 9,
            samples: [.init(byteCount: 1, durationTicks: 2, compositionTimeOffsetTicks: 3, flags: .sync), .init(byteCount: 4, durationTicks: 5, compositionTimeOffsetTicks: 0, flags: .nonSync)])
        let moof = try Self.moofs(fragment.serializedHeader() + [0, 0, 0, 0, 0])[0]
        for bytes in Damage.truncations(of: moof) { #expect(throws: ParseError.self) { try FragmentIndexEntry.entries(moof: bytes) } }
        for bytes in Damage.mutations(of: moof, count: 3000) { _ = try? FragmentIndexEntry.entries(moof: bytes) }
    }
}
