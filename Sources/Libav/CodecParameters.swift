internal import CFFmpeg

/// What a decoder needs to know of a stream, kept apart from the demuxer that said it.
///
/// `@unchecked Sendable`: a copy that is never changed after it was made.
package final class CodecParameters: @unchecked Sendable {
    let storage: UnsafeMutablePointer<AVCodecParameters>
    let timeBase: AVRational

    /// Nil for a stream that does not exist, or when memory is out.
    package init?(demuxer: Demuxer, streamIndex: Int) {
        guard let stream = demuxer.stream(at: streamIndex), let source = stream.pointee.codecpar, let copy = avcodec_parameters_alloc() else { return nil }
        guard avcodec_parameters_copy(copy, source) >= 0 else {
            var failed: UnsafeMutablePointer<AVCodecParameters>? = copy
            avcodec_parameters_free(&failed)
            return nil
        }
        storage = copy
        timeBase = stream.pointee.time_base
    }

    /// Of a stream of subtitles that no demuxer read, in microseconds.
    ///
    /// - Parameter configuration: What its container would keep beside it; for DVD subpictures the size and palette lines of their index.
    /// - Returns: `nil` for a codec libav has no subtitle decoder of that name for, or when memory is out.
    package init?(subtitles codec: CodecID, configuration: [UInt8]) {
        guard let name = CodecID.named.first(where: { $0.value == codec })?.key, let descriptor = avcodec_descriptor_get_by_name(name),
            descriptor.pointee.type == AVMEDIA_TYPE_SUBTITLE, configuration.count <= 1 << 20, let fresh = avcodec_parameters_alloc()
        else { return nil }
        fresh.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        fresh.pointee.codec_id = descriptor.pointee.id
        if !configuration.isEmpty, let buffer = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) {
            configuration.withUnsafeBytes { source in
                if let base = source.baseAddress { buffer.copyMemory(from: base, byteCount: source.count) }
            }
            fresh.pointee.extradata = buffer.assumingMemoryBound(to: UInt8.self)
            fresh.pointee.extradata_size = Int32(configuration.count)
        }
        storage = fresh
        timeBase = AVRational(num: 1, den: 1_000_000)
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecParameters>? = storage
        avcodec_parameters_free(&closing)
    }
}
