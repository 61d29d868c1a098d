package import Libav

/// The encoder of a bridged track and what it is given: a function of the source's sound, of what the target takes, and of what the build's
/// encoders take.
package struct BridgeFormat: Sendable, Hashable {
    /// What is known of the sound before the bridge.
    package struct Source: Sendable, Hashable {
        package var sampleRate: Int32
        package var layout: ChannelLayout
        /// Bits of a sample; 0 where its codec has none (a lossy one).
        package var losslessBits: Int

        package init(sampleRate: Int32, layout: ChannelLayout, losslessBits: Int = 0) {
            self.sampleRate = sampleRate
            self.layout = layout
            self.losslessBits = losslessBits
        }
    }

    /// What the build's encoders take.
    package struct Encoders: Sendable {
        var has: @Sendable (String) -> Bool
        var takesRate: @Sendable (String, Int32) -> Bool
        var takesLayout: @Sendable (String, ChannelLayout) -> Bool

        package init(
            has: @escaping @Sendable (String) -> Bool, takesRate: @escaping @Sendable (String, Int32) -> Bool,
            takesLayout: @escaping @Sendable (String, ChannelLayout) -> Bool
        ) {
            self.has = has
            self.takesRate = takesRate
            self.takesLayout = takesLayout
        }

        package static let loaded = Encoders(
            has: FFmpegBuild.current.hasEncoder, takesRate: { AudioEncoder.takes($0, sampleRate: $1) },
            takesLayout: { AudioEncoder.takes($0, layout: $1) })
    }

    package let codec: TrackCodec
    package let settings: AudioEncoder.Settings
    /// Frames encoded before the first one that counts, so that what an encoder remembers of the past is the same however it was started: a
    /// frame's transform reaches into the one before.
    package let prerollFrames: Int
    /// Frames served before the first that holds sound: one that is decoded first gives half of what it overlaps with the one before it.
    package let leadFrames: Int

    /// - Returns: `nil` when the build has no encoder for it.
    package init?(_ source: Source, ladder: BridgeLadder, encoders: Encoders = .loaded) {
        let channels = source.layout.channelCount
        guard channels > 0, source.sampleRate > 0 else { return nil }
        guard let rung = ladder.rung(channels: channels, has: { encoders.has(Self.encoder(of: $0)) }) else { return nil }
        let codec = rung.codec
        self.codec = codec
        let name = Self.encoder(of: codec)
        switch codec {
        case .eac3:
            let layout = Self.dolbyLayout(source.layout, maximum: rung.maximumChannels) { encoders.takesLayout(name, $0) }
            let rate = Self.rate(source.sampleRate) { encoders.takesRate(name, $0) }
            // frmsiz counts 2048 words of 16 bits at most, each frame holding 1536 samples (ETSI TS 102 366 V1.4.1 §E.1.3.1.3).
            let largest = Int64(2048) * 16 * Int64(rate) / 1536
            settings = .init(
                encoder: name, format: AudioFormat(sampleRate: rate, layout: layout, sampleFormat: .planarFloat),
                bitRate: min(128_000 * Int64(layout.channelCount), largest))
            prerollFrames = 1
            leadFrames = 0
        case .aac:
            let layout = Self.layout(source.layout, of: Self.configurationLayouts, maximum: rung.maximumChannels)
            // More than 48 kHz is no more to hear, and not every decoder of AAC takes it.
            let rate = source.sampleRate <= 48_000 && encoders.takesRate(name, source.sampleRate)
                ? source.sampleRate : Self.rate(source.sampleRate) { $0 <= 48_000 && encoders.takesRate(name, $0) }
            // 6144 bits a channel and frame at most (ISO/IEC 14496-3:2019 §4.5.3.1), and some of them for the reservoir. At this rate nothing has to be
            // made up: no noise for spectrum, no direction for a channel. The other coder starts each run with three frames of audible error, which
            // this one has a tenth of, and takes several times as long.
            settings = .init(
                encoder: name, format: AudioFormat(sampleRate: rate, layout: layout, sampleFormat: .planarFloat),
                bitRate: min(128_000, 4 * Int64(rate)) * Int64(layout.channelCount), options: ["aac_coder": "fast", "aac_pns": "0", "aac_is": "0"])
            // Which windows a frame has follows from the sound of a few frames before it, and neighbours of two runs have to agree on them.
            prerollFrames = 6
            leadFrames = 1
        default:
            let isWide = source.losslessBits > 16 && rung.maximumBitDepth > 16
            let fits = { (rate: Int32) in Self.isFLACRate(rate) && Int(rate) <= rung.maximumSampleRate }
            let rate = fits(source.sampleRate) ? source.sampleRate : Self.rate(source.sampleRate, takes: fits)
            settings = .init(
                encoder: name,
                format: AudioFormat(sampleRate: rate, layout: Self.layout(source.layout, of: Self.plainLayouts, maximum: rung.maximumChannels), sampleFormat: isWide ? .signed32 : .signed16),
                frameLength: rate > 24_000 ? 4096 : rate > 12_000 ? 2048 : 1024, bitsPerSample: isWide ? 24 : 16)
            prerollFrames = 0
            leadFrames = 0
        }
    }

    /// Whether the build has the encoder for it.
    package static func canEncode(_ codec: TrackCodec) -> Bool { Encoders.loaded.has(encoder(of: codec)) }

    private static func encoder(of codec: TrackCodec) -> String {
        switch codec {
        case .eac3: "eac3"
        case .aac: "aac"
        default: "flac"
        }
    }

    /// The source's rate where the encoder takes it, else the next lower one it is a multiple of, else 48 kHz.
    private static func rate(_ rate: Int32, takes: (Int32) -> Bool) -> Int32 {
        if takes(rate) { return rate }
        for other in [48_000, 44_100, 32_000] as [Int32] where rate > other && rate % other == 0 && takes(other) { return other }
        return rate < 44_100 && 44_100 % rate == 0 && takes(44_100) ? 44_100 : 48_000
    }

    /// As a frame's header can say them (RFC 9639 §9.1.2): whole kHz, tens of Hz, or Hz below 65536.
    private static func isFLACRate(_ rate: Int32) -> Bool { rate < 65_536 || (rate % 10 == 0 && rate < 655_360) }

    // MARK: Layouts

    /// What a layout is once its only surround pair counts as the back one, wherever it stands.
    private static func roles(_ layout: ChannelLayout) -> UInt64 {
        let sides = ChannelLayout.sideLeft | ChannelLayout.sideRight, backs = ChannelLayout.backLeft | ChannelLayout.backRight
        guard layout.mask & sides == sides, layout.mask & backs == 0 else { return layout.mask }
        return layout.mask & ~sides | backs
    }

    /// E-AC-3 as FFmpeg writes it holds 5.1 at most, and a target may take less.
    private static func dolbyLayout(_ layout: ChannelLayout, maximum: Int, takes: (ChannelLayout) -> Bool) -> ChannelLayout {
        if layout.channelCount == 1 || maximum < 2 { return .mono }
        if layout.channelCount == 2 || maximum < 5 { return .stereo }
        if maximum < 6, layout.channelCount > maximum { return .surround50 }
        if roles(layout) == roles(.surround51) { return .surround51 }
        if roles(layout) == roles(.surround50) { return .surround50 }
        if takes(layout) { return layout }
        return layout.hasLowFrequency ? .surround51 : .surround50
    }

    /// The layouts that a count of channels stands for in FLAC (RFC 9639 §9.1.3), by what decoders take them for.
    private static let plainLayouts: [ChannelLayout] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F].map(ChannelLayout.init(mask:))

    /// The layouts of AAC's channel configurations 1 to 6, and 12, by libav's names of them (ISO/IEC 14496-3:2019 Table 1.19). 7 has its front
    /// speakers in a row, which is no 7.1 of a film; what else there is needs a description of its own, which players do not read.
    private static let configurationLayouts: [ChannelLayout] = [0x4, 0x3, 0x7, 0x107, 0x37, 0x3F, 0x63F].map(ChannelLayout.init(mask:))

    /// The smallest of a codec's layouts that has every speaker of the source; the largest where none does.
    private static func layout(_ layout: ChannelLayout, of layouts: [ChannelLayout], maximum: Int) -> ChannelLayout {
        let taken = layouts.filter { $0.channelCount <= max(maximum, 1) }
        if layout.channelCount <= 2 { return taken.last { $0.channelCount <= layout.channelCount } ?? layouts[0] }
        return taken.first { roles($0) & roles(layout) == roles(layout) } ?? taken.last ?? layouts[0]
    }

    /// The source's layout under the names of the encoder's, where both are the same speakers in the same order: nothing then has to be mixed.
    package func renamed(_ layout: ChannelLayout) -> ChannelLayout {
        let wanted = settings.format.layout
        if layout.channelCount <= 2, layout.channelCount == wanted.channelCount { return wanted }
        // 6.1 keeps its back centre behind a back pair and before a side pair.
        guard Self.roles(layout) == Self.roles(wanted), layout.mask & ChannelLayout.backCentre == 0 else { return layout }
        return wanted
    }
}
