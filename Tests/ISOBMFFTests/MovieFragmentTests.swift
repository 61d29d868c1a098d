import BitsAndTime
import Foundation
import ISOBMFF
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct MovieFragmentTests {
    private static func sample(_ size: UInt32, _ duration: UInt32, _ offset: Int32 = 0, _ flags: SampleFlags = .nonSync) -> FragmentSample {
        FragmentSample(byteCount: size, durationTicks: duration, compositionTimeOffsetTicks: offset, flags: flags)
    }

    private static func segment(_ fragment: MovieFragment) -> [UInt8] {
        fragment.serializedHeader() + [UInt8](repeating: 0xCD, count: fragment.samples.reduce(0) { $0 + Int($1.byteCount) })
    }

    @Test func everyShapeOfRunRoundTrips() throws {
        let runs: [[FragmentSample]] = [
            [],
            [Self.sample(5, 100, 0, .sync)],
            [Self.sample(5, 100, 0, .sync), Self.sample(5, 100), Self.sample(5, 100)],
            [Self.sample(5, 100, 200, .sync), Self.sample(6, 100, -100), Self.sample(7, 101, 0)],
            [Self.sample(0, 0, .min, .sync), Self.sample(9, .max, .max), Self.sample(3, 1, 0, .sync), Self.sample(3, 1)],
            [Self.sample(4, 10), Self.sample(4, 10)],
        ]
        for (number, run) in runs.enumerated() {
            let fragment = MovieFragment(sequenceNumber: UInt32(number), trackID: 2, baseMediaDecodeTime: UInt64(number) << 40, samples: run)
            let bytes = Self.segment(fragment)
            let parsed = try MovieFragment.parse(segment: bytes)
            #expect(parsed.map(\.fragment) == [fragment])
            let ranges = parsed[0].sampleRanges
            #expect(ranges.map(\.count) == run.map { Int($0.byteCount) })
            #expect(ranges.last.map { $0.upperBound == bytes.count } ?? true)
            for bytes in Damage.all(of: bytes, mutations: 500) { _ = try? MovieFragment.parse(segment: bytes) }
        }
    }

    @Test func randomFragmentsRoundTrip() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            let alike = Bool.random(using: &random)
            let run = (0..<Int.random(in: 0...20, using: &random)).map { i in
                Self.sample(
                    alike ? 8 : UInt32.random(in: 0...30, using: &random), alike ? 1001 : UInt32.random(in: 0...5000, using: &random),
                    alike ? 0 : Int32.random(in: -9000...9000, using: &random), i == 0 || Int.random(in: 0...9, using: &random) == 0 ? .sync : .nonSync)
            }
            let fragment = MovieFragment(sequenceNumber: 1, trackID: 1, baseMediaDecodeTime: UInt64.random(in: 0...(.max), using: &random), samples: run)
            #expect(try MovieFragment.parse(segment: Self.segment(fragment)).map(\.fragment) == [fragment])
        }
    }

    @Test func tracksInOneFragmentComeApartAgain() throws {
        var random = SeededRandom(seed: 12)
        for _ in 0..<100 {
            let tracks = (1...UInt32.random(in: 1...3, using: &random)).map { id in
                MovieFragment(
                    sequenceNumber: 7, trackID: id, baseMediaDecodeTime: UInt64.random(in: 0...(.max), using: &random),
                    samples: (0..<Int.random(in: 0...9, using: &random)).map { _ in
                        Self.sample(UInt32.random(in: 0...30, using: &random), UInt32.random(in: 1...99, using: &random))
                    })
            }
            let count = tracks.reduce(0) { $1.samples.reduce($0) { $0 + Int($1.byteCount) } }
            let bytes = MovieFragment.serializedHeader(of: tracks) + [UInt8](repeating: 0, count: count)
            let parsed = try MovieFragment.parse(segment: bytes)
            #expect(parsed.map(\.fragment) == tracks)
            // Track by track, without gaps, to the end.
            var at = bytes.count - count
            for range in parsed.flatMap(\.sampleRanges) {
                #expect(range.lowerBound == at)
                at = range.upperBound
            }
            #expect(at == bytes.count)
        }
    }

    /// Found by the fuzzer: samples of no bytes and no fields of their own cost memory and nothing else.
    @Test func samplesAreNoMoreThanBytes() throws {
        func segment(_ count: UInt32) -> [UInt8] {
            var writer = ByteWriter()
            writer.writeBox("moof") { moof in
                moof.writeFullBox("mfhd") { $0.write(1 as UInt32) }
                moof.writeBox("traf") { traf in
                    traf.writeFullBox("tfhd", flags: 0x2_0000) { $0.write(1 as UInt32) }
                    traf.writeFullBox("tfdt") { $0.write(0 as UInt32) }
                    traf.writeFullBox("trun") { $0.write(count) }
                }
            }
            return writer.bytes
        }
        #expect(try MovieFragment.parse(segment: segment(50)).first?.fragment.samples.count == 50)
        #expect(throws: ParseError.self) { try MovieFragment.parse(segment: segment(100_000)) }
    }

    @Test func manySamplesOfNoBytesAreBounded() throws {
        // Runs of four million samples in twelve bytes each: the box is small, what it declares is not.
        var writer = ByteWriter()
        writer.writeBox("moof") { moof in
            moof.writeFullBox("mfhd") { $0.write(1 as UInt32) }
            moof.writeBox("traf") { traf in
                traf.writeFullBox("tfhd", flags: 0x2_0000) { $0.write(1 as UInt32) }
                traf.writeFullBox("tfdt") { $0.write(0 as UInt32) }
                for _ in 0..<3 { traf.writeFullBox("trun") { $0.write(UInt32(MovieFragment.sampleLimit / 2)) } }
            }
        }
        do {
            _ = try MovieFragment.parse(segment: writer.bytes)
            Issue.record("read without bound")
        } catch {
            #expect(error.kind == .limitExceeded)
        }
    }

    @Test(arguments: ["-c:v libx264 -preset veryfast -bf 3 -g 24", "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=24 -tag:v hvc1"])
    func fragmentsOfFFmpegRead(options: String) throws {
        let folder = try Fixture.folder()
        let plain = try folder.makeBlocking("f\(options.utf8.count).mp4", "-f lavfi -i testsrc2=s=160x90:r=24:d=3 \(options)")
        let file = try folder.makeBlocking(
            "f\(options.utf8.count)-fragments.mp4", "-i \(plain.path) -c copy -movflags frag_keyframe+empty_moov+default_base_moof")
        let bytes = try Fixture.bytes(file)
        let fragments = try MovieFragment.parse(segment: bytes)
        #expect(fragments.count == 3 && fragments.map(\.fragment.sequenceNumber) == [1, 2, 3])
        let packets = try Fixture.samples(file.path)
        let origin = try #require(packets.first?.dts)
        var at = 0
        for parsed in fragments {
            var time = Int64(parsed.fragment.baseMediaDecodeTime)
            for (sample, range) in zip(parsed.fragment.samples, parsed.sampleRanges) {
                let packet = packets[at]
                #expect(Array(bytes[range]) == packet.bytes)
                #expect(sample.flags.isSync == packet.isKeyframe)
                #expect(packet.dts == time + origin - Int64(fragments[0].fragment.baseMediaDecodeTime))
                #expect(packet.pts == packet.dts.map { $0 + Int64(sample.compositionTimeOffsetTicks) })
                time += Int64(sample.durationTicks)
                at += 1
            }
        }
        #expect(at == packets.count)
        // What was read is written again by us, and read the same.
        for parsed in fragments {
            let again = parsed.fragment.serializedHeader() + parsed.sampleRanges.flatMap { bytes[$0] }
            #expect(try MovieFragment.parse(segment: again).map(\.fragment) == [parsed.fragment])
        }
        let head = Array(bytes[..<(try #require(fragments.first?.sampleRanges.first?.lowerBound))])
        for bytes in Damage.mutations(of: head, count: 500) { _ = try? MovieFragment.parse(segment: bytes) }
    }

    /// Fragments of our writing play in ffmpeg as their source does, picture by picture and time by time.
    @Test(arguments: [
        ("h264", "-f lavfi -i testsrc2=s=160x90:r=24:d=3 -c:v libx264 -preset veryfast -bf 3 -g 24"),
        ("hevc", "-f lavfi -i testsrc2=s=160x90:r=24:d=3 -c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=24 -tag:v hvc1"),
        ("av1", "-f lavfi -i testsrc2=s=160x90:r=24:d=1 -c:v libaom-av1 -cpu-used 8 -g 12"),
        ("aac", "-f lavfi -i sine=440:r=48000:d=2 -c:a aac -ac 2"),
        ("ac3", "-f lavfi -i sine=440:r=48000:d=2 -c:a ac3 -ac 6"),
        ("eac3", "-f lavfi -i sine=440:r=44100:d=2 -c:a eac3 -ac 2"),
        ("flac", "-f lavfi -i sine=440:r=48000:d=2 -c:a flac -ac 2 -strict -2"),
        ("alac", "-f lavfi -i sine=440:r=48000:d=2 -c:a alac -ac 2"),
    ])
    func ffmpegReadsWhatWeWrite(name: String, options: String) throws {
        let folder = try Fixture.folder()
        let source = try folder.makeBlocking("w-\(name).mp4", options)
        var segment = try InitializationSegment(parsing: try Fixture.bytes(source))
        let packets = try Fixture.samples(source.path)
        let origin = try #require(packets.first?.dts)
        // libavformat takes the edit list off; it is put back so that no time is below zero.
        segment.presentationOffset = UInt64(max(0, -origin))
        segment.trackID = 1
        var bytes = segment.serialized()
        for (number, start) in stride(from: 0, to: packets.count, by: 10).enumerated() {
            let group = Array(packets[start..<min(start + 10, packets.count)])
            let samples = try group.map { packet in
                FragmentSample(
                    byteCount: UInt32(packet.byteCount), durationTicks: UInt32(packet.durationTicks),
                    compositionTimeOffsetTicks: Int32(try #require(packet.pts) - (try #require(packet.dts))), flags: packet.isKeyframe ? .sync : .nonSync)
            }
            let fragment = MovieFragment(
                sequenceNumber: UInt32(number + 1), trackID: 1, baseMediaDecodeTime: UInt64(try #require(group[0].dts) + Int64(segment.presentationOffset)),
                samples: samples)
            bytes += fragment.serializedHeader() + group.flatMap(\.bytes)
        }
        let written = folder.url("w-\(name)-ours.mp4")
        try Data(bytes).write(to: written)
        let (wrote, told) = (try Fixture.packets(written.path), try Fixture.packets(source.path))
        #expect(wrote.count == told.count && wrote == told)
        let hashes = try Fixture.frameHashes(source.path)
        let ours = try Fixture.frameHashes(written.path)
        #expect(!hashes.isEmpty && ours == hashes)
    }
}
