import Foundation
import Libav
import SegmentVerification
import TestSupport
import Testing

/// What a track sounds like once decoded, sample by sample.
struct HeardSound {
    /// A time that does not follow from the samples before.
    struct Hole: Error {
        let samples: Int
        let seconds: Double
    }

    let sampleRate: Int
    let channels: Int
    let layout: String
    /// Where the first sample is, in samples from the presentation's zero.
    let start: Int
    /// By channel.
    let samples: [[Float]]

    /// What was decoded elsewhere.
    init(samples: [[Float]], start: Int, sampleRate: Int) {
        (self.samples, self.start, self.sampleRate, channels, layout) = (samples, start, sampleRate, samples.count, "")
    }

    /// The mean of all channels.
    var mono: HeardSound {
        HeardSound(
            samples: [samples[0].indices.map { at in samples.reduce(0) { $0 + $1[at] } / Float(samples.count) }], start: start, sampleRate: sampleRate)
    }

    /// - Parameters:
    ///   - bytes: Init segment and media segments, or a file.
    ///   - tolerance: How many samples a time may be off: what is served is exact, a millisecond clock is not.
    init(bytes: [UInt8], streamIndex: Int = 0, tolerance: Int = 1) throws {
        let demuxer = try Demuxer(bytes: bytes)
        try demuxer.findStreamInfo()
        let stream = try #require(demuxer.streams.first { $0.index == streamIndex })
        let decoder = try Decoder(demuxer: demuxer, streamIndex: streamIndex)
        var (rate, count, start) = (Int(stream.sampleRate), stream.channels, Int?.none)
        var interleaved: [Float] = []
        func drain() throws {
            while let frame = try decoder.receive() {
                (rate, count) = (frame.sampleRate, frame.channels)
                let seconds = Double(frame.pts ?? 0) * Double(stream.timeBaseNumerator) / Double(stream.timeBaseDenominator)
                let position = Int((seconds * Double(rate)).rounded())
                if start == nil { start = position }
                let expected = (start ?? 0) + interleaved.count / max(count, 1)
                guard abs(position - expected) <= tolerance else { throw Hole(samples: position - expected, seconds: seconds) }
                interleaved += frame.interleavedFloats()
            }
        }
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == streamIndex else { continue }
            try decoder.send(packet)
            try drain()
        }
        try decoder.send(nil)
        try drain()
        (sampleRate, channels, self.start, layout) = (rate, count, start ?? 0, stream.channelLayout ?? "")
        samples = (0..<count).map { channel in stride(from: channel, to: interleaved.count, by: count).map { interleaved[$0] } }
    }

    /// Samples of a channel from `position` on, zero where there are none.
    func window(_ channel: Int, at position: Int, count: Int) -> [Float] {
        (0..<count).map { i in
            let at = position + i - start
            return samples[channel].indices.contains(at) ? samples[channel][at] : 0
        }
    }

    /// The strength of a tone.
    func level(of hertz: Double, channel: Int, at position: Int, count: Int = 4800) -> Double {
        var (re, im) = (0.0, 0.0)
        for (i, sample) in window(channel, at: position, count: count).enumerated() {
            let phase = 2 * Double.pi * hertz * Double(i) / Double(sampleRate)
            re += Double(sample) * cos(phase)
            im += Double(sample) * sin(phase)
        }
        return 2 * (re * re + im * im).squareRoot() / Double(count)
    }
}

/// Noise below about 8 kHz, the same in every run: found again to the sample whatever a codec does to it.
struct Noise {
    let samples: [Float]

    init(count: Int, seed: UInt64, smoothing: Int = 3) {
        var random = SeededRandom(seed: seed)
        samples = [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            var last: Float = 0, before: Float = 0, older: Float = 0
            for i in 0..<count {
                let next = Float(Int32(truncatingIfNeeded: random.next() >> 40) & 0xFFFF) / 65536 - 0.5
                buffer[i] = smoothing > 2 ? (next + last + before + older) / 4 : (next + last) / 2
                (older, before, last) = (before, last, next)
            }
            filled = count
        }
    }

    /// How many samples later `heard` is than this from `position` on, and how alike they are there (1: the same).
    func lag(of heard: HeardSound, channel: Int, at position: Int, around: Int = 0, count: Int = 1024, reach: Int = 40) -> (samples: Int, likeness: Double) {
        let wanted = (0..<count).map { samples.indices.contains(position + $0) ? samples[position + $0] : 0 }
        let own = wanted.reduce(0.0) { $0 + Double($1 * $1) }
        var best = (samples: Int.max, likeness: -1.0)
        let all = heard.window(channel, at: position + around - reach, count: count + 2 * reach)
        for shift in around - reach...around + reach {
            var (product, theirs) = (0.0, 0.0)
            let first = shift - around + reach
            wanted.withUnsafeBufferPointer { wanted in
                all.withUnsafeBufferPointer { all in
                    var i = 0
                    while i < count {
                        let (a, b) = (wanted[i], all[first + i])
                        product += Double(a * b)
                        theirs += Double(b * b)
                        i += 1
                    }
                }
            }
            let likeness = theirs > 0 ? product / (own * theirs).squareRoot() : 0
            if likeness > best.likeness { best = (shift, likeness) }
        }
        return best
    }

    /// Writes channels as 16-bit samples.
    static func wave(_ channels: [Noise], rate: Int) -> Data {
        let count = channels[0].samples.count
        var data = Data()
        func put32(_ value: Int) { withUnsafeBytes(of: UInt32(value).littleEndian) { data.append(contentsOf: $0) } }
        func put16(_ value: Int) { withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian) { data.append(contentsOf: $0) } }
        let byteCount = count * channels.count * 2
        data.append(contentsOf: Array("RIFF".utf8))
        put32(36 + byteCount)
        data.append(contentsOf: Array("WAVEfmt ".utf8))
        put32(16)
        put16(1)
        put16(channels.count)
        put32(rate)
        put32(rate * channels.count * 2)
        put16(channels.count * 2)
        put16(16)
        data.append(contentsOf: Array("data".utf8))
        put32(byteCount)
        var bytes = [UInt8](repeating: 0, count: byteCount)
        for (number, channel) in channels.enumerated() {
            for i in 0..<count {
                let value = Int16((channel.samples[i] * 32767).rounded())
                let at = (i * channels.count + number) * 2
                bytes[at] = UInt8(truncatingIfNeeded: value)
                bytes[at + 1] = UInt8(truncatingIfNeeded: value >> 8)
            }
        }
        data.append(contentsOf: bytes)
        return data
    }
}
