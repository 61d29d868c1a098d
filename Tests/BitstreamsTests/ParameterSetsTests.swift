import BitsAndTime
@testable import Bitstreams
import Foundation
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct ParameterSetsTests {
    private static func stream(_ codec: RandomAccess.Codec, size: String = "160x90", _ options: String = "") throws -> [[UInt8]] {
        let name = codec == .avc ? "h264" : "hevc"
        let encoder = codec == .avc ? "libx264 -preset ultrafast" : "libx265 -preset ultrafast -x265-params log-level=none:repeat-headers=1:keyint=8"
        let file = try Reference.folder().makeBlocking(
            "sets-\(name)-\(size)-\(options.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }).\(name)",
            "-f lavfi -i testsrc2=s=\(size):r=24:d=1 -c:v \(encoder) -g 8 \(options)")
        let demuxer = try Demuxer(url: file.path)
        try demuxer.findStreamInfo()
        var samples: [[UInt8]] = []
        while let packet = try demuxer.readPacket() { samples.append(packet.bytes) }
        return samples
    }

    private static func sets(_ sample: [UInt8], _ codec: RandomAccess.Codec) -> ParameterSets {
        var sets = ParameterSets(codec: codec)
        sample.withUnsafeBytes { _ = sets.insert(from: $0, framing: .annexB) }
        return sets
    }

    @Test(arguments: [RandomAccess.Codec.avc, .hevc]) func aPictureLeadsToItsSets(codec: RandomAccess.Codec) throws {
        let samples = try Self.stream(codec)
        let sets = Self.sets(samples[0], codec)
        #expect(sets.isComplete && sets.all.count == (codec == .avc ? 2 : 3))
        for sample in samples {
            let signature = try #require(sample.withUnsafeBytes { sets.signature(ofPictureIn: $0, framing: .annexB) })
            #expect(sets.signatures == [signature])
            switch signature {
            case .avc(let set): #expect(set.width == 160 && set.height == 90 && set.bitDepthLuma == 8 && set.isFrameOnly)
            case .hevc(let set): #expect(set.width == 160 && set.height == 90 && set.bitDepthLuma == 8)
            }
        }
        // The record made of them has them, and reads back to the same.
        if codec == .avc {
            #expect(ParameterSets(try AVCDecoderConfigurationRecord(parameterSets: sets.all)) == sets)
        } else {
            #expect(ParameterSets(try HEVCDecoderConfigurationRecord(parameterSets: sets.all)) == sets)
        }
        #expect(samples[0].withUnsafeBytes { ParameterSets(codec: codec).signature(ofPictureIn: $0, framing: .annexB) } == nil)
        for bytes in Damage.all(of: Array(samples[0].prefix(300)), mutations: 1000) {
            let spoilt = Self.sets(bytes, codec)
            _ = bytes.withUnsafeBytes { spoilt.signature(ofPictureIn: $0, framing: .annexB) }
        }
    }

    @Test func aSetReplacesTheOneOfItsIDAndNoOther() throws {
        let (small, large) = (Self.sets(try Self.stream(.hevc)[0], .hevc), Self.sets(try Self.stream(.hevc, size: "320x180")[0], .hevc))
        var sets = small
        for unit in large.all { sets.insert(unit) }
        #expect(sets.all.count == 3 && sets == large)
        var filled = ParameterSets(codec: .hevc)
        filled.insert(large.all[1])
        filled.fill(from: small)
        #expect(filled.all.contains(large.all[1]) && !filled.all.contains(small.all[1]) && filled.isComplete)
        let layered = [0x42, 0x09] + large.all[1].dropFirst(2)
        var before = filled
        before.insert(layered[...])
        before.insert([0x26, 0x01, 0xAF])
        #expect(before == filled, "an enhancement layer's set is none of the base layer's")
    }

    @Test func eachSampleTellsItsOwnFraming() {
        let units: [[UInt8]] = [[0x40, 0x01, 0x0C], [0x26, 0x01] + [UInt8](repeating: 0x55, count: 300)]
        let four = NALUnitSequence.lengthPrefixed(units.map { $0[...] })
        let two = NALUnitSequence.lengthPrefixed(units.map { $0[...] }, lengthSize: 2) ?? []
        let annexB = MetadataFixture.annexB(units)
        let short: [UInt8] = units.reduce(into: []) { $0 += [0, 0, 1] + $1 }
        func found(_ sample: [UInt8], _ expected: NALUnitFraming) -> NALUnitFraming { sample.withUnsafeBytes { NALUnitFraming.ofSample($0, expected: expected, codec: .hevc) } }
        for expected in [NALUnitFraming.annexB, .lengthPrefixed(lengthSize: 4), .lengthPrefixed(lengthSize: 2)] {
            // By lengths of two the same units come out, an empty one before each: what is expected stands.
            if expected != .lengthPrefixed(lengthSize: 2) { #expect(found(four, expected) == .lengthPrefixed(lengthSize: 4)) }
            // Shorter lengths only where a record says so: by chance too much could be read as them.
            #expect(found(two, expected) == expected)
            #expect(found(annexB, expected) == .annexB && found(short, expected) == .annexB)
            #expect(found([], expected) == expected && found([0, 0, 1], expected) == expected)
        }
        // 00 00 01 2D is a length of 301 as well: the sample's end settles it.
        let ambiguous = [0, 0, 1, 0x2D] + [0x26, 0x01] + [UInt8](repeating: 0x55, count: 299)
        #expect(found(ambiguous, .annexB) == .lengthPrefixed(lengthSize: 4) && found(ambiguous, .lengthPrefixed(lengthSize: 4)) == .lengthPrefixed(lengthSize: 4))
        // Damaged further on, it is still no start code.
        #expect(found(ambiguous + [0, 0, 9, 9, 0x02], .lengthPrefixed(lengthSize: 4)) == .lengthPrefixed(lengthSize: 4))
        // A length that overruns its sample: what is expected stands, and whole units are counted.
        let overrun = four.dropLast(10)
        #expect(found(Array(overrun), .lengthPrefixed(lengthSize: 4)) == .lengthPrefixed(lengthSize: 4))
        #expect(overrun.withUnsafeBytes { NALUnitSequence.wholeByteCount($0, lengthSize: 4) } == 7)
        #expect(NALUnitSequence.lengthPrefixed([[UInt8](repeating: 1, count: 256)[...]], lengthSize: 1) == nil)
        #expect(NALUnitSequence.lengthPrefixed([[UInt8](repeating: 1, count: 255)[...]], lengthSize: 1)?.count == 256)
    }

    /// C1, C2: fields left at zero, sets kept.
    @Test func anHEVCRecordIsMadeToAgreeWithItsSets() throws {
        let sets = Self.sets(try Self.stream(.hevc)[0], .hevc)
        let right = try HEVCDecoderConfigurationRecord(parameterSets: sets.all)
        #expect(right.agreeingWithItsSets() == right)
        var wrong = right
        (wrong.profileTierLevel.profileIDC, wrong.profileTierLevel.levelIDC, wrong.chromaFormatIDC, wrong.lengthSize) = (0, 0, 0, 2)
        wrong.averageFrameRate = 6144
        let mended = wrong.agreeingWithItsSets()
        #expect(mended.profileTierLevel == right.profileTierLevel && mended.chromaFormatIDC == 1 && mended.lengthSize == 2 && mended.averageFrameRate == 6144)
        #expect(ParameterSets(mended) == sets)
    }

    @Test func anAV1RecordHoldsItsSequenceHeaderAndMetadataOnly() throws {
        let pair = try Reference.pair("av1-sets", extension: "obu", "\(Reference.picture) -c:v libaom-av1 -cpu-used 8 -frames:v 2 -pix_fmt yuv420p10le")
        let whole = try AV1CodecConfigurationRecord(sequenceHeaderIn: pair.stream)
        var empty = whole
        empty.configurationUnits = []
        empty.presentationDelay = 0x13
        var harvested = empty.normalized(harvestingFrom: pair.stream)
        #expect(harvested.presentationDelay == 0x13)
        harvested.presentationDelay = 0
        #expect(harvested == whole && empty.normalized() == empty)
        // Fields that disagree with the header, delimiters and padding around it, metadata before it.
        let metadata = MetadataFixture.metadataUnit(type: 1, MetadataFixture.contentLight)
        var wrong = whole
        (wrong.profile, wrong.level, wrong.isHighBitDepth) = (2, 31, false)
        wrong.configurationUnits = [0x12, 0x00] + metadata + whole.configurationUnits + [0x7A, 0x01, 0x00]
        let mended = wrong.normalized()
        #expect(mended.configurationUnits == whole.configurationUnits + metadata && mended.profile == 0 && mended.bitDepth == 10)
        // A header whose size the end of the bytes stood for gets one.
        var open = whole
        open.configurationUnits = [whole.configurationUnits[0] & ~2] + whole.configurationUnits.dropFirst(2)
        #expect(open.normalized() == whole)
        // A unit that overruns its sample is cut off.
        let clean = Array(pair.stream.dropFirst(2))
        let cut = try #require(clean.dropLast(3).withUnsafeBytes { AV1TemporalUnit.cleaned($0) })
        #expect(clean.starts(with: cut) && cut.count < clean.count - 3 && cut.withUnsafeBytes { !AV1TemporalUnit.isOverrun($0) })
    }
}
