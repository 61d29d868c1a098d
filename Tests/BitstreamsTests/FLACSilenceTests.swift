import BitsAndTime
import Bitstreams
import Libav
import TestSupport
import Testing

@Suite struct FLACSilenceTests {
    /// STREAMINFO of these properties.
    private func info(_ minimum: Int = 4096, _ maximum: Int = 4096, rate: Int = 48000, channels: Int = 2, bits: Int = 16, smallest: Int = 0) throws -> FLACStreamInfo {
        var writer = BitWriter()
        writer.writeBits(minimum, 16)
        writer.writeBits(maximum, 16)
        writer.writeBits(smallest, 24)
        writer.writeBits(0, 24)
        writer.writeBits(rate, 20)
        writer.writeBits(channels - 1, 3)
        writer.writeBits(bits - 1, 5)
        writer.writeBits(0, 36)
        for _ in 0..<16 { writer.writeBits(0, 8) }
        return try FLACStreamInfo(parsing: writer.bytes)
    }

    @Test(arguments: [0, 1, 127, 128, 2047, 2048, 65_535, 65_536, 2_097_151, 2_097_152, 67_108_863, 67_108_864, 2_147_483_647] as [Int64])
    func framesAreNumberedByTheirPlace(number: Int64) throws {
        let silence = try FLACSilence(try info())
        let frame = silence.frame(at: number * 4096)
        #expect(try FLACFrame.number(of: frame) == UInt32(number))
        // Both checks are right: renumbering keeps them so, and gives the frame of the other place.
        #expect(try FLACFrame.renumbered(frame, as: 5) == silence.frame(at: 5 * 4096))
        #expect(silence.frame(at: 5 * 4096 + 4095) == silence.frame(at: 5 * 4096))
    }

    @Test func whatIsCutFromAStreamGoesOnWithItsNumbers() throws {
        let whole = try FLACSilence(try info())
        let cut = try FLACSilence(try info(), first: whole.frame(at: 300 * 4096))
        #expect(cut.firstNumber == 300 && !cut.isVariable)
        #expect(try FLACFrame.number(of: cut.frame(at: 7 * 4096)) == 307)
        #expect(try FLACFrame.number(of: cut.frame(at: -4096)) == 299)
        #expect(try FLACFrame.number(of: whole.frame(at: -4096)) == 0)
    }

    @Test func blocksOfDifferingLengthsAreNumberedBySample() throws {
        let silence = try FLACSilence(try info(576, 8192))
        #expect(silence.isVariable && silence.blockLength == 4096)
        let frame = silence.frame(at: 1 << 33)
        #expect(frame[1] == 0xF9)
        let next = try FLACSilence(try info(576, 8192), first: frame)
        #expect(next.firstNumber == 1 << 33 && next.isVariable)
    }

    /// Each depth, number of channels, rate and length: libavcodec's decoder checks the sums, and gives zeros.
    @Test func decodersGiveZeros() throws {
        for smallest in [0, 500, 3000, 9000] {
            try decode(smallest)
        }
    }

    private func decode(_ smallest: Int) throws {
        for (channels, bits) in [(1, 8), (2, 16), (3, 12), (6, 20), (8, 24), (2, 24), (5, 16)] {
            for (rate, length) in [(48000, 4096), (44100, 4608), (96000, 192), (11025, 1000), (192_000, 16384)] {
                let info = try info(length, length, rate: rate, channels: channels, bits: bits, smallest: smallest)
                let silence = try FLACSilence(info)
                // As a file, for its description: STREAMINFO, marked last, and some frames.
                let frames = (0..<50).map { silence.frame(at: Int64($0 * length)) }
                let demuxer = try Demuxer(bytes: Array("fLaC".utf8) + [0x80, 0, 0, 34] + info.bytes + frames.flatMap(\.self))
                let decoder = try Decoder(demuxer: demuxer, streamIndex: 0)
                var count = 0
                // As many bits a sample as there are leave little more room than that.
                #expect(frames[0].count >= min(smallest, channels * length * min(bits, 14) / 8))
                for bytes in frames.prefix(5) {
                    let packet: Packet = try #require(Packet(copying: bytes))
                    try decoder.send(packet)
                    while let frame = try decoder.receive() {
                        count += frame.sampleCount
                        #expect(frame.channels == channels && frame.sampleRate == rate && frame.interleavedFloats().allSatisfy { $0 == 0 })
                    }
                }
                #expect(count == 5 * length, "\(channels) channels of \(bits) bits at \(rate), blocks of \(length)")
            }
        }
    }

    @Test func damagedFramesNeverTrap() throws {
        let info = try info()
        for bytes in Damage.all(of: try FLACSilence(info).frame(at: 1 << 40)) { _ = try? FLACSilence(info, first: bytes) }
    }
}
