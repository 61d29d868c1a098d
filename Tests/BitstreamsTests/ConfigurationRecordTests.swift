import BitsAndTime
import Bitstreams
import ISOBMFF
import Libav
import Testing
import TestSupport

/// On the main thread: ffmpeg is waited for, and the pool's few threads belong to tests that run against a clock.
@MainActor struct ConfigurationRecordTests {
    @Test(arguments: ["-pix_fmt yuv420p", "-pix_fmt yuv420p -profile:v baseline", "-pix_fmt yuv422p10le -vf setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709", "-pix_fmt yuv444p"])
    func avcRecordIsTheOneFFmpegMakes(options: String) throws {
        let name = "avc\(options.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF })"
        let pair = try Reference.pair(name, extension: "h264", "\(Reference.picture) -c:v libx264 -preset ultrafast \(options)")
        let expected = try pair.box("avcC")
        let made = try AVCDecoderConfigurationRecord(parameterSets: NALUnitSequence.units(in: pair.stream, framing: .annexB))
        #expect(made.serialized() == expected)
        let parsed = try AVCDecoderConfigurationRecord(parsing: expected)
        #expect(parsed == made && parsed.serialized() == expected)
        #expect(try AVCDecoderConfigurationRecord(annexB: pair.stream[...]) == made)
        let set = try #require(parsed.firstSequenceParameterSet)
        #expect(set.width == 162 && set.height == 90)
        if let high = parsed.highProfileExtension {
            #expect(UInt32(high.chromaFormatIDC) == set.chromaFormatIDC && Int(high.bitDepthLumaMinus8) + 8 == set.bitDepthLuma)
            #expect(high.sequenceParameterSetExtensions.isEmpty)
        }
        #expect((parsed.highProfileExtension == nil) == [66, 77].contains(parsed.profileIndication))
        #expect(set.maxNumReorderFrames == 0 && (set.maxDecFrameBuffering ?? 0) >= 1)
        // x264 counts fields: two ticks a picture.
        #expect(set.usability.tick?.numerator == 1 && set.usability.tick?.denominator == 48)
        for bytes in Damage.all(of: expected) {
            if let record = try? AVCDecoderConfigurationRecord(parsing: bytes) {
                _ = record.firstSequenceParameterSet
                _ = record.serialized()
            }
        }
    }

    /// x264 high profile, 1920×1080 at 25/s, square samples, BT.709: pasted from a film's avcC.
    @Test func avcRecordKnownBytes() throws {
        let bytes: [UInt8] = [
            0x01, 0x64, 0x00, 0x28, 0xFF, 0xE1, 0x00, 0x1B, 0x67, 0x64, 0x00, 0x28, 0xAC, 0xD9, 0x40, 0x78, 0x02, 0x27, 0xE5, 0xC0, 0x44, 0x00, 0x00,
            0x03, 0x00, 0x04, 0x00, 0x00, 0x03, 0x00, 0xC8, 0x3C, 0x60, 0xC6, 0x58, 0x01, 0x00, 0x06, 0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0,
        ]
        let record = try AVCDecoderConfigurationRecord(parsing: bytes)
        #expect(record.serialized() == bytes)
        #expect(record.lengthSize == 4 && record.pictureParameterSets.count == 1 && record.trailing.isEmpty)
        let set = try #require(record.firstSequenceParameterSet)
        #expect(set.width == 1920 && set.height == 1080 && set.isFrameOnly && set.chromaFormatIDC == 1 && set.bitDepthLuma == 8)
        #expect(CodecString.avc(record) == "avc1.640028")
    }

    /// C1 and C2: what an Apple TV builds no track on, and what promises sets it does not hold.
    @Test func hevcRecordsOfHVC1() throws {
        // Main 10, level 4, 23 bytes: no sets.
        let empty: [UInt8] = [
            0x01, 0x02, 0x20, 0x00, 0x00, 0x00, 0x90, 0x00, 0x00, 0x00, 0x00, 0x00, 0x78, 0xF0, 0x00, 0xFC, 0xFD, 0xFA, 0xFA, 0x00, 0x00, 0x0F, 0x00,
        ]
        var record = try HEVCDecoderConfigurationRecord(parsing: empty)
        #expect(!record.hasParameterSets && record.serialized() == empty && record.normalized().arrays.isEmpty && record.lengthSize == 4)
        #expect(CodecString.hevc(record) == "hvc1.2.4.L120.90")
        record.arrays = [
            .init(isComplete: false, nalUnitType: 34, units: [[0x44, 0x01, 0xC0]]), .init(isComplete: false, nalUnitType: 39, units: [[0x4E, 0x01, 0x05]]),
            .init(isComplete: true, nalUnitType: 33, units: [[0x42, 0x01, 0x01]]), .init(isComplete: false, nalUnitType: 32, units: []),
        ]
        #expect(!record.hasParameterSets)
        record.arrays.append(.init(isComplete: false, nalUnitType: 32, units: [[0x40, 0x01, 0x0C]]))
        record.arrays.append(.init(isComplete: false, nalUnitType: 34, units: [[0x44, 0x01, 0xC1]]))
        #expect(try HEVCDecoderConfigurationRecord(parsing: record.serialized()) == record)
        let normal = record.normalized()
        #expect(normal.hasParameterSets && normal.arrays.map(\.nalUnitType) == [32, 33, 34] && normal.arrays.allSatisfy(\.isComplete))
        #expect(normal.arrays[2].units == [[0x44, 0x01, 0xC0], [0x44, 0x01, 0xC1]] && normal.normalized() == normal)
        #expect(normal.serialized().dropFirst(22).prefix(9) == [3, 0xA0, 0, 1, 0, 3, 0x40, 0x01, 0x0C])
    }

    @Test func hevcStringsOfEveryKind() {
        var record: HEVCDecoderConfigurationRecord
        do throws(ParseError) {
            record = try HEVCDecoderConfigurationRecord(parsing: [1, 1, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93, 0xF0, 0, 0xFC, 0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 0])
        } catch {
            Issue.record(error)
            return
        }
        #expect(CodecString.hevc(record) == "hvc1.1.6.L93.B0")
        record.profileTierLevel.constraintFlags = 0
        #expect(CodecString.hevc(record) == "hvc1.1.6.L93")
        record.profileTierLevel.constraintFlags = 0x9000_0000_0800
        record.profileTierLevel.isHighTier = true
        record.profileTierLevel.levelIDC = 183
        record.profileTierLevel.profileSpace = 1
        record.profileTierLevel.profileIDC = 4
        record.profileTierLevel.compatibilityFlags = 0x0800_0000
        #expect(CodecString.hevc(record) == "hvc1.A4.10.H183.90.0.0.0.8")
    }

    @Test func avcRecordOfManySetsKeepsItsCountsTrue() throws {
        let pair = try Reference.pair("avcmany", extension: "h264", "\(Reference.picture) -c:v libx264 -preset ultrafast -frames:v 2")
        var record = try AVCDecoderConfigurationRecord(parsing: try pair.box("avcC"))
        record.sequenceParameterSets = Array(repeating: record.sequenceParameterSets[0], count: 40)
        let parsed = try AVCDecoderConfigurationRecord(parsing: record.serialized())
        #expect(parsed.sequenceParameterSets.count == 31 && parsed.pictureParameterSets == record.pictureParameterSets)
    }

    /// What a stream shows is bounded by nothing: a record takes as many as it has room for, and looks through no more.
    @Test func recordsOfEndlessSets() throws {
        func sets(_ header: [UInt8]) -> [ArraySlice<UInt8>] {
            (0..<40_000).map { number -> ArraySlice<UInt8> in
                let unit: [UInt8] = header + [UInt8(number >> 8), UInt8(number & 0xFF), 0x80]
                return unit[...]
            }
        }
        let avc: [UInt8] = [0x67, 66, 0, 10, 0xF8, 0x41, 0xA2]
        let record = try AVCDecoderConfigurationRecord(parameterSets: [avc[...]] + sets([0x67, 66, 0]) + sets([0x68]) + sets([0x6D]))
        #expect(record.sequenceParameterSets.count == 31 && record.pictureParameterSets.count == 255)
        #expect(throws: ParseError.self) { try HEVCDecoderConfigurationRecord(parameterSets: sets([0x40, 1]) + sets([0x42, 1]) + sets([0x44, 1])) }
    }

    @Test(arguments: ["-pix_fmt yuv420p", "-pix_fmt yuv420p10le -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"])
    func hevcRecordIsTheOneFFmpegMakes(options: String) throws {
        let name = "hevc\(options.utf8.count)"
        let pair = try Reference.pair(
            name, extension: "hevc", "\(Reference.picture) -c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=4 \(options)", mp4: "-tag:v hvc1")
        let expected = try pair.box("hvcC")
        let made = try HEVCDecoderConfigurationRecord(parameterSets: NALUnitSequence.units(in: pair.stream, framing: .annexB))
        let parsed = try HEVCDecoderConfigurationRecord(parsing: expected)
        #expect(parsed.serialized() == expected)
        #expect(made.serialized() == parsed.normalized().serialized())
        #expect(parsed.normalized().arrays.map(\.nalUnitType) == [32, 33, 34] && parsed.hasParameterSets)
        let set = try #require(parsed.firstSequenceParameterSet)
        // 162 is no multiple of the smallest coding block: the conformance window takes the rest off.
        #expect(set.width == 162 && set.height == 90)
        #expect(set.usability.tick?.numerator == 1 && set.usability.tick?.denominator == 24)
        if options.contains("p10") {
            #expect(set.bitDepthLuma == 10 && set.usability.primaries == 9 && set.usability.transfer == 16 && set.usability.matrix == 9)
            #expect(CodecString.hevc(parsed).hasPrefix("hvc1.2.4.L"))
        } else {
            #expect(set.bitDepthLuma == 8 && CodecString.hevc(parsed).hasPrefix("hvc1.1.6.L"))
        }
        for bytes in Damage.truncations(of: Array(expected.prefix(300))) + Damage.mutations(of: expected, count: 500) {
            if let record = try? HEVCDecoderConfigurationRecord(parsing: bytes) {
                _ = record.firstSequenceParameterSet
                _ = record.serialized()
                _ = CodecString.hevc(record)
            }
        }
    }

    @Test(arguments: [8, 10]) func av1RecordIsTheOneFFmpegMakes(depth: Int) throws {
        let format = depth == 8 ? "yuv420p" : "yuv420p10le"
        let pair = try Reference.pair(
            "av1-\(depth)", extension: "obu", "\(Reference.picture) -c:v libaom-av1 -cpu-used 8 -frames:v 12 -g 6 -pix_fmt \(format)")
        let expected = try pair.box("av1C")
        let parsed = try AV1CodecConfigurationRecord(parsing: expected)
        #expect(parsed.serialized() == expected)
        #expect(try AV1CodecConfigurationRecord(sequenceHeaderIn: pair.stream).serialized() == expected)
        #expect(parsed.bitDepth == depth)
        let header = try #require(parsed.sequenceHeader)
        #expect(header.bitDepth == depth && header.width == 162 && header.height == 90 && !header.isMonochrome)
        #expect(header.subsamplingX && header.subsamplingY && header.profile == 0)
        #expect(CodecString.av1(parsed) == "av01.0.00M.\(depth == 8 ? "08" : "10")")
        for bytes in Damage.all(of: expected) {
            if let record = try? AV1CodecConfigurationRecord(parsing: bytes) {
                _ = record.sequenceHeader
                _ = CodecString.av1(record)
                #expect(record.serialized() == bytes)
            }
        }
    }

    @Test func av1SamplesLoseTheirDelimiters() throws {
        let pair = try Reference.pair("av1-td", extension: "obu", "\(Reference.picture) -c:v libaom-av1 -cpu-used 8 -frames:v 1")
        let cleaned = try #require(pair.stream.withUnsafeBytes { AV1TemporalUnit.cleaned($0) })
        #expect(try pair.samples().map(\.bytes) == [cleaned])
        #expect(cleaned.withUnsafeBytes { AV1TemporalUnit.cleaned($0) } == nil)
        for bytes in Damage.all(of: Array(pair.stream.prefix(200))) { _ = bytes.withUnsafeBytes { AV1TemporalUnit.cleaned($0) } }
    }

    @Test func av1ColoursStandInTheString() throws {
        let pair = try Reference.pair(
            "av1-hdr", extension: "obu",
            "\(Reference.picture) -c:v libaom-av1 -cpu-used 8 -frames:v 1 -pix_fmt yuv420p10le -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc")
        let record = try AV1CodecConfigurationRecord(sequenceHeaderIn: pair.stream)
        #expect(CodecString.av1(record) == "av01.0.00M.10.0.110.09.16.09.0")
    }

    @Test func lengthsOfOpenBitstreamUnitsMayBePadded() {
        // leb128 of 2 in eight bytes; the ninth would be too many.
        let padded: [UInt8] = [0x0A, 0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 7, 8]
        let read = AV1OpenBitstreamUnit.units(in: padded[...])
        #expect(read.units.map(\.payload) == [9..<11] && read.droppedByteCount == 0)
        #expect(AV1OpenBitstreamUnit.units(in: [0x0A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]).units.isEmpty)
        // 2^32 is past what the standard lets a size be.
        #expect(AV1OpenBitstreamUnit.units(in: [0x0A, 0x80, 0x80, 0x80, 0x80, 0x10]).droppedByteCount == 6)
    }

    @Test func av1SequenceHeaderWithItsClock() throws {
        var bits = BitWriter()
        bits.writeBits(0, 5)  // profile 0, neither still nor reduced
        bits.writeFlag(true)
        bits.writeBits(1001, 32)
        bits.writeBits(60_000, 32)
        bits.writeFlag(true)
        bits.writeBits(0b010, 3)  // uvlc 1
        bits.writeFlag(false)
        bits.writeFlag(false)
        bits.writeBits(0, 5)
        bits.writeBits(0, 12)
        bits.writeBits(13, 5)
        bits.writeFlag(true)
        bits.writeBits(11, 4)
        bits.writeBits(10, 4)
        bits.writeBits(3839, 12)
        bits.writeBits(1079, 11)
        bits.writeFlag(false)
        bits.writeBits(0, 3)
        bits.writeBits(0, 4)
        bits.writeFlag(false)  // order hint
        bits.writeFlag(true)
        bits.writeFlag(true)
        bits.writeBits(0, 3)
        bits.writeBits(0b000, 3)  // 8 bits, colour, not described
        bits.writeFlag(false)
        bits.writeBits(1, 2)
        bits.writeFlag(false)
        bits.writeFlag(false)
        let payload = bits.bytes
        let header = try AV1SequenceHeader(parsing: payload[...])
        #expect(header.timing?.unitsInDisplayTick == 1001 && header.timing?.timeScale == 60_000 && header.timing?.ticksPerPicture == 2)
        #expect(header.width == 3840 && header.height == 1080 && header.level == 13 && header.isHighTier && !header.hasReducedStillPictureHeader)
        #expect(header.chromaSamplePosition == 1 && header.bitDepth == 8)
        let record = try AV1CodecConfigurationRecord(sequenceHeaderIn: [0x0A, UInt8(payload.count)] + payload)
        #expect(record.serialized().prefix(4) == [0x81, 0x0D, 0x8D, 0x00])
        #expect(CodecString.av1(record) == "av01.0.13H.08.0.111.02.02.02.0")
        for bytes in Damage.all(of: payload, mutations: 1000) { _ = try? AV1SequenceHeader(parsing: bytes[...]) }
    }

    @Test func framingIsReadOffExtradata() {
        #expect(NALUnitFraming.detect(extradata: [0, 0, 0, 1, 0x67], lengthSizeOffset: 4) == .annexB)
        #expect(NALUnitFraming.detect(extradata: [0, 0, 1, 0x67], lengthSizeOffset: 4) == .annexB)
        #expect(NALUnitFraming.detect(extradata: [1, 100, 0, 40, 0xFF, 0xE1], lengthSizeOffset: 4) == .lengthPrefixed(lengthSize: 4))
        #expect(NALUnitFraming.detect(extradata: [1, 100, 0, 40, 0xFE, 0xE1], lengthSizeOffset: 4) == nil)
        #expect(NALUnitFraming.detect(extradata: [1], lengthSizeOffset: 4) == nil)
        #expect(NALUnitFraming.detect(extradata: [], lengthSizeOffset: 4) == nil)
    }
}
