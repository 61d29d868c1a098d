internal import Libav
package import SoundShaping

/// How a bridged track's sound is changed between its decoder and its encoder.
package struct ShapedSound: Sendable {
    package let shaping: Shaping
    /// What the shaper is given, at the encoder's rate, and what it gives.
    let input: AudioFormat
    let output: AudioFormat
    /// Samples that a run begins earlier, for the shaper to have forgotten where it began.
    let memory: Int64
    /// Samples that a run is fed further.
    let lookAhead: Int64

    /// - Parameters:
    ///   - source: The decoder's speakers.
    ///   - target: What the encoder takes.
    init(_ shaping: Shaping, source: ChannelLayout, target: AudioFormat) {
        self.shaping = shaping
        input = AudioFormat(sampleRate: target.sampleRate, layout: source, sampleFormat: .planarFloat)
        output = AudioFormat(sampleRate: target.sampleRate, layout: target.layout, sampleFormat: .planarFloat)
        let shaper = SoundShaper(
            shaping, sampleRate: Int(target.sampleRate), from: Speakers(rawValue: source.mask), to: Speakers(rawValue: target.layout.mask), at: 0)
        (memory, lookAhead) = (Int64(shaper.memory), Int64(shaper.lookAhead))
    }

    package var sourceSpeakers: Speakers { Speakers(rawValue: input.layout.mask) }

    func shaper(at position: Int64) -> SoundShaper {
        SoundShaper(
            shaping, sampleRate: Int(input.sampleRate), from: Speakers(rawValue: input.layout.mask), to: Speakers(rawValue: output.layout.mask), at: position)
    }
}

/// The shaper of one ``BridgeRun``: the row of decoded samples in, the same row, shaped, into the encoder's queue, less what the shaper needed
/// to warm up.
final class ShapingStage {
    private let shaped: ShapedSound
    private let queue: AudioQueue
    private let row: AudioQueue
    private let converter: AudioResampler?
    private var shaper: SoundShaper
    private var warmUp: Int

    /// Samples shaped at one go.
    private static let block = 4096

    /// - Parameters:
    ///   - queue: The encoder's.
    ///   - position: Where the row begins; what goes into the queue begins ``ShapedSound/memory`` later.
    init(_ shaped: ShapedSound, queue: AudioQueue, at position: Int64) throws(LibavError) {
        self.shaped = shaped
        self.queue = queue
        row = try AudioQueue(format: shaped.input)
        converter = queue.format == shaped.output ? nil : try AudioResampler(from: shaped.output, to: queue.format)
        shaper = shaped.shaper(at: position)
        warmUp = Int(shaped.memory)
    }

    func write(_ frame: Frame, skip: Int, count: Int) throws(LibavError) {
        try row.write(frame, skip: skip, count: count)
        try shape()
    }

    func writeSilence(_ count: Int) throws(LibavError) {
        try row.writeSilence(count)
        try shape()
    }

    private func shape() throws(LibavError) {
        while row.count > 0 {
            let planes = shaper.process(try row.read(min(row.count, Self.block)).planarSamples())
            let count = planes.first?.count ?? 0
            let skip = min(warmUp, count)
            warmUp -= skip
            guard skip < count else { continue }
            let frame = try Frame.planar(planes, sampleRate: shaped.output.sampleRate, layout: shaped.output.layout)
            if let converter {
                if let converted = try converter.convert(frame, skip: skip) { try queue.write(converted) }
            } else {
                try queue.write(frame, skip: skip)
            }
        }
    }
}
