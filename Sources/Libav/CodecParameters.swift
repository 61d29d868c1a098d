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

    deinit {
        var closing: UnsafeMutablePointer<AVCodecParameters>? = storage
        avcodec_parameters_free(&closing)
    }
}
