import BitsAndTime
import Bitstreams
import Libav
import TestSupport
import Testing

@Suite struct VP9Tests {
    /// A key frame of profile 0, BT.709, 352 × 288, as libvpx writes it.
    static let key: [UInt8] = [0x82, 0x49, 0x83, 0x42, 0x40, 0x15, 0xF0, 0x11, 0xF0, 0x38, 0x24, 0x1C]
    /// One that refers to others.
    static let inter: [UInt8] = [0x86, 0x00, 0x40, 0x92, 0x88]

    @Test func aKeyFrameSaysWhatAPlayerHasToKnow() throws {
        let header = try VP9FrameHeader(parsing: Self.key[...])
        #expect(header.profile == 0 && header.isShown && !header.showsExisting)
        let key = try #require(header.keyFrame)
        #expect(key == .init(bitDepth: 8, colourSpace: 2, isFullRange: false, subsamplingX: true, subsamplingY: true, width: 352, height: 288))
    }

    @Test func othersAreNone() throws {
        #expect(try VP9FrameHeader(parsing: Self.inter[...]).keyFrame == nil)
        // show_existing_frame of slot 3.
        let shown = try VP9FrameHeader(parsing: [0x8B])
        #expect(shown.showsExisting && shown.isShown && shown.keyFrame == nil)
        #expect(Self.key.withUnsafeBytes { RandomAccess.classify(sample: $0, codec: .vp9, framing: .annexB) } == .idr)
        #expect(Self.inter.withUnsafeBytes { RandomAccess.classify(sample: $0, codec: .vp9, framing: .annexB) } == RandomAccessKind.none)
        #expect(throws: ParseError.self) { try VP9FrameHeader(parsing: [0x00, 0x49]) }
        #expect(throws: ParseError.self) { try VP9FrameHeader(parsing: [0x82, 0x49, 0x83, 0x43, 0x40, 0x15, 0xF0, 0x11, 0xF0]) }
    }

    /// Each way of laying out color_config, written as the specification has it.
    @Test(arguments: [(0, 8, true, true, 2), (1, 8, false, false, 5), (1, 8, true, false, 2), (2, 10, true, true, 5), (2, 12, true, true, 0), (3, 10, false, false, 5), (1, 8, false, false, 7), (3, 12, false, false, 7)])
    func everyProfileIsRead(profile: Int, bits: Int, subsamplingX: Bool, subsamplingY: Bool, space: Int) throws {
        var writer = BitWriter()
        writer.writeBits(2, 2)
        writer.writeBits(profile & 1, 1)
        writer.writeBits(profile >> 1, 1)
        if profile == 3 { writer.writeBits(0, 1) }
        writer.writeBits(0b0_0_1_0, 4)
        writer.writeBits(0x49_8342, 24)
        if profile >= 2 { writer.writeBits(bits == 12 ? 1 : 0, 1) }
        writer.writeBits(space, 3)
        if space != 7 {
            writer.writeBits(1, 1)
            if profile & 1 == 1 { writer.writeBits((subsamplingX ? 4 : 0) | (subsamplingY ? 2 : 0), 3) }
        } else if profile & 1 == 1 {
            writer.writeBits(0, 1)
        }
        writer.writeBits(1919, 16)
        writer.writeBits(1079, 16)
        let header = try VP9FrameHeader(parsing: writer.bytes[...])
        #expect(header.profile == profile)
        #expect(header.keyFrame == .init(bitDepth: bits, colourSpace: space, isFullRange: true, subsamplingX: subsamplingX, subsamplingY: subsamplingY, width: 1920, height: 1080))
        let record = try #require(VP9CodecConfigurationRecord(header))
        #expect(record.chromaSubsampling == (subsamplingX ? (subsamplingY ? 1 : 2) : 3))
        #expect(try VP9CodecConfigurationRecord(parsing: record.serialized()) == record)
    }

    @Test func theRecordIsWrittenAndNamed() throws {
        let header = try VP9FrameHeader(parsing: Self.key[...])
        let record = try #require(VP9CodecConfigurationRecord(header, picturesPerSecond: 30))
        #expect(record.serialized() == [1, 0, 0, 0, 0, 20, 0x82, 1, 1, 1, 0, 0])
        #expect(CodecString.vp9(record) == "vp09.00.20.08")
        let hdr = try #require(VP9CodecConfigurationRecord(header, primaries: 9, transfer: 16, matrix: 9))
        #expect(CodecString.vp9(hdr) == "vp09.00.20.08.01.09.16.09.00")
        for count in 0..<12 { #expect(throws: ParseError.self) { try VP9CodecConfigurationRecord(parsing: Array(record.serialized()[..<count])) } }
    }

    @Test(arguments: [(160, 90, 24.0, 10), (640, 360, 30, 21), (1280, 720, 30, 31), (1920, 1080, 30, 40), (1920, 1080, 60, 41), (3840, 2160, 30, 50), (3840, 2160, 60, 51), (7680, 4320, 60, 61), (7680, 4320, 120, 62)])
    func theLevelHasRoomForThePictures(width: Int, height: Int, rate: Double, level: UInt8) {
        #expect(VP9CodecConfigurationRecord.level(width: width, height: height, picturesPerSecond: rate) == level)
    }

    @Test func damageNeverTraps() {
        for damaged in Damage.all(of: Self.key, mutations: 5000) {
            _ = try? VP9FrameHeader(parsing: damaged[...])
            _ = damaged.withUnsafeBytes { VP9FrameHeader.isRandomAccess($0) }
            _ = try? VP9CodecConfigurationRecord(parsing: damaged)
        }
    }
}
