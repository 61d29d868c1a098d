package import BitsAndTime
internal import Bitstreams
package import Libav
package import SoundShaping

/// Builds what a bridged track is produced from: opens its decoder once to see that it does, decodes its first packets to know its sound, and
/// encodes silence to know what the encoder says of itself.
package enum BridgeFactory {
    /// Why a track cannot be bridged, in words for a report.
    package struct Refusal: Error, Sendable {
        package let reason: String
    }

    package struct Product: Sendable {
        package let track: BridgedTrack
        package let rendition: Rendition
        package let translator: PacketTranslator

        package init(track: BridgedTrack, rendition: Rendition, translator: PacketTranslator) {
            self.track = track
            self.rendition = rendition
            self.translator = translator
        }
    }

    /// Packets of the head that are decoded.
    private static let probedPackets = 8

    /// - Parameters:
    ///   - head: The stream's first packets, in file order.
    ///   - ladder: What the player takes of what a bridge can make.
    ///   - videoStart: Where the picture begins, on the source's presentation axis.
    ///   - shaping: What is done to its sound.
    package static func make(
        _ stream: StreamInfo, number: Int, head: [Packet], demuxer: Demuxer, ladder: BridgeLadder, videoStart: MediaTime?,
        shaping: Shaping = .none
    ) throws(Refusal) -> Product {
        guard let parameters = CodecParameters(demuxer: demuxer, streamIndex: stream.index) else { throw Refusal(reason: "its description could not be read") }
        // Dolby's decoders would compress loud and quiet by what the author meant for small sets; what is encoded again does that itself.
        let options = ["ac3", "eac3"].contains(stream.codecName) ? ["drc_scale": "0"] : [:]
        let sound = try probe(stream, head: head, parameters: parameters, options: options)
        let speakers = Speakers(rawValue: sound.layout.mask)
        let source = BridgeFormat.Source(
            sampleRate: sound.rate, layout: ChannelLayout(mask: shaping.speakers(of: speakers).rawValue), losslessBits: losslessBits(stream, isWide: sound.isWide))
        guard let format = BridgeFormat(source, ladder: ladder) else { throw Refusal(reason: "this build of FFmpeg has no encoder to bridge \(stream.codecName) with") }
        let encoded: Encoded
        do throws(LibavError) {
            encoded = try Encoded(format)
        } catch {
            throw Refusal(reason: "\(stream.codecName) cannot be encoded as \(format.settings.encoder): \(error)")
        }
        let (string, configuration): (String, [UInt8])
        do throws(ParseError) {
            (string, configuration) = try encoded.configuration(format)
        } catch {
            throw Refusal(reason: "the \(format.settings.encoder) encoder's own description could not be read: \(error)")
        }

        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        let priming = LeadingSkip.samples(stream, first: head.first)
        let placeTolerance = base.ticks(1, at: sound.rate) + 1
        // A frame shorter than the clock's error can be taken for its neighbour: TrueHD's last 0.8 ms, and Matroska counts whole ones.
        let isTold = sound.frameLength > 0 && sound.frameLength / 2 >= placeTolerance
        let isFitted = base.isCoarse && !(isTold && head.first?.pts != nil)
        var grid: SampleGrid?
        if let first = head.first, let pts = first.pts {
            guard base.ticks(pts, at: sound.rate).magnitude < UInt64(BridgedTrack.farthest) else { throw Refusal(reason: "its first packet has no time a film has") }
            grid = SampleGrid(
                firstPTS: pts, leadingSkip: priming, frameLength: isTold ? sound.frameLength : 0, timescale: sound.rate, timeBase: base)
        }
        let audible = grid.map { $0.origin + priming }
        let starts = [audible.map { MediaTime(ticks: $0, timescale: sound.rate) }, videoStart].compactMap(\.self)
        let outputRate = format.settings.format.sampleRate
        let length = Int64(encoded.frameLength)
        let earliest = min(max((starts.min() ?? .zero).converted(to: outputRate).ticks, -BridgedTrack.farthest), BridgedTrack.farthest)
        let track = BridgedTrack(
            rendition: .audio(number), parameters: parameters, decoderOptions: options, format: format, frameLength: length,
            initialPadding: Int64(encoded.initialPadding), sourceRate: sound.rate, origin: grid?.origin, audibleStart: audible,
            placeTolerance: placeTolerance, fitLength: isFitted ? Int64(sound.rate) / (sound.frameLength > 0 ? 32 : 1) : 0,
            fitGrid: isFitted && grid != nil ? sound.frameLength : 0, coarseGrid: base.isCoarse && !isFitted ? sound.frameLength : 0,
            slack: stream.codecName.hasPrefix("pcm_") || (isFitted && (grid == nil || sound.frameLength == 0)) ? Int64(sound.rate) / 50 : 0,
            warmUp: isFitted && sound.frameLength == 0 ? max(warmUp(stream.codecName), MediaTime(ticks: 11, timescale: 10)) : warmUp(stream.codecName),
            firstFrame: (earliest >= 0 ? earliest / length : -((length - 1 - earliest) / length)) - Int64(format.leadFrames),
            shaped: shaping.isIdle(for: speakers) ? nil : ShapedSound(shaping, source: sound.layout, target: format.settings.format))
        let description = TrackAnalyzer.bridged(
            stream, format: format, frameLength: encoded.frameLength, string: string, configuration: configuration)
        return Product(
            track: track, rendition: RenditionFactory.bridged(track, description: description),
            translator: PacketTranslator(
                rendition: .audio(number), codec: nil, timescale: sound.rate, timeBase: base, framing: .passthrough, grid: grid, preroll: .min / 4 ..< .max / 4))
    }

    // MARK: Decoded

    private struct Sound {
        var rate: Int32
        var layout: ChannelLayout
        /// Samples a packet; 0 where packets differ.
        var frameLength: Int64
        var isWide: Bool
    }

    private static func probe(_ stream: StreamInfo, head: [Packet], parameters: CodecParameters, options: [String: String]) throws(Refusal) -> Sound {
        let decoder: Decoder
        do throws(LibavError) {
            decoder = try Decoder(parameters, keepsSkippedSamples: true, options: options)
        } catch {
            throw Refusal(reason: "\(stream.codecName) was not opened by its decoder: \(error)")
        }
        var format: AudioFormat?
        var lengths: Set<Int> = []
        var isDecoded = false
        for packet in head.prefix(probedPackets) {
            do throws(LibavError) {
                try decoder.send(packet)
                var length = 0
                while let frame = try decoder.receive() {
                    length += frame.sampleCount
                    isDecoded = true
                    format = format ?? frame.audioFormat
                }
                if length > 0 { lengths.insert(length) }
            } catch {
                // The next one may be whole: streams are entered anywhere.
                continue
            }
        }
        if isDecoded, format == nil { throw Refusal(reason: "the channels of its \(stream.codecName) stand in an order of their own") }
        // Vorbis's two lengths may not show in a few frames.
        let isRegular = lengths.count == 1 && !["vorbis", "wmav1", "wmav2"].contains(stream.codecName)
        guard let layout = format?.layout ?? ChannelLayout(channels: stream.channels) else {
            throw Refusal(reason: "\(stream.codecName) has \(stream.channels) channels in no known layout")
        }
        return Sound(
            rate: format?.sampleRate ?? stream.sampleRate, layout: layout,
            // Of SILK libavcodec holds half a millisecond back; a packet is whole quarters of ten, however long (RFC 6716 §2.1.4).
            frameLength: stream.codecName == "opus" && (format?.sampleRate ?? 48_000) == 48_000 ? 120 : isRegular ? Int64(lengths.first ?? 0) : 0,
            // Where nothing decodes yet (TrueHD between major syncs, sound that begins late) what the stream says counts; wider loses nothing.
            isWide: format?.sampleFormat.isWide ?? (stream.bitsPerRawSample > 16 || ["truehd", "mlp"].contains(stream.codecName)))
    }

    /// Bits of a lossless codec's samples that count; 0 for lossy ones, whose sixteenth bit is noise already.
    private static func losslessBits(_ stream: StreamInfo, isWide: Bool) -> Int {
        let isLossless =
            stream.codecName.hasPrefix("pcm_") && !["pcm_alaw", "pcm_mulaw", "pcm_vidc"].contains(stream.codecName)
            || ["truehd", "mlp", "flac", "alac", "wmalossless", "ralf", "tta", "ape", "tak", "wavpack", "mp4als", "shorten", "s302m"].contains(stream.codecName)
            || (stream.profileName ?? "").contains("HD MA")
        guard isLossless, isWide else { return isLossless ? 16 : 0 }
        return stream.bitsPerRawSample > 0 ? stream.bitsPerRawSample : 24
    }

    /// What a decoder entered in the middle needs before it gives what it would have given anyway.
    static func warmUp(_ codec: String) -> MediaTime {
        let milliseconds: Int64 =
            switch codec {
            case _ where codec.hasPrefix("pcm_"), "flac", "alac", "tta": 0
            // A major sync comes every 128 access units at least, and carries all state (Meridian's MLP reference).
            case "truehd", "mlp": 160
            // The filter bank's history, and the predictors' of four frames.
            case "dts": 100
            // RFC 7845 §4.6 asks for 80 ms; what predictors remember fades over more.
            case "opus": 240
            // The reservoir holds ten frames at most (ISO/IEC 11172-3 §2.4.3.4); earlier layers have none.
            case "mp3": 300
            case "mp1", "mp2": 100
            // Two frames of overlap.
            case "vorbis": 200
            default: 500
            }
        return MediaTime(ticks: milliseconds, timescale: 1000)
    }

    // MARK: Encoded

    /// What an encoder says of itself, once it is open and has encoded a little silence.
    private struct Encoded {
        let frameLength: Int
        let initialPadding: Int
        let extradata: [UInt8]
        let frame: [UInt8]

        init(_ format: BridgeFormat) throws(LibavError) {
            let encoder = try AudioEncoder(format.settings)
            let queue = try AudioQueue(format: format.settings.format)
            var coded: [[UInt8]] = []
            for _ in 0..<4 where coded.isEmpty {
                try queue.writeSilence(encoder.frameLength)
                coded += try encoder.encode(try queue.read(encoder.frameLength))
            }
            frameLength = encoder.frameLength
            initialPadding = encoder.initialPadding
            extradata = encoder.extradata
            frame = coded.first ?? []
        }

        /// CODECS and the configuration box's content.
        func configuration(_ format: BridgeFormat) throws(ParseError) -> (String, [UInt8]) {
            switch format.codec {
            case .eac3: return (CodecString.eac3, try EAC3AccessUnit(parsing: frame).specificBox)
            case .aac:
                var config = try AudioSpecificConfig(parsing: extradata)
                // libavcodec says 7 of what it writes in 12's order.
                if format.settings.format.layout.channelCount == 8 { config = try config.with(channelConfiguration: 12) }
                return (CodecString.aac(config), config.bytes)
            default: return (CodecString.flac, try FLACStreamInfo(parsing: extradata).specificBox)
            }
        }
    }
}
