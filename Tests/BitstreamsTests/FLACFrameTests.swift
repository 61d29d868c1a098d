import BitsAndTime
import Bitstreams
import Libav
import TestSupport
import Testing

@Suite struct FLACFrameTests {
    /// Frames as libavcodec encodes them.
    private func frames(_ count: Int) throws -> [[UInt8]] {
        let format = AudioFormat(sampleRate: 48000, layout: .stereo, sampleFormat: .signed16)
        let encoder = try AudioEncoder(.init(encoder: "flac", format: format, frameLength: 1024, bitsPerSample: 16))
        let queue = try AudioQueue(format: format)
        try queue.writeSilence(count * 1024)
        return try (0..<count).flatMap { _ in try encoder.encode(try queue.read(1024)) }
    }

    @Test func theNumberIsRead() throws {
        #expect(try frames(130).map { try FLACFrame.number(of: $0) } == (0..<130).map(UInt32.init))
    }

    @Test func aFrameUnderAnotherNumberIsTheOneItsEncoderWouldHaveWritten() throws {
        let all = try frames(130)
        #expect(try FLACFrame.renumbered(all[3], as: 3) == all[3])
        // All are silence, and differ in number only: one byte, then two.
        #expect(try FLACFrame.renumbered(all[3], as: 100) == all[100])
        #expect(try FLACFrame.renumbered(all[3], as: 129) == all[129])
        #expect(try FLACFrame.renumbered(all[129], as: 3) == all[3])
    }

    @Test(arguments: [0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x1_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x7FFF_FFFF] as [UInt32])
    func eachLengthOfNumberIsReadBack(number: UInt32) throws {
        let frame = try #require(try frames(1).first)
        let renumbered = try FLACFrame.renumbered(frame, as: number)
        #expect(try FLACFrame.number(of: renumbered) == number)
        #expect(try FLACFrame.renumbered(renumbered, as: 0) == frame)
    }

    @Test func damagedFramesNeverTrap() throws {
        for bytes in Damage.all(of: try frames(130)[129]) { _ = try? FLACFrame.renumbered(bytes, as: 7) }
    }
}
