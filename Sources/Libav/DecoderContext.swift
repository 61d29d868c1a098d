internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Opening libavcodec's decoders, which is the same for all kinds of streams.
enum DecoderContext {
    /// - Parameters:
    ///   - options: Of the decoder's own, by libav's names; those it does not know are passed over.
    ///   - configure: Called before it is opened.
    /// - Returns: The caller's, to be freed with `avcodec_free_context`.
    /// - Throws: ``LibavError`` with operation "open decoder"; `.unsupported` when the build has no decoder for the stream.
    static func open(
        _ parameters: CodecParameters, options: [String: String], configure: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
    ) throws(LibavError) -> UnsafeMutablePointer<AVCodecContext> {
        let operation = "open decoder"
        guard let codec = avcodec_find_decoder(parameters.storage.pointee.codec_id) else {
            throw LibavError(code: PRISM_AVERROR_DECODER_NOT_FOUND, operation: operation)
        }
        guard let fresh = avcodec_alloc_context3(codec) else { throw LibavError(errno: ENOMEM, operation: operation) }
        var result = avcodec_parameters_to_context(fresh, parameters.storage)
        if result >= 0 {
            fresh.pointee.pkt_timebase = parameters.timeBase
            configure(fresh)
            var dictionary: OpaquePointer?
            for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
            result = avcodec_open2(fresh, codec, &dictionary)
            av_dict_free(&dictionary)
        }
        guard result >= 0 else {
            var failed: UnsafeMutablePointer<AVCodecContext>? = fresh
            avcodec_free_context(&failed)
            throw LibavError(code: result, operation: operation)
        }
        return fresh
    }
}
