internal import BitsAndTime
internal import Bitstreams
package import Libav

/// Reads a track's description off the container's words and the first packets' bytes.
package enum TrackAnalyzer {
    /// A track that can be served as it is.
    package struct Copyable: Sendable {
        package let description: TrackDescription
        package let framing: SampleFraming
    }

    package enum Verdict: Sendable {
        case copyable(Copyable)
        /// It can be decoded here, and what it is encoded to then be served; why it cannot be copied, in words for a report. Sound only.
        case bridgeable(reason: String)
        /// Why not, in words for a report.
        case unsuitable(reason: String)
    }

    /// - Parameter head: The stream's first packets, in file order.
    package static func video(_ stream: StreamInfo, head: [Packet]) -> Verdict {
        let keys = head.filter(\.isKeyframe)
        do throws(ParseError) {
            switch stream.codecName {
            case "h264": return .copyable(try avc(stream, keys).timed(by: head, of: stream))
            case "hevc": return .copyable(try hevc(stream, keys).timed(by: head, of: stream))
            case "av1": return .copyable(try av1(stream, keys).timed(by: head, of: stream))
            case "vp9": return .copyable(try vp9(stream, keys).timed(by: head, of: stream))
            default: return .unsuitable(reason: "\(stream.codecName) has no place in an HLS stream of fragmented MP4")
            }
        } catch {
            return .unsuitable(reason: "\(error)")
        }
    }

    /// Whether only its pictures tell how far the track reorders them: H.264 whose parameter set does not say (bitstream_restriction_flag 0),
    /// and any track whose container does not say how long a picture lasts, since codecs count in pictures (a telephone's clock ticks twice as
    /// fast as its camera).
    package static func hidesReordering(_ track: Copyable) -> Bool {
        if track.description.codec == .avc || track.description.codec == .hevc, track.description.video?.frameRateSource != .container { return true }
        guard track.description.codec == .avc else { return false }
        do throws(ParseError) {
            guard let set = try AVCDecoderConfigurationRecord(parsing: track.description.configuration).firstSequenceParameterSet else { return false }
            return set.pictureOrderCountType != 2 && set.maxNumReorderFrames == nil
        } catch {
            return false
        }
    }

    package static func audio(_ stream: StreamInfo, head: [Packet]) -> Verdict {
        // Before what nobody decodes is found to have no channels, which its decoder would have counted.
        if !FFmpegBuild.current.decodes(codec: stream.codecName), stream.sampleRate <= 0 || stream.channels <= 0 {
            return .unsuitable(reason: "this build of FFmpeg has no decoder for \(stream.codecWord)")
        }
        guard stream.sampleRate > 0, stream.channels > 0 else { return .unsuitable(reason: "no sample rate or channel count of its \(stream.codecWord) was found") }
        if head.contains(where: \.isEncrypted) || stream.metadata["enc_key_id"] != nil { return .unsuitable(reason: "it is encrypted") }
        let verdict = copyVerdict(stream, head)
        guard case .bridgeable(let reason) = verdict else { return verdict }
        guard FFmpegBuild.current.decodes(codec: stream.codecName) else {
            return .unsuitable(reason: "\(reason), and this build of FFmpeg has no decoder for it")
        }
        return verdict
    }

    private static func copyVerdict(_ stream: StreamInfo, _ head: [Packet]) -> Verdict {
        do throws(ParseError) {
            switch stream.codecName {
            case "aac": return try aac(stream, head)
            case "ac3": return .copyable(try ac3(stream, head))
            case "eac3": return .copyable(try eac3(stream, head))
            case "flac":
                let info = try FLACStreamInfo(parsing: stream.extradata)
                // CoreMedia drops a track that declares less, and hangs on frames smaller than what is declared.
                if info.minimumBlockSize < 192 { return .bridgeable(reason: "FLAC with blocks of \(info.minimumBlockSize) samples is not played by Apple's players") }
                let length = info.minimumBlockSize == info.maximumBlockSize ? info.maximumBlockSize : 0
                return .copyable(
                    audio(stream, .flac, string: CodecString.flac, configuration: info.specificBox, frameLength: length, channels: info.channelCount, rate: Int32(clamping: info.sampleRate)))
            case "alac":
                let config = try ALACSpecificConfig(parsing: stream.extradata)
                return .copyable(
                    audio(stream, .alac, string: CodecString.alac, configuration: config.specificBox, frameLength: config.frameLength, channels: config.channelCount, rate: Int32(clamping: config.sampleRate)))
            case "opus": return try opus(stream, head)
            default: return .bridgeable(reason: "\(stream.codecWord) cannot be copied into HLS")
            }
        } catch {
            return .bridgeable(reason: "\(error)")
        }
    }

    // MARK: Video

    private static func avc(_ stream: StreamInfo, _ keys: [Packet]) throws(ParseError) -> Copyable {
        let framing = framing(stream, .avc, keys)
        // A record that cannot be read is none: the pictures then have to show what it should hold.
        var told: AVCDecoderConfigurationRecord?
        do throws(ParseError) { told = try AVCDecoderConfigurationRecord(parsing: stream.extradata) } catch {}
        var record: AVCDecoderConfigurationRecord
        if let sets = InBandParameterSets.replacing(told.map(ParameterSets.init), codec: .avc, extradata: stream.extradata, keys: keys, framing: framing) {
            record = try AVCDecoderConfigurationRecord(parameterSets: sets.all)
        } else if let told, ParameterSets(told).isComplete {
            record = told
        } else {
            throw InBandParameterSets.missing(in: "avcC")
        }
        record.lengthSize = framing.servedLengthSize
        let set = record.firstSequenceParameterSet
        // A header below its own SPS (level 0, in files put together by hand) would go on into CODECS: record and bitstream agree
        // (ISO/IEC 14496-15 §5.3.3.1.2).
        if let set, record.sequenceParameterSets.count == 1, record.profileIndication != set.profileIDC || record.levelIndication < set.levelIDC {
            (record.profileIndication, record.profileCompatibility, record.levelIndication) = (set.profileIDC, set.constraintFlags, set.levelIDC)
        }
        return Copyable(
            description: video(
                stream, .avc, string: CodecString.avc(record), configuration: record.serialized(), usability: set?.usability,
                size: set.map { ($0.width, $0.height) }, bitDepth: set?.bitDepthLuma, ticksPerPicture: 2,
                metadata: metadata(keys, codec: .avc, framing: framing)),
            framing: framing)
    }

    private static func hevc(_ stream: StreamInfo, _ keys: [Packet]) throws(ParseError) -> Copyable {
        let framing = framing(stream, .hevc, keys)
        var told: HEVCDecoderConfigurationRecord?
        do throws(ParseError) { told = try HEVCDecoderConfigurationRecord(parsing: stream.extradata) } catch {}
        var record: HEVCDecoderConfigurationRecord
        if let sets = InBandParameterSets.replacing(told.map(ParameterSets.init), codec: .hevc, extradata: stream.extradata, keys: keys, framing: framing) {
            record = try HEVCDecoderConfigurationRecord(parameterSets: sets.all)
        } else if let told, told.hasParameterSets {
            record = told.agreeingWithItsSets()
        } else {
            throw InBandParameterSets.missing(in: "hvcC")
        }
        record.lengthSize = framing.servedLengthSize
        record = record.normalized()
        let set = record.firstSequenceParameterSet
        var metadata = metadata(keys, codec: .hevc, framing: framing)
        // libx265 may put its SEI messages into the record and nowhere else, and there they cannot stay.
        metadata.fill(from: VideoMetadata(units: (told?.arrays ?? []).flatMap(\.units).map { $0[...] }, codec: .hevc))
        return Copyable(
            description: video(
                stream, .hevc, string: CodecString.hevc(record), configuration: record.serialized(), usability: set?.usability,
                size: set.map { ($0.width, $0.height) }, bitDepth: set?.bitDepthLuma, ticksPerPicture: 1, metadata: metadata),
            framing: framing)
    }

    private static func av1(_ stream: StreamInfo, _ keys: [Packet]) throws(ParseError) -> Copyable {
        var record: AV1CodecConfigurationRecord
        let key = keys.lazy.map(\.bytes).first { AV1OpenBitstreamUnit.units(in: $0[...]).units.contains { $0.type == AV1OpenBitstreamUnit.UnitType.sequenceHeader } }
        if stream.extradata.first == 0x81 {
            record = try AV1CodecConfigurationRecord(parsing: stream.extradata).normalized(harvestingFrom: key)
        } else {
            guard let key else { throw ParseError(.malformed, at: 0, in: "av1C", "no record and no key frame near the start") }
            record = try AV1CodecConfigurationRecord(sequenceHeaderIn: key)
        }
        var usability: VideoUsabilityInformation?
        if let header = record.sequenceHeader {
            var described = VideoUsabilityInformation()
            described.primaries = header.primaries == 2 ? nil : Int(header.primaries)
            described.transfer = header.transfer == 2 ? nil : Int(header.transfer)
            described.matrix = header.matrix == 2 ? nil : Int(header.matrix)
            described.isFullRange = header.isFullRange
            usability = described
        }
        var metadata = metadata(keys, codec: .av1, framing: .av1TemporalUnit)
        metadata.fill(from: VideoMetadata(sample: record.configurationUnits[...], codec: .av1, framing: .annexB))
        return Copyable(
            description: video(
                stream, .av1, string: CodecString.av1(record), configuration: record.serialized(), usability: usability,
                size: record.sequenceHeader.map { ($0.width, $0.height) }, bitDepth: record.bitDepth, ticksPerPicture: 1, metadata: metadata),
            framing: .av1TemporalUnit)
    }

    private static func vp9(_ stream: StreamInfo, _ keys: [Packet]) throws(ParseError) -> Copyable {
        guard let first = keys.first else { throw ParseError(.malformed, at: 0, in: "vpcC", "no key frame near the start") }
        let header = try VP9FrameHeader(parsing: first.bytes.prefix(16))
        let rate = stream.averageFrameRate.flatMap { $0.denominator > 0 ? Double($0.numerator) / Double($0.denominator) : nil }
        func known(_ point: Int?) -> Int? { point == 2 ? nil : point }
        guard let key = header.keyFrame,
            let record = VP9CodecConfigurationRecord(
                header, picturesPerSecond: rate, primaries: known(stream.colourPrimaries), transfer: known(stream.transferCharacteristics),
                matrix: known(stream.matrixCoefficients))
        else { throw ParseError(.malformed, at: 0, in: "vpcC", "the first frame is no key frame, whatever the container says") }
        // What the record says is what the track says, in each place.
        var described = VideoUsabilityInformation()
        described.primaries = known(Int(record.primaries))
        described.transfer = known(Int(record.transfer))
        described.matrix = known(Int(record.matrix))
        described.isFullRange = record.isFullRange
        return Copyable(
            description: video(
                stream, .vp9, string: CodecString.vp9(record), configuration: record.serialized(), usability: described, size: (key.width, key.height),
                bitDepth: key.bitDepth, ticksPerPicture: 1, metadata: VideoMetadata()),
            framing: .passthrough)
    }

    /// How NAL units lie in the track's packets: as its record says, or as its pictures show where it has none.
    private static func framing(_ stream: StreamInfo, _ codec: RandomAccess.Codec, _ keys: [Packet]) -> SampleFraming {
        let lengthSizeOffset = codec == .avc ? NALUnitFraming.avcLengthSizeOffset : NALUnitFraming.hevcLengthSizeOffset
        guard case .lengthPrefixed(let size)? = NALUnitFraming.detect(extradata: stream.extradata, lengthSizeOffset: lengthSizeOffset) else {
            guard let key = keys.first, case .lengthPrefixed(let size) = key.withUnsafeBytes({ NALUnitFraming.ofSample($0, expected: .annexB, codec: codec) }) else {
                return .annexB
            }
            return .lengthPrefixed(lengthSize: size)
        }
        let told = NALUnitFraming.lengthPrefixed(lengthSize: size)
        let holdsStartCodes = keys.prefix(2).contains { key in
            key.withUnsafeBytes { NALUnitFraming.ofSample($0, expected: told, codec: codec) == told && NALUnitSequence.holdsStartCodes($0, lengthSize: size) }
        }
        return holdsStartCodes ? .startCodesBehindLengths(lengthSize: size) : .lengthPrefixed(lengthSize: size)
    }

    /// What the first picture that can be decoded says of itself.
    private static func metadata(_ keys: [Packet], codec: RandomAccess.Codec, framing: SampleFraming) -> VideoMetadata {
        keys.first.map { key in key.withUnsafeBytes { VideoMetadata(sample: $0, codec: codec, framing: framing.nalUnitFraming(of: $0, codec: codec)) } } ?? VideoMetadata()
    }

    private static func video(
        _ stream: StreamInfo, _ codec: TrackCodec, string: String, configuration: [UInt8], usability: VideoUsabilityInformation?,
        size: (width: Int, height: Int)?, bitDepth: Int?, ticksPerPicture: Int64, metadata: VideoMetadata
    ) -> TrackDescription {
        // The container's aspect is the author's last word (a Matroska display size); the bitstream's is the encoder's.
        var aspect: (horizontal: Int32, vertical: Int32) = (1, 1)
        if let told = stream.sampleAspectRatio, told.numerator > 0, told.denominator > 0 {
            aspect = (told.numerator, told.denominator)
        } else if let told = usability?.sampleAspectRatio {
            aspect = (told.horizontal, told.vertical)
        }
        let (rate, source) = frameRate(stream, usability: usability, ticksPerPicture: ticksPerPicture)
        let picture = TrackDescription.Video(
            width: size?.width ?? stream.width, height: size?.height ?? stream.height, sampleAspectRatio: aspect, bitDepth: bitDepth ?? stream.bitDepth,
            primaries: usability?.primaries ?? stream.colourPrimaries,
            transfer: metadata.preferredTransfer ?? usability?.transfer ?? stream.transferCharacteristics,
            matrix: usability?.matrix ?? stream.matrixCoefficients, isFullRange: usability?.isFullRange ?? stream.isFullRange,
            masteringDisplay: (metadata.masteringDisplay ?? stream.masteringDisplay.map(MasteringDisplayColourVolume.init)).flatMap { $0.isPlausible ? $0 : nil },
            contentLight: (metadata.contentLight ?? stream.contentLightLevel.map {
                ContentLightLevelInformation(maximumContent: $0.maximum, maximumPictureAverage: $0.maximumFrameAverage)
            }).flatMap { $0.isKnown ? $0 : nil },
            frameRate: rate, frameRateSource: source)
        return description(stream, codec, .video(picture), string: string, configuration: configuration)
    }

    /// The container's own statement where it has one that a picture can follow, else the bitstream's, else what was measured.
    private static func frameRate(
        _ stream: StreamInfo, usability: VideoUsabilityInformation?, ticksPerPicture: Int64
    ) -> ((numerator: Int32, denominator: Int32)?, TrackDescription.FrameRateSource) {
        func sane(_ rate: Ratio?) -> (numerator: Int32, denominator: Int32)? {
            guard let rate, rate.numerator > 0, rate.denominator > 0, rate.numerator / rate.denominator <= 480 else { return nil }
            return (rate.numerator, rate.denominator)
        }
        if let rate = sane(stream.averageFrameRate) { return (rate, .container) }
        if let tick = usability?.tick, let numerator = Int32(exactly: tick.denominator),
            let denominator = Int32(exactly: Int64(tick.numerator) * ticksPerPicture), Int(numerator) / max(1, Int(denominator)) <= 480, numerator > 0, denominator > 0
        {
            return ((numerator, denominator), .bitstream)
        }
        if let rate = sane(stream.realFrameRate) { return (rate, .measured) }
        return (nil, .unknown)
    }

    // MARK: Audio

    private static func aac(_ stream: StreamInfo, _ head: [Packet]) throws(ParseError) -> Verdict {
        var framing = SampleFraming.passthrough
        let config: AudioSpecificConfig
        if !stream.extradata.isEmpty {
            config = try AudioSpecificConfig(parsing: stream.extradata)
        } else {
            guard let first = head.first else { return .bridgeable(reason: "no AAC frame was seen near the start, and the container describes none") }
            let header = try ADTSHeader(parsing: first.bytes[...])
            config = try AudioSpecificConfig(
                audioObjectType: header.audioObjectType, frequencyIndex: header.frequencyIndex, channelConfiguration: header.channelConfiguration)
            framing = .adts
        }
        guard [2, 5, 29, 42].contains(config.audioObjectType) else {
            return .bridgeable(reason: "AAC object type \(config.audioObjectType) is not one HLS players decode")
        }
        // libavformat reports the decoded rate where it saw SBR; the frame then lasts twice as many samples.
        let core = Int32(clamping: config.samplingFrequency)
        let rate = stream.sampleRate
        let factor = core > 0 && rate % core == 0 ? Int(rate / core) : 1
        // A configuration made up from ADTS headers would say nothing of SBR and PS, which the frames hold: half the rate, or one channel of two.
        if framing == .adts, factor > 1 || (config.channelConfiguration == 1 && stream.channels == 2) {
            return .bridgeable(reason: "HE-AAC in ADTS says nothing of its extensions outside of its frames")
        }
        return .copyable(
            Copyable(
                description: audio(
                    stream, .aac, string: CodecString.aac(config), configuration: config.bytes, frameLength: config.frameLength * max(factor, 1),
                    channels: stream.channels, rate: rate
                ).description,
                framing: framing))
    }

    private static func opus(_ stream: StreamInfo, _ head: [Packet]) throws(ParseError) -> Verdict {
        let header = try OpusHead(parsing: stream.extradata)
        guard header.mappingFamily <= 1 else { return .bridgeable(reason: "Opus of mapping family \(header.mappingFamily) has no loudspeakers' channels") }
        let lengths = Set(head.map { $0.withUnsafeBytes { OpusPacket.sampleCount($0) } ?? 0 })
        return .copyable(
            audio(
                stream, .opus, string: CodecString.opus, configuration: header.specificBox, frameLength: lengths.count == 1 ? lengths.first ?? 0 : 0,
                channels: Int(header.channelCount), rate: 48_000))
    }

    private static func ac3(_ stream: StreamInfo, _ head: [Packet]) throws(ParseError) -> Copyable {
        // A recording may begin in the middle of a frame.
        let whole = head.first { packet in packet.withUnsafeBytes { $0.starts(with: [0x0B, 0x77]) } }
        guard let first = whole ?? head.first else { throw ParseError(.truncated, at: 0, in: "dac3", "no AC-3 frame was seen near the start") }
        let frame = try AC3Syncframe(parsing: first.bytes[...])
        // Blu-ray's DD+ is an AC-3 core with an E-AC-3 substream behind it.
        guard !frame.isEnhanced, try EAC3AccessUnit(parsing: first.bytes).programs[0].dependents.isEmpty else { return try eac3(stream, head) }
        return audio(
            stream, .ac3, string: CodecString.ac3, configuration: frame.ac3SpecificBox, frameLength: frame.sampleCount, channels: frame.channelCount,
            rate: Int32(clamping: frame.sampleRate))
    }

    /// Access units looked at for object audio: it may be signalled a while into a stream that was entered in the middle.
    private static let syncframeLimit = 24

    private static func eac3(_ stream: StreamInfo, _ head: [Packet]) throws(ParseError) -> Copyable {
        var units: [EAC3AccessUnit] = []
        var failure = ParseError(.truncated, at: 0, in: "dec3", "no E-AC-3 frame was seen near the start")
        for packet in head.prefix(syncframeLimit) {
            do throws(ParseError) { units.append(try EAC3AccessUnit(parsing: packet.bytes)) } catch { failure = error }
        }
        guard let unit = units.first(where: { $0.jocComplexityIndex != nil }) ?? units.first else { throw failure }
        return audio(
            stream, .eac3, string: CodecString.eac3, configuration: unit.specificBox, frameLength: unit.sampleCount, channels: unit.channelCount,
            rate: Int32(clamping: unit.sampleRate), joc: unit.jocComplexityIndex)
    }

    private static func audio(
        _ stream: StreamInfo, _ codec: TrackCodec, string: String, configuration: [UInt8], frameLength: Int, channels: Int, rate: Int32, joc: Int? = nil
    ) -> Copyable {
        let sound = TrackDescription.Audio(
            channels: channels, channelLayout: stream.channelLayout, sampleRate: rate, frameLength: frameLength, jocComplexity: joc)
        return Copyable(
            description: description(stream, codec, .audio(sound), string: string, configuration: configuration), framing: .passthrough)
    }

    /// A bridged track, as its encoder's first frame and configuration describe it; what it was before is in none of it.
    package static func bridged(_ stream: StreamInfo, format: BridgeFormat, frameLength: Int, string: String, configuration: [UInt8]) -> TrackDescription {
        let settings = format.settings
        var track = description(
            stream, format.codec,
            .audio(.init(channels: settings.format.layout.channelCount, channelLayout: settings.format.layout.description, sampleRate: settings.format.sampleRate, frameLength: frameLength)),
            string: string, configuration: configuration)
        track.bitRate = settings.bitRate > 0 ? settings.bitRate : nil
        return track
    }

    private static func description(
        _ stream: StreamInfo, _ codec: TrackCodec, _ media: TrackDescription.Media, string: String, configuration: [UInt8]
    ) -> TrackDescription {
        var track = TrackDescription(
            streamIndex: stream.index, codec: codec, media: media, codecString: string, configuration: configuration,
            language: stream.language, title: stream.title,
            isDefault: stream.dispositions.contains(.default), isOriginal: stream.dispositions.contains(.original),
            isCommentary: stream.dispositions.contains(.comment), isDescription: stream.dispositions.contains(.visualImpaired)
                || stream.dispositions.contains(.descriptions),
            bitRate: stream.bitRate)
        track.isDub = stream.dispositions.contains(.dub)
        track.isHearingImpaired = stream.dispositions.contains(.hearingImpaired)
        return track
    }
}
