internal import BitsAndTime
internal import Bitstreams
internal import Languages
internal import Libav
internal import Remux

/// Public descriptions of tracks, from libav's words and the analyzer's verdict.
enum TrackDescriber {
    static func video(_ stream: StreamInfo, verdict: TrackAnalyzer.Verdict, dolbyVision: DolbyVisionEvidence?) -> VideoTrackInfo {
        var info = VideoTrackInfo(streamIndex: stream.index, codec: stream.codecName, width: stream.width, height: stream.height, readiness: .streamCopy)
        info.profile = stream.profileName
        info.level = stream.level
        info.bitDepth = stream.bitDepth
        info.chromaFormat =
            switch stream.chromaFormat {
            case .monochrome: "4:0:0"
            case .yuv420: "4:2:0"
            case .yuv422: "4:2:2"
            case .yuv444: "4:4:4"
            case nil: nil
            }
        if let aspect = stream.sampleAspectRatio { info.sampleAspectRatio = [Int(aspect.numerator), Int(aspect.denominator)] }
        info.colourPrimaries = stream.colourPrimariesName
        info.colourTransfer = stream.colourTransferName
        info.colourMatrix = stream.colourMatrixName
        info.isFullRange = stream.isFullRange
        info.declaredFieldOrder =
            switch stream.fieldOrder {
            case .progressive: .progressive
            case .unknown: .unknown
            default: .interlaced
            }
        info.isMultiview = stream.hasMultiviewStereo3D
        info.dolbyVision = stream.dolbyVision.map {
            .init(profile: Int($0.profile), level: Int($0.level), compatibilityID: Int($0.baseLayerCompatibilityID), hasEnhancementLayer: $0.hasEnhancementLayer, findings: [])
        }
        info.language = stream.language
        info.title = stream.title
        info.isDefault = stream.dispositions.contains(.default)
        if let rate = stream.averageFrameRate ?? stream.realFrameRate {
            info.frameRate = [Int(rate.numerator), Int(rate.denominator)]
            info.frameRateSource = stream.averageFrameRate == nil ? .measured : .container
        }
        switch verdict {
        case .unsuitable(let reason), .bridgeable(let reason): info.readiness = .unsupported(reason: reason)
        case .copyable(let copyable):
            if copyable.description.codec == .vp9 { info.readiness = .unsupported(reason: "vp9 is not taken by Apple's players") }
            let route = dolbyVision.flatMap { DolbyVisionRoute($0) }
            let track = copyable.routed(route)
            info.configurationRecord = track.description.configuration
            info.codecString = track.description.codecString
            info.supplementalCodecs = track.description.supplementalCodecs
            if let route { info.describe(route, evidence: dolbyVision) }
            if let picture = track.description.video {
                (info.width, info.height) = (picture.width, picture.height)
                info.sampleAspectRatio = [Int(picture.sampleAspectRatio.horizontal), Int(picture.sampleAspectRatio.vertical)]
                info.bitDepth = picture.bitDepth
                info.frameRate = picture.frameRate.map { [Int($0.numerator), Int($0.denominator)] }
                info.frameRateSource = VideoTrackInfo.FrameRateSource(rawValue: picture.frameRateSource.rawValue) ?? .unknown
                info.dynamicRange =
                    switch picture.dynamicRange {
                    case .sdr: .sdr
                    case .pq: .hdr10
                    case .hlg: .hlg
                    }
                info.masteringDisplay = picture.masteringDisplay.map(masteringDisplay)
                info.contentLight = picture.contentLight.map { .init(maximum: Int($0.maximumContent), maximumFrameAverage: Int($0.maximumPictureAverage)) }
            }
        }
        return info
    }

    private static func masteringDisplay(_ display: MasteringDisplayColourVolume) -> VideoTrackInfo.MasteringDisplay {
        func point(_ at: MasteringDisplayColourVolume.Chromaticity) -> [Double] { [Double(at.x) / 50_000, Double(at.y) / 50_000] }
        return .init(
            red: point(display.red), green: point(display.green), blue: point(display.blue), whitePoint: point(display.whitePoint),
            minimumLuminance: Double(display.minimumLuminance) / 10_000, maximumLuminance: Double(display.maximumLuminance) / 10_000)
    }

    static func dynamicMetadata(_ verdict: DynamicMetadataScan.Verdict, in finding: DynamicMetadataProbe.Finding) -> DynamicMetadataFinding {
        switch verdict {
        case .present(let version): .init(verdict: .seen, applicationVersion: version.map(Int.init), packetsScanned: finding.packetCount)
        case .absentWithinScan: .init(verdict: .notSeenWithinBudget, packetsScanned: finding.packetCount)
        case .unknown: .init(verdict: .unknown(reason: finding.reason), packetsScanned: finding.packetCount)
        }
    }

    static func audio(_ stream: StreamInfo, verdict: TrackAnalyzer.Verdict, objects: ObjectAudio?) -> AudioTrackInfo {
        var info = AudioTrackInfo(
            streamIndex: stream.index, codec: stream.codecName, channels: stream.channels, sampleRate: Int(stream.sampleRate), readiness: .streamCopy)
        info.profile = stream.profileName
        info.channelLayout = stream.channelLayout
        info.bitRate = stream.bitRate
        info.language = stream.language
        info.languageTag = LanguageLabel.rfc5646(stream.language)
        info.title = stream.title
        info.isDefault = stream.dispositions.contains(.default)
        info.isOriginal = stream.dispositions.contains(.original) || LanguageLabel.saysOriginal(stream.language)
        info.isDub = stream.dispositions.contains(.dub)
        info.isForced = stream.dispositions.contains(.forced)
        info.isCommentary = stream.dispositions.contains(.comment)
        info.isDescription = stream.dispositions.contains(.visualImpaired) || stream.dispositions.contains(.descriptions) || LanguageLabel.saysDescription(stream.language)
        info.isHearingImpaired = stream.dispositions.contains(.hearingImpaired)
        switch objects {
        case .jointObjectCoding(let complexity): (info.objectAudio, info.jocComplexity) = (.jointObjectCoding, complexity)
        case .trueHD: info.objectAudio = .trueHD
        case .dtsX: info.objectAudio = .dtsX
        case nil: break
        }
        // Readiness is for Apple's players, which are the ones that are not asked.
        switch TrackRouting.sound(.init(stream, verdict: verdict), for: .apple) {
        case .refused(let reason): info.readiness = .unsupported(reason: reason)
        case .bridged(_, let reason): info.readiness = .requiresAudioBridge(reason: reason)
        case .copied:
            guard case .copyable(let track) = verdict else { break }
            info.codecString = track.description.codecString
            if let sound = track.description.audio {
                info.channels = sound.channels
                info.sampleRate = Int(sound.sampleRate)
                info.isObjectAudio = sound.jocComplexity != nil
            }
        }
        return info
    }

    static func subtitle(_ stream: StreamInfo) -> SubtitleTrackInfo {
        let kind: SubtitleTrackInfo.Kind =
            switch stream.codecName {
            case "subrip", "srt", "ass", "ssa", "webvtt", "mov_text", "text", "ttml", "stl", "microdvd", "sami", "realtext", "subviewer": .text
            case "hdmv_pgs_subtitle", "dvb_subtitle", "dvd_subtitle", "xsub": .bitmap
            case "eia_608", "dvb_teletext": .closedCaptions
            default: .unknown
            }
        return SubtitleTrackInfo(
            streamIndex: stream.index, codec: stream.codecName, kind: kind, language: stream.language, title: stream.title,
            isDefault: stream.dispositions.contains(.default), isForced: stream.dispositions.contains(.forced),
            isHearingImpaired: stream.dispositions.contains(.hearingImpaired))
    }
}
