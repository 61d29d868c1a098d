internal import BitsAndTime
internal import Bitstreams
package import Libav

/// Makes a copied track's silent frame, and proves it: it is parsed and decoded as the track's own frames are.
///
/// AAC, FLAC and Opus say silence in a few bytes, written by hand whatever the rate, length or depth. Dolby's and Apple's codecs take an encoder to say it,
/// and libavcodec has them.
package enum SilenceFactory {
    package struct Product: Sendable {
        package let frame: SilentFrame
        /// Samples it decodes to.
        package let length: Int64
        /// Samples that the track's own frames have at most.
        package var reach: Int64 = 0
        package let padding: SilencePadding
    }

    /// Why there is none, in words for a report.
    package struct Refusal: Error, Sendable, Equatable {
        package let reason: String
    }

    /// - Parameters:
    ///   - head: The stream's first packets, in file order.
    ///   - parameters: What its decoder is opened with; `nil` leaves the proof by decoding out.
    package static func make(_ track: TrackDescription, head: [Packet], parameters: CodecParameters?) throws(Refusal) -> Product {
        guard let sound = track.audio else { throw Refusal(reason: "it is no sound") }
        let product: Product
        switch track.codec {
        case .aac: product = try aac(track, sound)
        case .flac: product = try flac(track, head)
        case .alac: product = try alac(track)
        case .ac3, .eac3: product = try dolby(track, head)
        case .opus: product = try opus(track, sound)
        default: throw Refusal(reason: "it is no sound")
        }
        if let parameters { try prove(product, track.codec, sound, parameters) }
        return product
    }

    private static func reading<Value>(_ body: () throws(ParseError) -> Value) throws(Refusal) -> Value {
        do throws(ParseError) { return try body() } catch { throw Refusal(reason: "\(error)") }
    }

    // MARK: By hand

    private static func aac(_ track: TrackDescription, _ sound: TrackDescription.Audio) throws(Refusal) -> Product {
        let config = try reading { () throws(ParseError) in try AudioSpecificConfig(parsing: track.configuration) }
        guard sound.frameLength > 0, let frame = AACSilence.frame(for: config) else {
            throw Refusal(reason: "no silent frame is known of AAC object type \(config.audioObjectType) with channelConfiguration \(config.channelConfiguration)")
        }
        return Product(frame: .coded(frame), length: Int64(sound.frameLength), padding: .whole)
    }

    private static func flac(_ track: TrackDescription, _ head: [Packet]) throws(Refusal) -> Product {
        let silence = try reading { () throws(ParseError) in
            // Behind the box's version and flags and a block header.
            try FLACSilence(try FLACStreamInfo(parsing: Array(track.configuration.dropFirst(8))), first: head.first?.bytes)
        }
        return Product(frame: .flac(silence), length: Int64(silence.blockLength), reach: Int64(silence.longestOwnBlock), padding: .whole)
    }

    private static func opus(_ track: TrackDescription, _ sound: TrackDescription.Audio) throws(Refusal) -> Product {
        let head = try reading { () throws(ParseError) in try OpusHead(parsingSpecificBox: track.configuration) }
        let (bytes, length) = OpusSilence.packet(for: head, sampleCount: sound.frameLength)
        return Product(
            frame: .coded(bytes), length: Int64(length), reach: Int64(sound.frameLength > 0 ? sound.frameLength : OpusPacket.longest), padding: .whole)
    }

    // MARK: By an encoder

    /// The layouts that Apple's codec has for so many channels, under libav's names.
    private static let appleLayouts: [UInt64] = [0x4, 0x3, 0x7, 0x107, 0x37, 0x3F, 0x13F, 0xFF]

    private static func alac(_ track: TrackDescription) throws(Refusal) -> Product {
        let config = try reading { () throws(ParseError) in try ALACSpecificConfig(parsing: Array(track.configuration.dropFirst(4))) }
        guard appleLayouts.indices.contains(config.channelCount - 1), [16, 24].contains(config.bitDepth) else {
            throw Refusal(reason: "the encoder makes no ALAC of \(config.channelCount) channels and \(config.bitDepth) bits")
        }
        let format = AudioFormat(
            sampleRate: Int32(clamping: config.sampleRate), layout: ChannelLayout(mask: appleLayouts[config.channelCount - 1]),
            sampleFormat: config.bitDepth == 16 ? .planar16 : .planar32)
        let (frame, length) = try encoded(.init(encoder: "alac", format: format, bitsPerSample: config.bitDepth))
        guard length == config.frameLength else { throw Refusal(reason: "its frames have \(config.frameLength) samples, and the encoder's \(length)") }
        return Product(frame: .coded(frame), length: Int64(length), padding: .whole)
    }

    /// acmod's channels (ETSI TS 102 366 V1.4.1 Table 4.3) under libav's names; two programmes in one have none.
    private static let dolbyLayouts: [UInt64] = [0, 0x4, 0x3, 0x7, 0x103, 0x107, 0x603, 0x607]

    /// Access units looked at: one that was cut may come first.
    private static let unitLimit = 24

    private static func dolby(_ track: TrackDescription, _ head: [Packet]) throws(Refusal) -> Product {
        var unit: EAC3AccessUnit?
        var failure = Refusal(reason: "none of its frames was seen near the start")
        for packet in head.prefix(unitLimit) where unit == nil {
            do throws(ParseError) { unit = try EAC3AccessUnit(parsing: packet.bytes) } catch { failure = Refusal(reason: "\(error)") }
        }
        guard let unit else { throw failure }
        var bytes: [UInt8] = []
        for program in unit.programs {
            let own = try syncframe(like: program.independent, blocks: unit.blockCount)
            let isFirst = program.independent.substreamID == 0 || !program.independent.isEnhanced
            bytes += isFirst
                ? own
                : try reading { () throws(ParseError) in try EAC3Substream.rewritten(own, as: .independent, substreamID: program.independent.substreamID) }
            for dependent in program.dependents {
                let own = try syncframe(like: dependent, blocks: unit.blockCount)
                bytes += try reading { () throws(ParseError) in
                    try EAC3Substream.rewritten(own, as: .dependent, substreamID: dependent.substreamID, channelMap: dependent.channelMap)
                }
            }
        }
        return Product(
            frame: .coded(bytes), length: Int64(unit.sampleCount), padding: track.audio?.jocComplexity == nil ? .whole : .withoutObjects)
    }

    /// A syncframe of the same rate, channels, level and size, or of the least size that so few blocks come in.
    private static func syncframe(like frame: AC3Syncframe, blocks: Int) throws(Refusal) -> [UInt8] {
        let mask = dolbyLayouts[Int(frame.acmod & 7)]
        guard mask != 0 else { throw Refusal(reason: "it has two programmes in one") }
        let layout = ChannelLayout(mask: mask | (frame.hasLFE ? ChannelLayout.lowFrequency : 0))
        let (name, rate) = (frame.isEnhanced ? "eac3" : "ac3", Int32(clamping: frame.sampleRate))
        guard AudioEncoder.takes(name, sampleRate: rate), AudioEncoder.takes(name, layout: layout) else {
            throw Refusal(reason: "no \(name) encoder here takes \(layout) at \(rate) Hz")
        }
        var bitRate = Int64(frame.bitRate)
        if frame.isEnhanced {
            // The encoder takes as many blocks a frame as frmsiz allows (2048 words of 16 bits).
            func limit(_ blocks: Int) -> Int64 { 2048 * 16 * Int64(rate) / Int64(256 * blocks) }
            let larger = [1: 2, 2: 3, 3: 6][blocks]
            bitRate = min(max(bitRate, larger.map { limit($0) + 1 } ?? 0), limit(blocks))
        }
        var options = ["dialnorm": "-\(frame.dialogueNormalization)"]
        // Seven is a voice over where there is one channel, and karaoke where there are more, which libav counts as eight.
        if frame.bsmod != 0 { options["audio_service_type"] = "\(frame.bsmod == 7 && frame.acmod > 1 ? 8 : frame.bsmod)" }
        // bsid 6 is the alternate syntax, which saying anything of a downmix takes (Annex D).
        if !frame.isEnhanced, frame.bsid == 6 { options["dmix_mode"] = "0" }
        let (bytes, length) = try encoded(
            .init(encoder: name, format: AudioFormat(sampleRate: rate, layout: layout, sampleFormat: .planarFloat), bitRate: bitRate, options: options))
        let made = try reading { () throws(ParseError) in try AC3Syncframe(parsing: bytes[...]) }
        guard made.fscod == frame.fscod, made.acmod == frame.acmod, made.hasLFE == frame.hasLFE, length == blocks * 256, made.sampleCount == length,
            frame.isEnhanced || made.frameSizeCode >> 1 == frame.frameSizeCode >> 1
        else { throw Refusal(reason: "the \(name) encoder made another kind of frame") }
        return bytes
    }

    private static func encoded(_ settings: AudioEncoder.Settings) throws(Refusal) -> (frame: [UInt8], length: Int) {
        do throws(LibavError) {
            let encoder = try AudioEncoder(settings)
            let queue = try AudioQueue(format: settings.format)
            for _ in 0..<4 {
                try queue.writeSilence(encoder.frameLength)
                if let frame = try encoder.encode(try queue.read(encoder.frameLength)).first { return (frame, encoder.frameLength) }
            }
        } catch {
            throw Refusal(reason: "no silent frame came from the \(settings.encoder) encoder: \(error)")
        }
        throw Refusal(reason: "no silent frame came from the \(settings.encoder) encoder")
    }

    // MARK: Proof

    /// Frames decoded one after the other.
    private static let provenFrames = 3
    /// Silence with a decoder's dither on it, -80 dB: the first exponent of an AC-3 channel is 15 at most, and so cannot say nothing at all.
    private static let loudestSilence: Float = 1e-4

    private static func prove(_ product: Product, _ codec: TrackCodec, _ sound: TrackDescription.Audio, _ parameters: CodecParameters) throws(Refusal) {
        let decoder: Decoder
        do throws(LibavError) {
            decoder = try Decoder(parameters, keepsSkippedSamples: true)
        } catch {
            // A player has one, even where this build does not.
            return
        }
        var fault: String?
        var decoded = 0
        do throws(LibavError) {
            for number in 0..<provenFrames where fault == nil {
                guard let packet = Packet(copying: product.frame.payload(at: Int64(number) * product.length)) else {
                    fault = "no memory"
                    break
                }
                try decoder.send(packet)
                while let frame = try decoder.receive() {
                    decoded += 1
                    // SBR and parametric stereo that only the frames themselves tell of make twice as much of each.
                    let isHalf = codec == .aac && frame.sampleRate * 2 == Int(sound.sampleRate)
                    let isCore = codec == .aac && sound.channels == 2 && frame.channels == 1
                    if frame.sampleCount * (isHalf ? 2 : 1) != Int(product.length) || !(isHalf || frame.sampleRate == Int(sound.sampleRate))
                        || !(isCore || frame.channels == sound.channels)
                    {
                        fault = "\(frame.sampleCount) samples of \(frame.channels) channels at \(frame.sampleRate) Hz"
                    } else if frame.isCorrupt {
                        fault = "a damaged frame"
                    } else {
                        // Not a number is no silence.
                        if !frame.interleavedFloats().allSatisfy({ abs($0) < loudestSilence }) { fault = "sound" }
                    }
                }
            }
        } catch {
            fault = "\(error)"
        }
        if decoded == 0, fault == nil { fault = "nothing" }
        if let fault { throw Refusal(reason: "its decoder makes something else of a silent frame: \(fault)") }
    }
}
