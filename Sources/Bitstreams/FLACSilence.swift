package import BitsAndTime

/// FLAC frames that decode to silence, for one stream: of its rate, channels, depth and blocking, each under the number its place has.
///
/// A subframe of one constant value says all (RFC 9639 §9.2.3), in some twenty bytes a frame. Where STREAMINFO promises that no frame is as short,
/// which GStreamer's parser waits for, zeros are coded one by one, in as many bits as that takes.
package struct FLACSilence: Sendable, Equatable {
    /// Samples a frame.
    package let blockLength: Int
    /// Samples in the stream's own frames, at most.
    package let longestOwnBlock: Int
    /// Whether frames are numbered by their first sample instead of by count (§9.1.1).
    package let isVariable: Bool
    /// The number of the frame (of the sample) at the stream's beginning as it is served: 0 but for a stream that was cut out of another.
    package let firstNumber: UInt64
    /// What of the header is before the number, and behind it.
    private let head: [UInt8]
    private let tail: [UInt8]
    private let subframes: [UInt8]

    /// The longest block of a stream whose blocks differ in length.
    private static let longestBlock = 4096
    /// Numbers have 31 bits, or 36 where they count samples (§9.1.5).
    private var numberLimit: UInt64 { isVariable ? 1 << 36 : 1 << 31 }

    /// - Parameter first: The stream's first frame; without one, and where it is none, frames are numbered from 0.
    /// - Throws: `ParseError` for a stream that no frame can be written for.
    package init(_ info: FLACStreamInfo, first: [UInt8]? = nil) throws(ParseError) {
        guard info.bitsPerSample >= 4, info.channelCount <= 8 else {
            throw ParseError(.unsupported, at: 0, in: "STREAMINFO", "\(info.bitsPerSample) bits, \(info.channelCount) channels")
        }
        let isRegular = info.minimumBlockSize == info.maximumBlockSize
        longestOwnBlock = info.maximumBlockSize
        blockLength = isRegular ? info.maximumBlockSize : min(info.maximumBlockSize, Self.longestBlock)
        (isVariable, firstNumber) = first.flatMap(Self.blocking) ?? (!isRegular, 0)
        let rates = [88200: 1, 176400: 2, 192000: 3, 8000: 4, 16000: 5, 22050: 6, 24000: 7, 32000: 8, 44100: 9, 48000: 10, 96000: 11]
        let depths = [8: 1, 12: 2, 16: 4, 20: 5, 24: 6, 32: 7]
        // The length is written out even where a code says it: libavcodec takes nothing below eleven bytes for a frame.
        head = [
            0xFF, isVariable ? 0xF9 : 0xF8, 7 << 4 | UInt8(rates[info.sampleRate] ?? 0),
            UInt8(info.channelCount - 1) << 4 | UInt8(depths[info.bitsPerSample] ?? 0) << 1,
        ]
        tail = [UInt8((blockLength - 1) >> 8 & 0xFF), UInt8((blockLength - 1) & 0xFF)]
        let overhead = head.count + 1 + tail.count + 3
        subframes = Self.subframes(info, blockLength, atLeast: info.minimumFrameSize - overhead)
    }

    private static func subframes(_ info: FLACStreamInfo, _ blockLength: Int, atLeast wanted: Int) -> [UInt8] {
        var bits = BitWriter()
        for _ in 0..<info.channelCount {
            bits.writeBits(0 as UInt64, 8)  // SUBFRAME_CONSTANT, no wasted bits
            bits.writeBits(0 as UInt64, info.bitsPerSample)
        }
        if bits.bytes.count >= wanted { return bits.bytes }
        // Order 0, one partition: a zero is a stop bit and as many bits as its parameter says (§9.2.7).
        var parameter = 0
        while parameter < 14, info.channelCount * (18 + blockLength * (parameter + 1)) < 8 * wanted { parameter += 1 }
        bits = BitWriter()
        for _ in 0..<info.channelCount {
            bits.writeBits(0x10 as UInt64, 8)  // SUBFRAME_FIXED
            bits.writeBits(0 as UInt64, 6)
            bits.writeBits(UInt64(parameter), 4)
            for _ in 0..<blockLength { bits.writeBits(1 << UInt64(parameter), parameter + 1) }
        }
        return bits.bytes
    }

    /// The frame whose first sample lies `offset` samples behind the stream's first; before it, too, where all are numbered 0.
    package func frame(at offset: Int64) -> [UInt8] {
        let count = isVariable ? offset : offset >= 0 ? offset / Int64(blockLength) : -((Int64(blockLength) - 1 - offset) / Int64(blockLength))
        let (sum, overflow) = Int64(clamping: firstNumber).addingReportingOverflow(count)
        let number = overflow || sum < 0 ? 0 : UInt64(sum) % numberLimit
        var bytes = head
        bytes += FLACFrame.coded(number)
        bytes += tail
        bytes.append(FLACFrame.check8(bytes))
        bytes += subframes
        let sum16 = FLACFrame.check16(bytes[...])
        return bytes + [UInt8(sum16 >> 8), UInt8(truncatingIfNeeded: sum16)]
    }

    /// Whether a frame is numbered by its first sample, and its number; `nil` for what is no frame.
    private static func blocking(of frame: [UInt8]) -> (isVariable: Bool, number: UInt64)? {
        guard frame.count >= 5, frame[0] == 0xFF, frame[1] & 0xFE == 0xF8 else { return nil }
        let isVariable = frame[1] & 1 == 1
        guard frame[4] >= 0x80 else { return (isVariable, UInt64(frame[4])) }
        let length = (~frame[4]).leadingZeroBitCount
        guard (2...7).contains(length), frame.count >= 4 + length, frame[5..<4 + length].allSatisfy({ $0 & 0xC0 == 0x80 }) else { return nil }
        return (isVariable, frame[5..<4 + length].reduce(UInt64(frame[4] & (0x7F >> UInt8(length)))) { $0 << 6 | UInt64($1 & 0x3F) })
    }
}
