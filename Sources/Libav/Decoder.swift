internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A software decoder for one stream.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it. It keeps nothing of the demuxer it was
/// made from. Packets go in by ``send(_:)``; after each, ``receive()`` is called until it gives nil.
package final class Decoder: @unchecked Sendable {
    private let context: UnsafeMutablePointer<AVCodecContext>
    /// libav's name of the decoder in use ("libdav1d").
    package let name: String

    /// - Parameter threads: of libav's own; more than one delays the first frame by as many frames.
    /// - Throws: ``LibavError`` with operation "open decoder"; `.unsupported` when the build has no decoder for the stream.
    package convenience init(demuxer: Demuxer, streamIndex: Int, threads: Int = 1) throws(LibavError) {
        guard let parameters = CodecParameters(demuxer: demuxer, streamIndex: streamIndex) else {
            throw LibavError(errno: EINVAL, operation: "open decoder")
        }
        try self.init(parameters, threads: threads)
    }

    /// - Parameters:
    ///   - keepsSkippedSamples: Gives out what the container says to skip (priming, padding), too: for who counts samples and skips by count.
    ///   - options: Of the decoder's own, by libav's names; those it does not know are passed over.
    /// - Throws: as above.
    package init(
        _ parameters: CodecParameters, threads: Int = 1, keepsSkippedSamples: Bool = false, options: [String: String] = [:]
    ) throws(LibavError) {
        context = try DecoderContext.open(parameters, options: options) { context in
            context.pointee.thread_count = Int32(clamping: max(1, threads))
            if keepsSkippedSamples { context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
        }
        name = context.pointee.codec?.pointee.name.map { String(cString: $0) } ?? ""
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
    }

    /// Gives the decoder one packet of its stream; nil says there are no more, and lets the delayed frames out.
    ///
    /// - Throws: ``LibavError`` with operation "send". `.invalidData` damages that packet only, and decoding may go on.
    ///   `.io(EAGAIN)` means frames wait in ``receive()``; `.endOfFile` that nil was sent before and ``flush()`` was not called.
    package func send(_ packet: Packet?) throws(LibavError) {
        let result = avcodec_send_packet(context, packet?.storage)
        guard result >= 0 else { throw LibavError(code: result, operation: "send") }
    }

    /// The next decoded frame, in presentation order. Nil when it needs another packet, or, after nil was sent, when
    /// every frame has come out.
    ///
    /// - Throws: ``LibavError`` with operation "receive".
    package func receive() throws(LibavError) -> Frame? {
        guard let frame = Frame() else { throw LibavError(errno: ENOMEM, operation: "receive") }
        let result = avcodec_receive_frame(context, frame.storage)
        if result >= 0 { return frame }
        if result == prism_averror(EAGAIN) || result == PRISM_AVERROR_EOF { return nil }
        throw LibavError(code: result, operation: "receive")
    }

    /// Forgets everything sent, as after a seek or to decode on after the end.
    package func flush() { avcodec_flush_buffers(context) }
}
