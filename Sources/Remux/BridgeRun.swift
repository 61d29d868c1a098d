internal import BitsAndTime
internal import Bitstreams
internal import Libav

/// One decoder and one encoder on their way through one segment (or, without a plan, through the film): packets in, coded frames out.
///
/// A function of the packets it is given and of nothing else. Between decoder and encoder lies one row of samples on the source's presentation
/// axis; what arrives is put at its place there, holes are silence, what comes twice is left out.
final class BridgeRun {
    private let track: BridgedTrack
    /// The first frame handed out.
    private let first: Int64
    /// The frame behind the last one handed out; `nil` while nobody knows.
    private var end: Int64?
    private let horizon: Int64?
    private(set) var counts = BridgeCounts()

    private let decoder: Decoder?
    let encoder: AudioEncoder?
    private let queue: AudioQueue?
    /// Between the row and the encoder's queue, where the track's sound is shaped.
    private let stage: ShapingStage?
    /// The frame whose samples go to the encoder next, and the one it gives next.
    private var nextInput: Int64
    private var nextOutput: Int64
    /// Where the row of samples ends, at the encoder's rate. The encoder is fed ahead by its padding, so that frame *n* decodes to its own samples.
    private(set) var reached: Int64

    /// Packets sent and not yet seen in a decoded frame, by the container's time.
    private var places: [(pts: Int64, position: Int64, trailingSkip: Int, isHidden: Bool)] = []
    private var lastPosition: Int64 = 0
    private var section: Section?
    /// Where the next decoded frame is expected, at the decoder's rate.
    private var cursor: (position: Int64, rate: Int32)?
    private var fit: ClockFit?
    /// Samples of the longest frame so far, where they differ.
    private var longest: Int64 = 0

    /// A stretch of decoded samples without a hole or a change of format.
    private struct Section {
        let format: AudioFormat
        let resampler: AudioResampler?
        /// Where what comes out next belongs, at the encoder's rate.
        var position: Int64
    }

    /// - Parameters:
    ///   - end: `nil` for a run that goes on to the source's end.
    ///   - horizon: Where that is at the latest, at the encoder's rate; `nil` where nobody knows.
    ///   - encoder: One to go on with, of those that remember nothing; `nil` for a fresh one.
    init(_ track: BridgedTrack, first: Int64, end: Int64?, horizon: Int64?, prerollFrames: Int, encoder shared: AudioEncoder? = nil) {
        self.track = track
        self.horizon = horizon
        self.first = first
        self.end = end
        nextInput = first - Int64(prerollFrames)
        nextOutput = nextInput
        reached = nextInput * track.frameLength + track.initialPadding - (track.shaped?.memory ?? 0)
        var opened: (Decoder?, AudioEncoder?, AudioQueue?, ShapingStage?) = (nil, nil, nil, nil)
        do throws(LibavError) {
            opened.1 = shared
            if shared == nil { opened.1 = try AudioEncoder(track.format.settings) }
            let queue = try AudioQueue(format: track.format.settings.format)
            opened.2 = queue
            if let shaped = track.shaped { opened.3 = try ShapingStage(shaped, queue: queue, at: reached) }
            opened.0 = try Decoder(track.parameters, keepsSkippedSamples: true, options: track.decoderOptions)
        } catch {
            counts.failures += 1
        }
        (decoder, encoder, queue, stage) = opened
        if track.fitLength > 0 { fit = ClockFit(length: track.fitLength, tolerance: track.placeTolerance) }
    }

    /// Whether everything was handed out.
    var isDone: Bool { encoder == nil || end.map { nextOutput >= $0 } ?? false }

    // MARK: In

    /// - Parameter position: Where the packet's first sample is, at the track's rate.
    func append(_ packet: Packet, at position: Int64) -> [AudioSample] {
        guard !isDone, let decoder else { return [] }
        counts.packets += 1
        lastPosition = position
        if let pts = packet.pts ?? packet.dts {
            places.append((pts, position, packet.skipSamplesEnd, packet.isDiscard))
            if places.count > 16 { places.removeFirst() }
        }
        var output: [AudioSample] = []
        do throws(LibavError) {
            try decoder.send(packet)
            while let frame = try decoder.receive() { output += take(frame) }
        } catch {
            // Entered in the middle, a decoder may refuse what it cannot begin with.
            if counts.decodedFrames > 0 { counts.damagedPackets += 1 }
        }
        return output
    }

    /// The source has ended: what the decoder still holds comes out.
    func drain() -> [AudioSample] {
        guard !isDone, let decoder else { return [] }
        var output: [AudioSample] = []
        do throws(LibavError) {
            try decoder.send(nil)
            while let frame = try decoder.receive() { output += take(frame) }
        } catch {
            counts.damagedPackets += 1
        }
        output += settle()
        return output + endSection()
    }

    /// Nothing more will come: silence up to frame `last`, which is the end unless the end is known.
    func finish(at last: Int64) -> [AudioSample] {
        let end = end ?? max(last, first)
        self.end = end
        var output = settle()
        output += endSection()
        // An encoder that looks ahead needs more than its last frame; none looks further than this.
        for _ in 0..<4 where !isDone {
            let needed = end * track.frameLength + track.initialPadding + (track.shaped?.lookAhead ?? 0)
            output += fill(to: max(reached, needed) + (nextInput >= end ? track.frameLength : 0))
        }
        return output
    }

    /// Silence up to `position`, at the encoder's rate, if the row is not there yet.
    func fill(to position: Int64) -> [AudioSample] {
        guard position > reached, let queue else { return [] }
        var output: [AudioSample] = []
        do throws(LibavError) {
            while reached < position, !isDone {
                // In pieces, which are encoded as they come: a hole may be long.
                let part = min(position - reached, Int64(track.outputRate))
                if let stage { try stage.writeSilence(Int(part)) } else { try queue.writeSilence(Int(part)) }
                // What only warms up or is looked ahead at is not served.
                let served = max(reached, first * track.frameLength)
                counts.silentSamples += Int(max(0, min(reached + part, end.map { $0 * track.frameLength } ?? BridgedTrack.farthest) - served))
                reached += part
                output += pump()
            }
        } catch {
            counts.failures += 1
        }
        return output
    }

    // MARK: Decoded

    private func take(_ frame: Frame) -> [AudioSample] {
        guard frame.sampleCount > 0 else { return [] }
        guard let format = frame.audioFormat else {
            counts.damagedPackets += 1
            return []
        }
        counts.decodedFrames += 1
        var told: Int64?
        var count = Int64(frame.sampleCount)
        var isHidden = false
        if let at = frame.pts.flatMap({ pts in places.firstIndex { $0.pts == pts } }) {
            told = MediaTime.rescale(places[at].position, from: track.sourceRate, to: format.sampleRate)
            count -= Int64(places[at].trailingSkip)
            isHidden = places[at].isHidden
            places.removeFirst(at + 1)
        }
        let expected = cursor.map { MediaTime.rescale($0.position, from: $0.rate, to: format.sampleRate) }
        var tolerance = max(MediaTime.rescale(track.placeTolerance, from: track.sourceRate, to: format.sampleRate), Int64(frame.sampleCount) / 2)
        tolerance = max(tolerance, MediaTime.rescale(track.slack, from: track.sourceRate, to: format.sampleRate))
        if track.fitLength > 0, track.fitGrid == 0 {
            // Placed by a neighbour's length, a frame is half the longest off at most.
            longest = max(longest, Int64(frame.sampleCount))
            tolerance += longest / 2
        }
        var isNew = section?.format != format
        // Samples follow each other while the container's times agree to their resolution; a real hole is longer than half a frame.
        if let told, let expected, (told &- expected).magnitude > UInt64(tolerance) { isNew = true }
        let position: Int64
        if let expected, !isNew {
            position = expected
        } else {
            position = told ?? expected ?? MediaTime.rescale(lastPosition, from: track.sourceRate, to: format.sampleRate)
        }
        if cursor == nil, fit == nil, let told, let origin = track.origin, track.coarseGrid > 0, (told &- origin) % track.coarseGrid != 0 {
            fit = ClockFit(length: Int64(track.sourceRate), tolerance: track.placeTolerance)
        }
        cursor = (position &+ Int64(frame.sampleCount), format.sampleRate)
        if var fit, format.sampleRate == track.sourceRate {
            if !isNew || fit.frames.isEmpty, count > 0, !isHidden {
                fit.append(frame, position: position, told: told, count: count)
                guard fit.isSettled else {
                    self.fit = fit
                    section = section ?? Section(format: format, resampler: nil, position: 0)
                    return []
                }
                self.fit = fit
                return settle()
            }
            var output = settle()
            output += endSection()
            output += place(frame, format: format, position: position, count: count, isHidden: isHidden)
            return output
        }
        if isNew {
            let rest = endSection()
            return rest + place(frame, format: format, position: position, count: count, isHidden: isHidden)
        }
        return place(frame, format: format, position: position, count: count, isHidden: isHidden)
    }

    /// Puts a frame's first `count` samples at `position`, at its own rate.
    private func place(_ frame: Frame, format: AudioFormat, position: Int64, count: Int64, isHidden: Bool) -> [AudioSample] {
        var skip = track.audibleStart.map { max(0, MediaTime.rescale($0, from: track.sourceRate, to: format.sampleRate) - position) } ?? 0
        guard !isHidden, skip < count else { return section == nil ? [] : endSection() }
        do throws(LibavError) {
            if section == nil {
                // A stretch begins where a sample of the source lies on one of the encoder's.
                let common = CommonSample(atOrAfter: position + skip, from: format.sampleRate, to: track.outputRate)
                skip += common.skip
                guard skip < count else { return [] }
                var input = format
                let row = track.shaped?.input ?? track.format.settings.format
                if track.shaped == nil { input.layout = track.format.renamed(format.layout) }
                let resampler = input == row ? nil : try AudioResampler(from: input, to: row)
                section = Section(format: format, resampler: resampler, position: common.position)
            }
            guard let current = section else { return [] }
            guard let resampler = current.resampler else { return write(frame, skip: skip, count: count - skip) }
            if count < Int64(frame.sampleCount) { frame.shorten(to: Int(count)) }
            guard let converted = try resampler.convert(frame, skip: Int(skip)) else { return [] }
            return write(converted, skip: 0, count: Int64(converted.sampleCount))
        } catch {
            counts.failures += 1
            section = nil
            return []
        }
    }

    /// Appends samples of the encoder's format to the row, at the section's place.
    private func write(_ frame: Frame, skip: Int64, count: Int64) -> [AudioSample] {
        guard let queue, let position = section?.position else { return [] }
        section?.position += count
        var output: [AudioSample] = []
        if position > reached {
            // Nothing behind this run's end is its own; where no end is known, what lies too far ahead has a wrong time.
            let limit = end.map { ($0 + 4) * track.frameLength + track.initialPadding + (track.shaped?.lookAhead ?? 0) } ?? horizon
                ?? reached + AudioBridge.longestFill.converted(to: track.outputRate).ticks
            if end == nil, position > limit {
                counts.damagedPackets += 1
                return []
            }
            output = fill(to: min(position, limit))
            if isDone { return output }
        }
        let known = max(reached - position, 0)
        guard known < count, position + known == reached else { return output }
        do throws(LibavError) {
            let (from, length) = (Int(skip + known), Int(count - known))
            if let stage { try stage.write(frame, skip: from, count: length) } else { try queue.write(frame, skip: from, count: length) }
            reached += count - known
        } catch {
            counts.failures += 1
        }
        return output + pump()
    }

    /// Ends the stretch of samples: what the resampler holds back comes out.
    private func endSection() -> [AudioSample] {
        defer { section = nil }
        guard let resampler = section?.resampler else { return [] }
        do throws(LibavError) {
            guard let rest = try resampler.convert(nil) else { return [] }
            return write(rest, skip: 0, count: Int64(rest.sampleCount))
        } catch {
            counts.failures += 1
            return []
        }
    }

    /// Places what waited for its clock to be known.
    private func settle() -> [AudioSample] {
        guard let settled = fit else { return [] }
        fit = nil
        section = nil
        var output: [AudioSample] = []
        var shift = settled.shift
        if track.fitGrid > 0, let origin = track.origin, let first = settled.frames.first {
            let distance = first.position + shift - origin
            let half = track.fitGrid / 2
            shift += (distance + (distance < 0 ? -half : half)) / track.fitGrid * track.fitGrid - distance
        }
        for held in settled.frames {
            guard let format = held.frame.audioFormat else { continue }
            output += place(held.frame, format: format, position: held.position + shift, count: held.count, isHidden: false)
        }
        cursor = cursor.map { ($0.position + shift, $0.rate) }
        return output
    }

    // MARK: Encoded

    private func pump() -> [AudioSample] {
        guard let queue, let encoder else { return [] }
        var output: [AudioSample] = []
        do throws(LibavError) {
            while queue.count >= encoder.frameLength, !isDone {
                let coded = try encoder.encode(try queue.read(encoder.frameLength))
                nextInput += 1
                for bytes in coded {
                    let number = nextOutput
                    nextOutput += 1
                    guard number >= first, end.map({ number < $0 }) ?? true else { continue }
                    counts.encodedFrames += 1
                    output.append(AudioSample(position: number * track.frameLength, sampleCount: track.frameLength, payload: numbered(bytes, number)))
                }
            }
        } catch {
            counts.failures += 1
        }
        return output
    }

    /// A FLAC frame says which one it is, which its encoder counts from its own beginning.
    private func numbered(_ bytes: [UInt8], _ number: Int64) -> [UInt8] {
        guard track.format.codec == .flac else { return bytes }
        do throws(ParseError) {
            return try FLACFrame.renumbered(bytes, as: UInt32(truncatingIfNeeded: number) & FLACFrame.numberLimit)
        } catch {
            counts.failures += 1
            return bytes
        }
    }
}
