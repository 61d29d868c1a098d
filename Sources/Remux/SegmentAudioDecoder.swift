internal import BitsAndTime
package import Libav

/// Decodes served segments of one audio rendition to mono at 48 kHz, each sample at its place on the source's presentation axis.
///
/// Mono is the mean of all channels but the low-frequency one. A source at 48 kHz keeps its samples; another is converted, from a sample on that
/// lies on both clocks. Segments that follow each other are decoded by one decoder, as a player does.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it.
package final class SegmentAudioDecoder: @unchecked Sendable {
    package static let sampleRate: Int32 = 48_000

    /// Samples in a row.
    package struct Stretch: Sendable, Equatable {
        /// Of the first one, in samples at 48 kHz from the source's zero.
        package let position: Int64
        package var samples: [Float]

        package init(position: Int64, samples: [Float]) {
            self.position = position
            self.samples = samples
        }

        package var end: Int64 { position + Int64(samples.count) }
    }

    /// What is decoded in one go, without a hole or a change of format.
    private struct Section {
        let format: AudioFormat
        let resampler: AudioResampler?
        /// Where the next decoded sample is, at the format's rate.
        var next: Int64
        /// Where the next sample at 48 kHz is.
        var position: Int64
    }

    private let initialization: [UInt8]
    private let streamIndex: Int
    private var decoder: Decoder?
    private var section: Section?
    /// The clock of the frames that a decoder may still hold.
    private var base: TickBase?

    /// - Parameters:
    ///   - initialization: The rendition's init segment.
    ///   - streamIndex: The track in it.
    package init(initialization: [UInt8], streamIndex: Int) {
        self.initialization = initialization
        self.streamIndex = streamIndex
    }

    /// - Parameters:
    ///   - segment: The one behind the last, or any after ``finish()``.
    ///   - isCancelled: Looked at for each packet; what was decoded so far is given then.
    /// - Throws: ``LibavError`` for what is no segment, or when no decoder opens. Damaged packets leave holes.
    package func decode(_ segment: [UInt8], isCancelled: () -> Bool = { false }) throws(LibavError) -> [Stretch] {
        let demuxer = try Demuxer(bytes: initialization + segment)
        guard let stream = demuxer.streams.first(where: { $0.index == streamIndex }) else {
            throw LibavError(errno: 2, operation: "find the sound")
        }
        base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        let decoder: Decoder
        if let open = self.decoder {
            decoder = open
        } else {
            guard let parameters = CodecParameters(demuxer: demuxer, streamIndex: streamIndex) else { throw LibavError(errno: 12, operation: "open decoder") }
            decoder = try Decoder(parameters, keepsSkippedSamples: true)
            self.decoder = decoder
        }
        var output: [Stretch] = []
        while !isCancelled(), let packet = try demuxer.readPacket() {
            guard packet.streamIndex == streamIndex else { continue }
            do throws(LibavError) { try decoder.send(packet) } catch { continue }
            try receive(decoder, into: &output)
        }
        return output
    }

    /// What the decoder and the converter still hold; the next segment may be any.
    package func finish() throws(LibavError) -> [Stretch] {
        var output: [Stretch] = []
        if let decoder {
            do throws(LibavError) { try decoder.send(nil) } catch {}
            try receive(decoder, into: &output)
        }
        decoder = nil
        try endSection(into: &output)
        return output
    }

    /// Frames in a row that a decoder may refuse to give.
    private static let patience = 16

    private func receive(_ decoder: Decoder, into output: inout [Stretch]) throws(LibavError) {
        var refused = 0
        while true {
            let received: Frame?
            do throws(LibavError) { received = try decoder.receive() } catch {
                refused += 1
                if refused > Self.patience { return }
                continue
            }
            guard let frame = received else { return }
            guard frame.sampleCount > 0, let format = frame.audioFormat else { continue }
            let told = base.flatMap { base in frame.pts.map { base.ticks($0, at: format.sampleRate) } }
            // Times are exact where the track's clock is its rate; between two clocks they round.
            if let open = section, open.format != format || told.map({ abs($0 - open.next) > 2 }) ?? false { try endSection(into: &output) }
            // Where nothing says its place, it has none.
            guard let position = section?.next ?? told else { continue }
            try place(frame, format, at: position, into: &output)
        }
    }

    private func place(_ frame: Frame, _ format: AudioFormat, at position: Int64, into output: inout [Stretch]) throws(LibavError) {
        var skip: Int64 = 0
        if section == nil {
            if format.sampleRate == Self.sampleRate {
                section = Section(format: format, resampler: nil, next: position, position: position)
            } else {
                let common = CommonSample(atOrAfter: position, from: format.sampleRate, to: Self.sampleRate)
                skip = common.skip
                guard skip < Int64(frame.sampleCount) else { return }
                let wanted = AudioFormat(sampleRate: Self.sampleRate, layout: format.layout, sampleFormat: .planarFloat)
                section = Section(format: format, resampler: try AudioResampler(from: format, to: wanted), next: position, position: common.position)
            }
        }
        section?.next = position + Int64(frame.sampleCount)
        guard let resampler = section?.resampler else { return append(frame, format.layout, into: &output) }
        guard let converted = try resampler.convert(frame, skip: Int(skip)) else { return }
        append(converted, format.layout, into: &output)
    }

    private func endSection(into output: inout [Stretch]) throws(LibavError) {
        if let open = section, let resampler = open.resampler, let rest = try resampler.convert(nil) { append(rest, open.format.layout, into: &output) }
        section = nil
    }

    private func append(_ frame: Frame, _ layout: ChannelLayout, into output: inout [Stretch]) {
        guard let position = section?.position else { return }
        let samples = Self.mono(frame, layout)
        section?.position += Int64(samples.count)
        if let last = output.last, last.end == position {
            output[output.count - 1].samples += samples
        } else {
            output.append(Stretch(position: position, samples: samples))
        }
    }

    private static func mono(_ frame: Frame, _ layout: ChannelLayout) -> [Float] {
        let (all, channels) = (frame.interleavedFloats(), max(frame.channels, 1))
        guard channels > 1 else { return all }
        // Channels lie in the order of their bits.
        let low = layout.hasLowFrequency && layout.channelCount == channels ? (layout.mask & (ChannelLayout.lowFrequency - 1)).nonzeroBitCount : -1
        let scale = 1 / Float(low >= 0 && channels > 1 ? channels - 1 : channels)
        return (0..<all.count / channels).map { i in
            var sum: Float = 0
            for channel in 0..<channels where channel != low { sum += all[i * channels + channel] }
            return sum * scale
        }
    }
}
