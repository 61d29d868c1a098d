import BitsAndTime
import Bitstreams
import Foundation
import ISOBMFF
import Libav
@testable import Remux
import TestSupport
import Testing

/// What is said of a track agrees with its pictures, whatever its record says.
@Suite struct TrackFactsTests {
    private static let picture = "-f lavfi -i testsrc2=s=160x90:r=24:d=1"

    private struct Unsuitable: Error { let reason: String }

    private func read(_ url: URL) throws -> (stream: StreamInfo, packets: [Packet]) {
        let demuxer = try Demuxer(url: url.path)
        try demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first { $0.kind == .video })
        var packets: [Packet] = []
        while let packet = try demuxer.readPacket() { packets.append(packet) }
        return (stream, packets)
    }

    private func track(_ stream: StreamInfo, _ packets: [Packet]) throws -> TrackAnalyzer.Copyable {
        switch TrackAnalyzer.video(stream, head: packets) {
        case .copyable(let track): return track
        case .unsuitable(let reason), .bridgeable(let reason): throw Unsuitable(reason: reason)
        }
    }

    private static func encoder(_ codec: String, _ more: String = "") -> String {
        codec == "h264"
            ? "-c:v libx264 -preset ultrafast -g 8 -x264-params repeat-headers=1 \(more)"
            : "-c:v libx265 -preset ultrafast -x265-params log-level=none:repeat-headers=1:keyint=8\(more.isEmpty ? "" : ":" + more) -tag:v hev1"
    }

    /// C2 and its kind: a record without sets, one that cannot be read, and none, over pictures that carry them.
    @Test(arguments: ["h264", "hevc"]) func aRecordWithoutSetsIsFilledFromTheFirstPicture(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let (stream, packets) = try read(try await fixture.make("a.mp4", "\(Self.picture) \(Self.encoder(codec))"))
        let whole = try track(stream, packets)
        #expect(whole.framing == .lengthPrefixed(lengthSize: 4))
        var bare = stream
        if codec == "h264" {
            bare.extradata = Array(stream.extradata.prefix(5)) + [0xE0, 0]
        } else {
            bare.extradata = Array(stream.extradata.prefix(22)) + [0]
        }
        guard case .unsuitable = TrackAnalyzer.video(bare, head: []) else {
            Issue.record("a record without sets was taken")
            return
        }
        let header = bare.extradata
        for extradata in [header, Array(header.dropLast(codec == "h264" ? 1 : 0)) + [1], []] {
            bare.extradata = extradata
            let found = try track(bare, packets)
            #expect(found.framing == .lengthPrefixed(lengthSize: 4))
            #expect(found.description.codecString == whole.description.codecString)
            if codec == "h264" {
                let record = try AVCDecoderConfigurationRecord(parsing: found.description.configuration)
                #expect(record.sequenceParameterSets.count == 1 && record.pictureParameterSets.count == 1 && record.lengthSize == 4)
                #expect((record.highProfileExtension != nil) == AVCSequenceParameterSet.highProfiles.contains(record.profileIndication))
            } else {
                let record = try HEVCDecoderConfigurationRecord(parsing: found.description.configuration)
                #expect(record.arrays.map(\.nalUnitType) == [32, 33, 34] && record.arrays.allSatisfy(\.isComplete) && record.lengthSize == 4)
            }
        }
    }

    /// The record of another film: the first picture that is decoded decides.
    @Test(arguments: ["h264", "hevc"]) func aRecordOfOtherPicturesIsReplaced(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let (stream, packets) = try read(try await fixture.make("a.mp4", "\(Self.picture) \(Self.encoder(codec))"))
        let (other, _) = try read(try await fixture.make("b.mp4", "-f lavfi -i testsrc2=s=320x180:r=24:d=0.2 \(Self.encoder(codec))"))
        var wrong = stream
        wrong.extradata = other.extradata
        let found = try track(wrong, packets)
        let right = try track(stream, packets)
        #expect(found.description.video?.width == 160 && found.description.configuration == right.description.configuration)
    }

    /// Annex B packets under a record, lengths under none: each is served behind the lengths the record promises.
    @Test(arguments: ["h264", "hevc"]) func packetsAreFramedOneByOne(codec: String) async throws {
        let fixture = try FFmpegFixture()
        let (stream, lengths) = try read(try await fixture.make("a.mp4", "\(Self.picture) \(Self.encoder(codec))"))
        let (bare, annexB) = try read(try await fixture.make("a.\(codec)", "\(Self.picture) \(Self.encoder(codec))"))
        func units(_ packet: Packet, _ framing: SampleFraming) throws -> [[UInt8]] {
            let framed = try #require(framing.framed(packet, codec: codec == "h264" ? .avc : .hevc))
            #expect(!framed.isCut)
            var content = FragmentContent()
            for piece in framed.payload.pieces { content.append(piece) }
            return NALUnitSequence.units(in: try #require(content.joined()), framing: .lengthPrefixed(lengthSize: 4)).map { Array($0) }
        }
        let track = try track(stream, lengths)
        for (one, other) in zip(lengths, annexB) {
            let expected = NALUnitSequence.units(in: other.bytes, framing: .annexB).map { Array($0) }
            let told = try units(other, track.framing)
            #expect(told == expected)
            let (guessed, recorded, bare) = (try units(one, .annexB), try units(one, track.framing), try units(other, .annexB))
            #expect(guessed == recorded && bare == expected)
        }
        #expect(try self.track(bare, annexB).framing == .annexB)
        // Two-byte lengths are kept, for every packet.
        let short = SampleFraming.lengthPrefixed(lengthSize: 2)
        let framed = try #require(short.framed(annexB[0], codec: codec == "h264" ? .avc : .hevc))
        var content = FragmentContent()
        for piece in framed.payload.pieces { content.append(piece) }
        let sample = try #require(content.joined())
        #expect(sample.withUnsafeBytes { NALUnitSequence.wholeByteCount($0, lengthSize: 2) } == sample.count)
    }

    /// A length that reaches past its sample: cut at the last whole unit, or left out where there is none, and counted.
    @Test func aSampleThatOverrunsItselfIsCutAndCounted() async throws {
        let fixture = try FFmpegFixture()
        let file = try await fixture.make("a.mp4", "\(Self.picture) \(Self.encoder("h264")) -x264-params slices=3:repeat-headers=1")
        let (stream, packets) = try read(file)
        let victims = [packets[3], packets[5]]
        var bytes = [UInt8](try Data(contentsOf: file))
        var expected: [[UInt8]] = []
        for (number, packet) in victims.enumerated() {
            let units = NALUnitSequence.units(in: packet.bytes, framing: .lengthPrefixed(lengthSize: 4))
            #expect(units.count >= 3)
            // The last unit's length in one, the first's in the other.
            let at = Int(packet.position) + (number == 0 ? packet.byteCount - units[units.count - 1].count - 4 : 0)
            bytes.replaceSubrange(at..<(at + 4), with: [0x00, 0xFF, 0xFF, 0xFF])
            expected.append(number == 0 ? Array(packet.bytes.dropLast(units[units.count - 1].count + 4)) : [])
        }
        let damaged = fixture.url("b.mp4")
        try Data(bytes).write(to: damaged)
        let (again, spoilt) = try read(damaged)
        let track = try track(again, spoilt)
        var (_, translator) = RenditionFactory.video(track, stream: again, head: spoilt)
        for (number, packet) in spoilt.enumerated() {
            let sample = translator.sample(from: packet)
            guard case .video(let picture)? = sample else {
                #expect(number == 5)
                continue
            }
            var content = FragmentContent()
            for piece in picture.payload.pieces { content.append(piece) }
            #expect(content.joined() == (number == 3 ? expected[0] : packets[number].bytes))
        }
        #expect(translator.cutSamples == 1 && translator.damagedPackets == 1)
        _ = stream
    }

    /// One description: the boxes of the init segment and VIDEO-RANGE say the same.
    @Test func staticMetadataReachesTheInitSegment() async throws {
        let fixture = try FFmpegFixture()
        let file = try await fixture.make(
            "a.mkv",
            "\(Self.picture) -pix_fmt yuv420p10le " + Self.encoder("hevc", "hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400:"
                + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)").replacingOccurrences(of: " -tag:v hev1", with: ""))
        let (stream, packets) = try read(file)
        let track = try track(stream, packets)
        let (rendition, _) = RenditionFactory.video(track, stream: stream, head: packets)
        guard case .visual(let entry) = try InitializationSegment(parsing: rendition.initialization).sampleEntry else {
            Issue.record("no picture")
            return
        }
        #expect(entry.masteringDisplay == .init(
            green: .init(x: 13_250, y: 34_500), blue: .init(x: 7_500, y: 3_000), red: .init(x: 34_000, y: 16_000), whitePoint: .init(x: 15_635, y: 16_450),
            maximumLuminance: 10_000_000, minimumLuminance: 1))
        #expect(entry.contentLight == .init(maximumContent: 1000, maximumPictureAverage: 400))
        #expect(entry.colour?.transfer == 16 && track.description.video?.dynamicRange == .pq)
        #expect(DynamicMetadataProbe.look(at: packets, of: stream).hdr10Plus == .absentWithinScan(accessUnits: 24))
    }

    /// HLG under a curve older displays know is HLG: what an SEI message prefers counts.
    @Test func thePreferredTransferCounts() async throws {
        let fixture = try FFmpegFixture()
        let file = try await fixture.make(
            "a.mkv", "\(Self.picture) -pix_fmt yuv420p10le "
                + Self.encoder("hevc", "atc-sei=18:pic-struct=0:colorprim=bt2020:transfer=bt2020-10:colormatrix=bt2020nc").replacingOccurrences(of: " -tag:v hev1", with: ""))
        let (stream, packets) = try read(file)
        let track = try track(stream, packets)
        #expect(track.description.video?.dynamicRange == .hlg && track.description.video?.transfer == 18)
    }
}
