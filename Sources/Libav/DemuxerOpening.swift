internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension Demuxer {
    /// What opening gives: the context, and the input it reads through when that is ours.
    struct Opened {
        let context: UnsafeMutablePointer<AVFormatContext>
        let bridge: InputBridge?
        let watch: PartWatch
    }

    static func open(url: String, options: DemuxerOptions, interrupter: Interrupter) throws(LibavError) -> Opened {
        guard let location = SourceLocation(url) else { throw LibavError(errno: ENOENT, operation: "open") }
        var isThere = false
        if case .path(let path) = location {
            isThere = true
            var status = stat()
            guard stat(path, &status) == 0 else { throw LibavError(errno: errno, operation: "open") }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: throw LibavError(errno: EISDIR, operation: "open")
            case S_IFIFO:
                let input = try PipeInput(path: path, interrupter: interrupter)
                return try open(input: input, name: location.libavURL, options: options, interrupter: interrupter)
            default: break
            }
        }
        return try open(bridge: nil, name: location.libavURL, isThere: isThere, options: options, interrupter: interrupter)
    }

    static func open(
        input: any DemuxerInput, name: String?, options: DemuxerOptions, interrupter: Interrupter
    ) throws(LibavError) -> Opened {
        let bridge = try InputBridge(input: input, interrupter: interrupter)
        return try open(bridge: bridge, name: name, options: options, interrupter: interrupter)
    }

    private static func open(
        bridge: InputBridge?, name: String?, isThere: Bool = false, options: DemuxerOptions, interrupter: Interrupter
    ) throws(LibavError) -> Opened {
        FFmpegBuild.prepare()
        if interrupter.interruption != nil {
            throw LibavError(code: PRISM_AVERROR_EXIT, operation: "open", interrupter: interrupter)
        }
        let watch = PartWatch(interrupter: interrupter, isLocal: isThere)
        var format: UnsafePointer<AVInputFormat>?
        if let formatName = options.formatName {
            format = av_find_input_format(formatName)
            if format == nil { throw LibavError(code: PRISM_AVERROR_DEMUXER_NOT_FOUND, operation: "open") }
        }
        guard let headers = options.headerField else { throw LibavError(errno: EINVAL, operation: "open") }
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (name, value) in options.extra {
            guard !name.isEmpty, !(name + value).utf8.contains(0) else { throw LibavError(errno: EINVAL, operation: "open") }
            av_dict_set(&dictionary, name, value, 0)
        }
        if !headers.isEmpty { av_dict_set(&dictionary, "headers", headers, 0) }

        guard let fresh = avformat_alloc_context() else { throw LibavError(errno: ENOMEM, operation: "open") }
        fresh.pointee.probesize = max(32, options.probeSizeBytes)
        fresh.pointee.max_analyze_duration = microseconds(options.analyzeDuration)
        fresh.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<PartWatch>.fromOpaque(opaque).takeUnretainedValue().isOver ? 1 : 0
            }, opaque: Unmanaged.passUnretained(watch).toOpaque())
        if options.generatesMissingPTS { fresh.pointee.flags |= AVFMT_FLAG_GENPTS }
        if let bridge { fresh.pointee.pb = bridge.avio }

        // On failure libav frees the context, but never an input it was given.
        var context: UnsafeMutablePointer<AVFormatContext>? = fresh
        let result = avformat_open_input(&context, name, format, &dictionary)
        guard result >= 0, let context else {
            if watch.hasFailed { throw LibavError.noPartOpens }
            // A local file was there a moment ago: what is missing is another one, that it names (a playlist's segments, a manifest's).
            let isAnother = result == prism_averror(ENOENT) && isThere
            throw LibavError(code: result < 0 ? result : PRISM_AVERROR_INVALIDDATA, operation: isAnother ? "open what it names" : "open", interrupter: interrupter)
        }
        nameDolbyVisionCodecs(context)
        watch.progress()
        return Opened(context: context, bridge: bridge, watch: watch)
    }

    /// libavformat knows `dvh1` and `dvav`, and not the sample entry of AV1 without a base layer: its stream would have no codec.
    private static func nameDolbyVisionCodecs(_ context: UnsafeMutablePointer<AVFormatContext>) {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_NONE else { continue }
            if parameters.pointee.codec_tag == UInt32(littleEndian: 0x3176_6164) { parameters.pointee.codec_id = AV_CODEC_ID_AV1 }
        }
    }

    private static func microseconds(_ seconds: Double) -> Int64 {
        guard seconds.isFinite, seconds > 0 else { return 0 }
        return seconds >= 9e12 ? .max : Int64(seconds * 1_000_000)
    }
}
