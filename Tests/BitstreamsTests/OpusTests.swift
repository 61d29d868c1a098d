import BitsAndTime
import Bitstreams
import TestSupport
import Testing

@Suite struct OpusTests {
    /// As libopusenc writes it: two channels, 312 samples of pre-skip.
    static let stereo: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0, 0]
    /// 5.1 in mapping family 1.
    static let surround: [UInt8] = Array("OpusHead".utf8) + [1, 6, 0x38, 0x01, 0x44, 0xAC, 0, 0, 0xFF, 0xFE, 1, 4, 2, 0, 4, 1, 2, 3, 5]

    @Test func theHeaderIsReadAndWrittenBack() throws {
        let head = try OpusHead(parsing: Self.stereo)
        #expect(head == OpusHead(channelCount: 2, preSkip: 312))
        #expect(head.serialized() == Self.stereo)
        let wide = try OpusHead(parsing: Self.surround)
        #expect(wide == OpusHead(channelCount: 6, preSkip: 312, inputSampleRate: 44_100, outputGain: -257, mappingFamily: 1, mapping: [4, 2, 0, 4, 1, 2, 3, 5]))
        #expect(wide.serialized() == Self.surround)
    }

    @Test func theBoxHasTheSameTheOtherWayRound() throws {
        let head = try OpusHead(parsing: Self.surround)
        #expect(head.specificBox == [0, 6, 0x01, 0x38, 0, 0, 0xAC, 0x44, 0xFE, 0xFF, 1, 4, 2, 0, 4, 1, 2, 3, 5])
        #expect(try OpusHead(parsingSpecificBox: head.specificBox) == head)
        #expect(try OpusHead(parsingSpecificBox: OpusHead(parsing: Self.stereo).specificBox).specificBox == [0, 2, 0x01, 0x38, 0, 0, 0xBB, 0x80, 0, 0, 0])
    }

    @Test(arguments: [stereo, surround]) func whatIsCutShortIsAnError(bytes: [UInt8]) throws {
        let box = try OpusHead(parsing: bytes).specificBox
        for count in 0..<bytes.count { #expect(throws: ParseError.self) { try OpusHead(parsing: Array(bytes[..<count])) } }
        for count in 0..<box.count { #expect(throws: ParseError.self) { try OpusHead(parsingSpecificBox: Array(box[..<count])) } }
    }

    @Test func whatNoHeaderSaysIsRefused() {
        var other = Self.stereo
        other[8] = 16
        #expect(throws: ParseError.self) { try OpusHead(parsing: other) }
        other = Self.stereo
        other[9] = 0
        #expect(throws: ParseError.self) { try OpusHead(parsing: other) }
        other[9] = 3
        #expect(throws: ParseError.self) { try OpusHead(parsing: other) }
    }

    @Test func damageNeverTraps() {
        for damaged in Damage.all(of: Self.stereo, mutations: 2000) + Damage.all(of: Self.surround, mutations: 2000) {
            _ = try? OpusHead(parsing: damaged)
            _ = try? OpusHead(parsingSpecificBox: damaged)
            _ = OpusPacket.sampleCount(damaged)
        }
    }

    /// RFC 6716 Table 2, and its codes 0 to 3.
    @Test(arguments: [
        ([0x00], 480), ([0x08], 960), ([0x10], 1920), ([0x18], 2880), ([0x60], 480), ([0x68], 960), ([0x80], 120), ([0x88], 240), ([0x90], 480), ([0xF8], 960), ([0xFC], 960),
        ([0xF9], 1920), ([0xFA], 1920), ([0xFB, 3], 2880), ([0xFB, 0xC6], 5760), ([0x1B, 2], 5760),
    ] as [([UInt8], Int)])
    func aPacketTellsItsLength(bytes: [UInt8], samples: Int) { #expect(OpusPacket.sampleCount(bytes) == samples) }

    @Test(arguments: [[], [0xFB], [0xFB, 0], [0xFB, 7], [0x1B, 3]] as [[UInt8]]) func whatNoDecoderTakesHasNone(bytes: [UInt8]) { #expect(OpusPacket.sampleCount(bytes) == nil) }
}
