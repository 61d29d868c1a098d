package import BitsAndTime
package import Bitstreams
package import Libav

/// Packets of one rendition's stream, as placed and framed samples.
package struct PacketTranslator: Sendable {
    package enum Sample: Sendable {
        case video(VideoSample)
        case audio(AudioSample)
    }

    private let rendition: RenditionID
    private let timescale: Int32
    private let timeBase: TickBase
    private let framing: SampleFraming
    /// `nil` where packets go to a decoder and not to the player.
    private let codec: TrackCodec?
    private let grid: SampleGrid?
    private let orderSource: PictureOrderSource?
    /// Where sound that an edit list hides is of use: before the first that is heard, to warm the decoder up. Rendition ticks.
    private let preroll: Range<Int64>
    /// `nil` for codecs whose configuration is not watched.
    private var watch: ParameterSetWatch?
    /// Where the source is a plain file: finds payloads in it.
    package var locator: PayloadLocator?
    /// Where its samples hold units of Dolby Vision that are not served as they are.
    package var dolbyVision: DolbyVisionFilter?
    /// Where the next packet is expected, in container ticks, for packets that carry no time.
    private var expectedPTS: Int64?
    /// Added to the place of sound, and the first place that is served; ticks.
    private var delay: Int64 = 0
    private var earliest: Int64 = .min
    private(set) package var missingTimes = 0
    /// Packets whose bytes could not be framed; left out and counted.
    private(set) package var damagedPackets = 0
    /// Samples whose units overran them, cut at the last whole one.
    private(set) package var cutSamples = 0

    package init(
        rendition: RenditionID, codec: TrackCodec?, timescale: Int32, timeBase: TickBase, framing: SampleFraming, grid: SampleGrid?,
        orderSource: PictureOrderSource? = nil, preroll: Range<Int64> = 0..<0, watch: ParameterSetWatch? = nil
    ) {
        self.watch = watch
        self.preroll = preroll
        self.orderSource = orderSource
        self.rendition = rendition
        self.codec = codec
        self.timescale = timescale
        self.timeBase = timeBase
        self.framing = framing
        self.grid = grid
    }

    /// Forgets what came before: the next packet follows a seek.
    package mutating func reset() { expectedPTS = nil }

    /// Presents sound later, from `start` on; see ``AudioDelay``.
    mutating func delay(by delay: AudioDelay, from start: MediaTime?) {
        guard rendition != .video else { return }
        self.delay = delay.ticks(at: timescale)
        // Undelayed, what lies before is what the author put there.
        earliest = self.delay < 0 ? start.map { $0.converted(to: timescale).ticks } ?? .min : .min
    }

    /// The packet's decode time, or the best stand-in for it, on the source axis: what a jump of the source's clock shows in.
    /// What an edit list hides has the times of what it overlaps, and says nothing.
    package func clockTime(of packet: Packet) -> MediaTime? { packet.isDiscard ? nil : (packet.dts ?? packet.pts).map(timeBase.time) }

    /// Whether an audio packet begins with a frame and not inside one, as far as its codec marks frames; pictures always count as whole.
    package func isWhole(_ packet: Packet) -> Bool {
        packet.withUnsafeBytes { bytes in
            switch (codec, framing) {
            case (.aac?, .adts):
                do throws(ParseError) {
                    return try ADTSHeader(parsing: Array(bytes.prefix(9))[...]).frameByteCount == bytes.count
                } catch {
                    return false
                }
            case (.ac3?, _), (.eac3?, _):
                return bytes.count >= 2 && bytes[0] == 0x0B && bytes[1] == 0x77
            default:
                return true
            }
        }
    }

    package func duration(of packet: Packet) -> MediaTime { timeBase.time(packet.durationTicks) }

    /// - Parameter offset: Added to the packet's times: the repair of a source whose clock jumped.
    /// - Returns: `nil` for a packet with nothing to serve in it.
    package mutating func sample(from packet: Packet, offset: MediaTime = .zero) -> Sample? {
        // Sound of which a part is encrypted has nothing there.
        guard packet.byteCount > 0, !packet.isEncrypted else { return nil }
        // What is left of a frame where a recording was cut begins with no syncword; players take it for the next frame.
        if codec == .ac3 || codec == .eac3, !isWhole(packet) {
            damagedPackets += 1
            return nil
        }
        guard let framed = framing.framed(packet, codec: codec ?? .aac), framed.payload.byteCount > 0 else {
            damagedPackets += 1
            return nil
        }
        if framed.isCut { cutSamples += 1 }
        var payload = framed.payload
        // An end of sequence, or what a second layer left behind one, is a packet of an elementary stream and no picture.
        if case .video = rendition, framing == .annexB, let codec, !codec.holdsPicture(packet, framing: framing) { return nil }
        // Not `payload is Packet`: to find out, the runtime would bridge an array of bytes to an object, byte by byte.
        switch payload.pieces.first {
        case .packet?:
            if let span = locator?.locate(packet) { payload = span }
        case .bytes(let sample)?:
            if framing == .annexB, dolbyVision == nil, let again = locator?.locate(packet, madeInto: sample) { payload = again }
        default: break
        }
        if dolbyVision != nil { payload = filtered(payload, of: packet) }
        let pts: Int64
        if let told = packet.pts {
            pts = told
        } else {
            missingTimes += 1
            pts = packet.dts.map { max($0, expectedPTS ?? $0) } ?? expectedPTS ?? 0
        }
        // What is laced without a duration lasts a frame, where all frames do.
        let isUntold = packet.durationTicks <= 0 && rendition != .video
        expectedPTS = pts &+ (isUntold ? timeBase.sourceTicks(frameLength(of: packet), at: timescale) : packet.durationTicks)

        switch rendition {
        case .video:
            let isSync = packet.isKeyframe && isRandomAccess(packet)
            return .video(
                VideoSample(
                    pts: (grid?.position(ofPTS: pts) ?? timeBase.ticks(pts, at: timescale)) &+ offset.converted(to: timescale).ticks, timescale: timescale,
                    sourcePTS: packet.pts ?? pts, sourceDTS: packet.dts ?? packet.pts,
                    durationTicks: timeBase.ticks(packet.durationTicks, at: timescale),
                    isSync: isSync, isHidden: packet.isDiscard, payload: payload, orderSource: packet.pts == nil ? orderSource : nil,
                    change: isSync ? watch?.change(at: packet, framing: framing) : nil))
        case .audio:
            let position = (grid?.position(ofPTS: pts) ?? timeBase.ticks(pts, at: timescale)) &+ offset.converted(to: timescale).ticks
            if packet.isDiscard, !preroll.contains(position) { return nil }
            let heard = position &+ delay
            guard heard >= earliest else { return nil }
            return .audio(AudioSample(position: heard, sampleCount: sampleCount(of: packet), payload: payload))
        }
    }

    private mutating func filtered(_ payload: any SamplePayload, of packet: Packet) -> any SamplePayload {
        guard case .lengthPrefixed(let size) = framing.servedFraming else { return payload }
        let parts: [DolbyVisionFilter.Part]?
        if case .bytes(let bytes)? = payload.pieces.first {
            parts = bytes.withUnsafeBytes { dolbyVision?.parts(of: $0, lengthSize: size) }
        } else {
            parts = packet.withUnsafeBytes { dolbyVision?.parts(of: $0, lengthSize: size) }
        }
        return parts.map { PartedPayload($0, of: payload) } ?? payload
    }

    /// A container's keyframe flag is a claim; the first bytes of the picture are the proof.
    private func isRandomAccess(_ packet: Packet) -> Bool {
        codec?.randomAccessKind(of: packet, framing: framing) != RandomAccessKind.none
    }

    /// Samples in a frame of the track; Opus says it of each packet, whose lengths may differ.
    private func frameLength(of packet: Packet) -> Int64 {
        guard codec == .opus else { return grid?.frameLength ?? 0 }
        return Int64(packet.withUnsafeBytes { OpusPacket.sampleCount($0) } ?? OpusPacket.quantum)
    }

    private func sampleCount(of packet: Packet) -> Int64 {
        if codec == .opus { return max(frameLength(of: packet) - Int64(packet.skipSamplesEnd), 1) }
        let told = timeBase.ticks(packet.durationTicks, at: timescale)
        guard let grid, grid.frameLength > 0 else { return max(told, 1) }
        // The last frame of a stream may be cut short; anything else is the clock's rounding.
        let whole = grid.frameLength
        let short = told > 0 && whole - told > grid.tolerance
        return max((short ? told : whole) - Int64(packet.skipSamplesEnd), 1)
    }
}

extension TrackCodec {
    /// How its samples are cut into units; meaningless for sound.
    package var family: RandomAccess.Codec {
        switch self {
        case .hevc: .hevc
        case .av1: .av1
        case .vp9: .vp9
        default: .avc
        }
    }

    /// Whether there is anything to show in the packet.
    func holdsPicture(_ packet: Packet, framing: SampleFraming) -> Bool {
        guard self == .avc || self == .hevc else { return true }
        return packet.withUnsafeBytes { RandomAccess.holdsPicture($0, codec: family, framing: framing.nalUnitFraming(of: $0, codec: family)) }
    }

    /// How decoding can begin at this packet; audio frames all stand alone.
    package func randomAccessKind(of packet: Packet, framing: SampleFraming) -> RandomAccessKind {
        guard self == .avc || self == .hevc || self == .av1 || self == .vp9 else { return .idr }
        return packet.withUnsafeBytes { RandomAccess.classify(sample: $0, codec: family, framing: framing.nalUnitFraming(of: $0, codec: family)) }
    }
}
