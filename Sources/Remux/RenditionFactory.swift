internal import BitsAndTime
internal import Bitstreams
internal import DolbyVision
internal import ISOBMFF
internal import Languages
package import Libav

/// Builds what is served of a track from its description and its first packets: clock, init segment, and the translator its packets go through.
package enum RenditionFactory {
    /// Ticks a second, at least, of a track some of whose pictures are hidden: each of those takes up one tick of the film.
    private static let hidingTimescale: Int32 = 90_000

    /// - Parameter hidesPictures: Whether an edit list leaves pictures out that must be decoded.
    package static func video(
        _ track: TrackAnalyzer.Copyable, stream: StreamInfo, head everything: [Packet], hidesPictures: Bool = false
    ) -> (Rendition, PacketTranslator) {
        let head = everything.contains { !$0.isDiscard } ? everything.filter { !$0.isDiscard } : everything
        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        // Pictures shown before the first keyframe's own time, and edit lists, may lie below zero.
        let first = head.compactMap { $0.pts ?? $0.dts }.min()
        var timescale = base.denominator
        var grid: SampleGrid?
        if base.isCoarse, let first, let rate = track.description.video?.frameRate, track.description.video?.frameRateSource == .container {
            // A millisecond clock rounds each picture's time; at a stated rate its true time is known.
            let factor = max(1, (hidesPictures ? hidingTimescale : 12_000) / rate.numerator)
            let (fine, overflow) = rate.numerator.multipliedReportingOverflow(by: factor)
            if !overflow {
                timescale = fine
                grid = SampleGrid(firstPTS: first, leadingSkip: 0, frameLength: Int64(rate.denominator) * Int64(factor), timescale: fine, timeBase: base)
            }
        }
        if grid == nil, hidesPictures, timescale < hidingTimescale {
            timescale *= (hidingTimescale - 1) / timescale + 1
        }
        let earliest = first.map { grid?.position(ofPTS: $0) ?? base.ticks($0, at: timescale) }
        let times = head.compactMap { $0.pts ?? $0.dts }.map { grid?.position(ofPTS: $0) ?? base.ticks($0, at: timescale) }
        let rendition = make(
            .video, track.description, timescale: timescale, earliest: earliest, frameDuration: .zero,
            decodeDelay: reorderingDelay(times, told: stream.videoDelay, rate: track.description.video?.frameRate, timescale: timescale))
        let translator = PacketTranslator(
            rendition: .video, codec: track.description.codec, timescale: timescale, timeBase: base, framing: track.framing, grid: grid,
            orderSource: pictureOrderSource(track, delay: reorderingDelay([], told: stream.videoDelay, rate: track.description.video?.frameRate, timescale: timescale)),
            watch: ParameterSetWatch(track, stream: stream, timescale: timescale, presentationOffset: rendition.presentationOffset))
        return (rendition, translator)
    }

    /// `nil` for codecs whose samples come in the order they are shown, and for sets that cannot be read.
    private static func pictureOrderSource(_ track: TrackAnalyzer.Copyable, delay: Int64) -> PictureOrderSource? {
        let framing = track.framing.servedFraming
        do throws(ParseError) {
            switch track.description.codec {
            case .avc:
                let record = try AVCDecoderConfigurationRecord(parsing: track.description.configuration)
                return record.firstSequenceParameterSet.flatMap(AVCPictureOrder.init).map { PictureOrderSource(reader: .avc($0), framing: framing, delay: delay) }
            case .hevc:
                let record = try HEVCDecoderConfigurationRecord(parsing: track.description.configuration)
                return record.firstSequenceParameterSet.map {
                    PictureOrderSource(reader: .hevc(HEVCPictureOrder($0, pictureSets: record.pictureParameterSets)), framing: framing, delay: delay)
                }
            default: return nil
            }
        } catch {
            return nil
        }
    }

    /// - Parameter parameters: What the track's decoder is opened with, to prove its silence by; `nil` leaves that out.
    package static func audio(
        _ track: TrackAnalyzer.Copyable, number: Int, stream: StreamInfo, head: [Packet], parameters: CodecParameters? = nil
    ) -> (Rendition, PacketTranslator) {
        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        let rate = track.description.audio?.sampleRate ?? max(stream.sampleRate, 1)
        let length = Int64(track.description.audio?.frameLength ?? 0)
        // Opus packets may differ in length from one to the next; all are made of the same steps.
        let step = track.description.codec == .opus ? Int64(OpusPacket.quantum) : length
        var grid: SampleGrid?
        let preroll = preroll(head, length: length, rate: rate, base: base)
        let start = head.firstIndex { !$0.isDiscard || preroll.contains(base.ticks($0.pts ?? .max / 2, at: rate)) } ?? head.startIndex
        let served = Array(head[start...])
        if let first = served.first, let pts = first.pts {
            grid = SampleGrid(
                firstPTS: pts, leadingSkip: LeadingSkip.samples(stream, first: first), frameLength: step, timescale: rate, timeBase: base)
        }
        let id = RenditionID.audio(number)
        let (silence, padding) = silence(
            track.description, origin: grid?.origin, head: served,
            // A decoder that reads its configuration from ADTS headers knows none without.
            parameters: track.framing == .adts ? nil : parameters)
        let rendition = make(
            id, track.description, timescale: rate, earliest: grid?.origin, frameDuration: MediaTime(ticks: length > 0 ? length : 4096, timescale: rate),
            silence: silence, padding: padding)
        let translator = PacketTranslator(
            rendition: id, codec: track.description.codec, timescale: rate, timeBase: base, framing: track.framing, grid: grid, preroll: preroll)
        return (rendition, translator)
    }

    /// Three frames before the first that is heard, as far as they lie before zero, where the init segment's edit list keeps them silent.
    private static func preroll(_ head: [Packet], length: Int64, rate: Int32, base: TickBase) -> Range<Int64> {
        // A head that shows hidden sound alone ends where an edit list puts its track's start: at zero.
        let heard = max(head.first { !$0.isDiscard }?.pts.map { base.ticks($0, at: rate) } ?? 0, .min / 4)
        let end = min(heard, 0)
        return min(heard - 3 * max(length, 1), end)..<end
    }

    /// What is served of a bridged track: its frames begin at `firstFrame` of the encoder's grid.
    package static func bridged(_ track: BridgedTrack, description: TrackDescription) -> Rendition {
        make(
            track.rendition, description, timescale: track.outputRate, earliest: track.firstFrame * track.frameLength,
            frameDuration: MediaTime(ticks: track.frameLength, timescale: track.outputRate))
    }

    private static func make(
        _ id: RenditionID, _ track: TrackDescription, timescale: Int32, earliest: Int64?, frameDuration: MediaTime, decodeDelay: Int64 = 0,
        silence: SilenceFiller? = nil, padding: SilencePadding = .whole
    ) -> Rendition {
        let offset = max(0, decodeDelay &- max(earliest ?? 0, .min / 4))
        return Rendition(
            id: id, track: track, timescale: timescale, presentationOffset: offset, decodeDelay: decodeDelay,
            initialization: initialization(track, timescale: timescale, presentationOffset: offset),
            firstPresentation: earliest.map { MediaTime(ticks: $0, timescale: timescale) }, frameDuration: frameDuration, silence: silence,
            padding: padding)
    }

    /// A track of which nothing was seen yet has its silence on the grid of the source's zero.
    private static func silence(
        _ track: TrackDescription, origin: Int64?, head: [Packet], parameters: CodecParameters?
    ) -> (SilenceFiller?, SilencePadding) {
        do throws(SilenceFactory.Refusal) {
            let product = try SilenceFactory.make(track, head: head, parameters: parameters)
            return (SilenceFiller(origin: origin ?? 0, frameLength: product.length, frame: product.frame, reach: product.reach), product.padding)
        } catch {
            return (nil, .none(reason: error.reason))
        }
    }

    /// How far the decode ladder must lie behind the presentation times for no picture to be shown before it is decoded: what the first
    /// pictures need, and no less than the depth the codec declares.
    static func reorderingDelay(_ times: [Int64], told: Int, rate: (numerator: Int32, denominator: Int32)?, timescale: Int32) -> Int64 {
        // The head ends somewhere: of what is decoded from the last picture on that is shown after all before it, the ones shown first may be
        // missing, and the others would seem to wait for longer than they do.
        let last = times.indices.last { place in times[..<place].allSatisfy { $0 < times[place] } } ?? 0
        let whole = last > 1 ? Array(times[..<last]) : times
        let shown = zip(whole.sorted(), whole).map { $0 &- $1 }.max() ?? 0
        let picture = rate.map { MediaTime(ticks: Int64($0.denominator), timescale: $0.numerator).converted(to: timescale).ticks } ?? 0
        let (wait, isOver) = Int64(clamping: min(max(told, 0), 16)).multipliedReportingOverflow(by: picture)
        // Pictures that last for years are no one's.
        return max(0, shown, isOver ? 0 : wait)
    }

    static func initialization(_ track: TrackDescription, timescale: Int32, presentationOffset: Int64) -> [UInt8] {
        let bitRate = track.bitRate.flatMap { UInt32(exactly: $0) }.map { BitRateBox(maximum: $0, average: $0) }
        let format = FourCharacterCode(track.sampleEntryFormat) ?? "mp4a"
        var segment: InitializationSegment
        switch track.media {
        case .video(let picture):
            var boxes = [RawBox(type: configurationBoxType(track.codec), payload: track.configuration)]
            if let record = track.dolbyVision?.record, let type = FourCharacterCode(record.boxType) { boxes.append(RawBox(type: type, payload: record.serialized())) }
            let entry = VisualSampleEntry(
                format: format, width: UInt16(clamping: picture.width), height: UInt16(clamping: picture.height), configurationBoxes: boxes, colour: colour(picture),
                pixelAspectRatio: PixelAspectRatio(
                    horizontal: UInt32(clamping: picture.sampleAspectRatio.horizontal), vertical: UInt32(clamping: picture.sampleAspectRatio.vertical)),
                bitRate: bitRate, masteringDisplay: picture.masteringDisplay.map(masteringDisplay),
                contentLight: picture.contentLight.map { .init(maximumContent: $0.maximumContent, maximumPictureAverage: $0.maximumPictureAverage) })
            segment = InitializationSegment(timescale: UInt32(clamping: timescale), sampleEntry: .visual(entry))
            segment.displayWidth = UInt32(clamping: picture.displayWidth)
            segment.displayHeight = UInt32(clamping: picture.height)
        case .audio(let sound):
            var payload = track.configuration
            if track.codec == .aac {
                payload = ElementaryStreamDescriptor(
                    maximumBitRate: bitRate?.maximum ?? 0, averageBitRate: bitRate?.average ?? 0, decoderSpecificInfo: track.configuration
                ).serialized()
            }
            let entry = AudioSampleEntry(
                format: format, channelCount: UInt16(clamping: sound.channels), sampleRate: UInt32(clamping: sound.sampleRate),
                configurationBoxes: [RawBox(type: configurationBoxType(track.codec), payload: payload)], bitRate: bitRate)
            segment = InitializationSegment(timescale: UInt32(clamping: timescale), sampleEntry: .audio(entry))
        }
        segment.language = LanguageLabel.iso639Terminology(track.language)
        segment.presentationOffset = UInt64(max(0, presentationOffset))
        return segment.serialized()
    }

    private static func configurationBoxType(_ codec: TrackCodec) -> FourCharacterCode {
        switch codec {
        case .avc: "avcC"
        case .hevc: "hvcC"
        case .av1: "av1C"
        case .vp9: "vpcC"
        case .aac: "esds"
        case .ac3: "dac3"
        case .eac3: "dec3"
        case .flac: "dfLa"
        case .alac: "alac"
        case .opus: "dOps"
        }
    }

    /// `colr` only where something is known: code point 2 is "unspecified", and three of them say nothing.
    private static func colour(_ picture: TrackDescription.Video) -> ColourInformation? {
        guard picture.primaries != nil || picture.transfer != nil || picture.matrix != nil else { return nil }
        return ColourInformation(
            primaries: UInt16(clamping: picture.primaries ?? 2), transfer: UInt16(clamping: picture.transfer ?? 2),
            matrix: UInt16(clamping: picture.matrix ?? 2), isFullRange: picture.isFullRange ?? false)
    }

    private static func masteringDisplay(_ display: MasteringDisplayColourVolume) -> ISOBMFF.MasteringDisplay {
        func point(_ from: MasteringDisplayColourVolume.Chromaticity) -> ISOBMFF.MasteringDisplay.Chromaticity { .init(x: from.x, y: from.y) }
        return .init(
            green: point(display.green), blue: point(display.blue), red: point(display.red), whitePoint: point(display.whitePoint),
            maximumLuminance: display.maximumLuminance, minimumLuminance: display.minimumLuminance)
    }
}
