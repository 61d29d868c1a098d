internal import CFFmpeg

extension StreamInfo {
    /// Takes the snapshot.
    init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let source = stream.pointee
        index = Int(source.index)
        containerID = Int(source.id)
        if source.time_base.num > 0, source.time_base.den > 0 {
            (timeBaseNumerator, timeBaseDenominator) = (source.time_base.num, source.time_base.den)
        }
        startTime = source.start_time == PRISM_NOPTS_VALUE ? nil : source.start_time
        duration = source.duration == PRISM_NOPTS_VALUE || source.duration <= 0 ? nil : source.duration
        frameCount = source.nb_frames > 0 ? source.nb_frames : nil
        dispositions = StreamDispositions(libav: source.disposition)
        metadata = Demuxer.entries(source.metadata)
        language = metadata["language"]
        title = metadata["title"]
        averageFrameRate = Ratio(source.avg_frame_rate)
        realFrameRate = Ratio(source.r_frame_rate)
        programID = av_find_program_from_stream(context, nil, source.index).map { Int($0.pointee.id) }
        guard let parameters = source.codecpar?.pointee else { return }

        kind = Kind(parameters.codec_type)
        codecName = String(cString: avcodec_get_name(parameters.codec_id))
        codecTag = parameters.codec_tag
        if parameters.profile != PRISM_PROFILE_UNKNOWN {
            profile = Int(parameters.profile)
            profileName = avcodec_profile_name(parameters.codec_id, parameters.profile).map { String(cString: $0) }
        }
        level = parameters.level == PRISM_PROFILE_UNKNOWN ? nil : Int(parameters.level)
        if let data = parameters.extradata, parameters.extradata_size > 0 {
            extradata = Array(UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size)))
        }
        bitRate = parameters.bit_rate > 0 ? parameters.bit_rate : nil
        switch kind {
        case .video: readVideo(parameters, stream)
        case .audio: readAudio(parameters)
        default: (width, height) = (Int(parameters.width), Int(parameters.height))
        }
    }

    private mutating func readVideo(_ parameters: AVCodecParameters, _ stream: UnsafeMutablePointer<AVStream>) {
        (width, height) = (Int(parameters.width), Int(parameters.height))
        sampleAspectRatio = Ratio(stream.pointee.sample_aspect_ratio) ?? Ratio(parameters.sample_aspect_ratio)
        let format = AVPixelFormat(rawValue: parameters.format)
        if parameters.format >= 0, let description = av_pix_fmt_desc_get(format)?.pointee {
            pixelFormatName = description.name.map { String(cString: $0) }
            bitDepth = Int(description.comp.0.depth)
            chromaFormat = ChromaFormat(description)
        }
        describeColour(
            primaries: Int(parameters.color_primaries.rawValue), transfer: Int(parameters.color_trc.rawValue), matrix: Int(parameters.color_space.rawValue))
        switch parameters.color_range {
        case AVCOL_RANGE_MPEG: isFullRange = false
        case AVCOL_RANGE_JPEG: isFullRange = true
        default: isFullRange = nil
        }
        // libav counts from 1, and 0 is unspecified.
        let location = Int(parameters.chroma_location.rawValue)
        chromaLocation = (1...6).contains(location) ? location - 1 : nil
        readBrightness(stream)
        fieldOrder = FieldOrder(parameters.field_order)
        videoDelay = Int(parameters.video_delay)
        bitsPerRawSample = Int(parameters.bits_per_raw_sample)
        let record = prism_dolby_vision(stream)
        if record.present != 0 {
            dolbyVision = DolbyVisionRecord(
                versionMajor: record.version_major, versionMinor: record.version_minor, profile: record.profile,
                level: record.level, hasRPU: record.rpu_present != 0, hasEnhancementLayer: record.el_present != 0,
                hasBaseLayer: record.bl_present != 0, baseLayerCompatibilityID: record.bl_compatibility_id,
                metadataCompression: record.metadata_compression)
        }
        hasMultiviewStereo3D = prism_is_multiview_stereo(stream) != 0
    }

    /// Takes over what is said of the colour; what is unspecified or reserved is not, and leaves what was there.
    ///
    /// - Parameters: ISO/IEC 23091-2 code points.
    package mutating func describeColour(primaries: Int?, transfer: Int?, matrix: Int?) {
        if let known = primaries.flatMap({ StreamInfo.codePoint(UInt32(clamping: $0)) }) {
            colourPrimaries = known
            colourPrimariesName = av_color_primaries_name(AVColorPrimaries(rawValue: UInt32(known))).map { String(cString: $0) }
        }
        if let known = transfer.flatMap({ StreamInfo.codePoint(UInt32(clamping: $0)) }) {
            transferCharacteristics = known
            colourTransferName = av_color_transfer_name(AVColorTransferCharacteristic(rawValue: UInt32(known))).map { String(cString: $0) }
        }
        // 0 is a matrix (identity), where it is reserved for the other two.
        if let known = matrix.flatMap({ $0 == 0 ? 0 : StreamInfo.codePoint(UInt32(clamping: $0)) }) {
            matrixCoefficients = known
            colourMatrixName = av_color_space_name(AVColorSpace(rawValue: UInt32(known))).map { String(cString: $0) }
        }
    }

    private mutating func readBrightness(_ stream: UnsafeMutablePointer<AVStream>) {
        let display = prism_mastering_display(stream)
        if display.present != 0 {
            typealias Point = MasteringDisplay.Chromaticity
            let (redX, redY, greenX, greenY, blueX, blueY, whiteX, whiteY) = display.chromaticity
            masteringDisplay = MasteringDisplay(
                red: Point(x: redX, y: redY), green: Point(x: greenX, y: greenY), blue: Point(x: blueX, y: blueY),
                whitePoint: Point(x: whiteX, y: whiteY), maximumLuminance: display.max_luminance,
                minimumLuminance: display.min_luminance)
        }
        var (maximum, average): (UInt16, UInt16) = (0, 0)
        if prism_content_light(stream, &maximum, &average) != 0 {
            contentLightLevel = ContentLightLevel(maximum: maximum, maximumFrameAverage: average)
        }
    }

    private mutating func readAudio(_ parameters: AVCodecParameters) {
        sampleRate = parameters.sample_rate
        channels = Int(parameters.ch_layout.nb_channels)
        channelLayout = withUnsafePointer(to: parameters) { pointer in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                guard let base = buffer.baseAddress, prism_describe_layout(pointer, base, buffer.count) != 0 else { return nil }
                return String(cString: base)
            }
        }
        bitsPerRawSample = Int(parameters.bits_per_raw_sample)
        frameSize = Int(parameters.frame_size)
        initialPadding = Int(parameters.initial_padding)
        trailingPadding = Int(parameters.trailing_padding)
        seekPreroll = Int(parameters.seek_preroll)
    }

    /// Values above 255 are libav's own, 2 is "unspecified", 0 and 3 are reserved (ISO/IEC 23091-2, tables 2 to 4).
    private static func codePoint(_ value: UInt32) -> Int? {
        value == 0 || value == 2 || value == 3 || value > 255 ? nil : Int(value)
    }
}

extension StreamInfo.Kind {
    fileprivate init(_ type: AVMediaType) {
        switch type {
        case AVMEDIA_TYPE_VIDEO: self = .video
        case AVMEDIA_TYPE_AUDIO: self = .audio
        case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
        case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
        case AVMEDIA_TYPE_DATA: self = .data
        default: self = .unknown
        }
    }
}

extension StreamInfo.ChromaFormat {
    fileprivate init?(_ description: AVPixFmtDescriptor) {
        guard description.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) == 0 else { return nil }
        switch (description.nb_components, description.log2_chroma_w, description.log2_chroma_h) {
        case (1...2, _, _): self = .monochrome
        case (_, 1, 1): self = .yuv420
        case (_, 1, 0): self = .yuv422
        case (_, 0, 0): self = .yuv444
        default: return nil
        }
    }
}

extension StreamInfo.FieldOrder {
    fileprivate init(_ order: AVFieldOrder) {
        switch order {
        case AV_FIELD_PROGRESSIVE: self = .progressive
        case AV_FIELD_TT: self = .topTop
        case AV_FIELD_BB: self = .bottomBottom
        case AV_FIELD_TB: self = .topBottom
        case AV_FIELD_BT: self = .bottomTop
        default: self = .unknown
        }
    }
}

extension StreamDispositions {
    fileprivate init(libav flags: Int32) {
        let pairs: [(Int32, StreamDispositions)] = [
            (AV_DISPOSITION_DEFAULT, .default), (AV_DISPOSITION_ORIGINAL, .original), (AV_DISPOSITION_DUB, .dub),
            (AV_DISPOSITION_COMMENT, .comment), (AV_DISPOSITION_FORCED, .forced),
            (AV_DISPOSITION_HEARING_IMPAIRED, .hearingImpaired), (AV_DISPOSITION_VISUAL_IMPAIRED, .visualImpaired),
            (AV_DISPOSITION_ATTACHED_PIC, .attachedPicture), (AV_DISPOSITION_CAPTIONS, .captions),
            (AV_DISPOSITION_DESCRIPTIONS, .descriptions),
        ]
        self = StreamDispositions(pairs.filter { flags & $0.0 != 0 }.map(\.1))
    }
}

extension Ratio {
    fileprivate init?(_ value: AVRational) {
        guard value.num > 0, value.den > 0 else { return nil }
        (numerator, denominator) = (value.num, value.den)
    }
}
