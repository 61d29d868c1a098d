internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One opened source: its streams, its packets in file order, and seeking.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it (a confined owner that hands it on whole
/// is fine). Only the ``Interrupter`` may be used from elsewhere meanwhile.
package final class Demuxer: @unchecked Sendable {
    let context: UnsafeMutablePointer<AVFormatContext>
    let interrupter: Interrupter
    /// The custom input, if this source has one; freed after the context.
    private let bridge: InputBridge?
    /// What libav's interrupt callback asks.
    private let watch: PartWatch
    /// Packets delivered since opening, and whether a seek was ever tried: together, whether the source still stands at its start.
    package private(set) var packetsRead = 0
    package internal(set) var hasSought = false

    /// Opens a path or an address; reads the header and nothing more.
    ///
    /// - Parameter url: anything without `scheme://` is a path, whatever colons it holds. A named pipe is read forward
    ///   only; a directory is refused as `.isDirectory`.
    /// - Throws: ``LibavError`` with operation "open".
    package init(url: String, options: DemuxerOptions = DemuxerOptions(), interrupter: Interrupter = Interrupter()) throws(LibavError) {
        let opened = try Demuxer.open(url: url, options: options, interrupter: interrupter)
        (context, bridge, watch) = (opened.context, opened.bridge, opened.watch)
        self.interrupter = interrupter
    }

    /// Opens a whole source held in memory; the bytes are not copied.
    package init(bytes: [UInt8], options: DemuxerOptions = DemuxerOptions(), interrupter: Interrupter = Interrupter()) throws(LibavError) {
        let opened = try Demuxer.open(input: MemoryInput(bytes), name: nil, options: options, interrupter: interrupter)
        (context, bridge, watch) = (opened.context, opened.bridge, opened.watch)
        self.interrupter = interrupter
    }

    /// Opens what `input` reads. The input is kept for the demuxer's life, and called on the demuxer's thread.
    package init(input: any DemuxerInput, options: DemuxerOptions = DemuxerOptions(), interrupter: Interrupter = Interrupter()) throws(LibavError) {
        let opened = try Demuxer.open(input: input, name: nil, options: options, interrupter: interrupter)
        (context, bridge, watch) = (opened.context, opened.bridge, opened.watch)
        self.interrupter = interrupter
    }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closing)
    }

    /// Reads ahead, within the options' bounds, until the streams' parameters are known. What was read is delivered again
    /// by ``readPacket()``. Partial knowledge is not an error.
    ///
    /// - Parameter known: Streams, by index, of which no picture is decoded. What libav's decoders would have said of them (size, pixel
    ///   format, colour, ``StreamInfo/videoDelay``) is then what the container and `known` say, and their first packets may lack decode times.
    package func findStreamInfo(knowing known: [Int: KnownPictures] = [:]) throws(LibavError) {
        try checkInterruption("find stream info")
        let result = known.isEmpty ? avformat_find_stream_info(context, nil) : findStreamInfo(withoutDecoding: known)
        guard result >= 0 else { throw failure(result, "find stream info") }
        try checkInterruption("find stream info")
    }

    /// Packets of one stream that are waited for in vain for a decode time: one appears within a few, or not before probing is over.
    private static let packetsWithoutDecodeTime: Int32 = 8

    private func findStreamInfo(withoutDecoding known: [Int: KnownPictures]) -> Int32 {
        let count = Int(context.pointee.nb_streams)
        return withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: count) { options in
            options.initialize(repeating: nil)
            defer { for index in 0..<count { av_dict_free(&options[index]) } }
            for (index, pictures) in known where index >= 0 && index < count {
                av_dict_set(&options[index], "skip_frame", "all", 0)
                if let format = pictures.pixelFormatName { av_dict_set(&options[index], "pixel_format", format, 0) }
                if let depth = pictures.reorderedPictures {
                    av_dict_set(&options[index], "has_b_frames", String(depth), 0)
                    context.pointee.max_ts_probe = Demuxer.packetsWithoutDecodeTime
                }
            }
            return avformat_find_stream_info(context, options.baseAddress)
        }
    }

    /// The next packet in file order, of any stream not discarded; nil at the end of the source.
    ///
    /// - Throws: ``LibavError`` with operation "read". A failed read below a demuxer that resynchronises or reports an end
    ///   of file instead (Matroska does) is thrown as that failure, and again by later calls until a seek.
    package func readPacket() throws(LibavError) -> Packet? {
        while true {
            try checkInterruption("read")
            try checkInput("read")
            guard let packet = Packet() else { throw LibavError(errno: ENOMEM, operation: "read") }
            let result = av_read_frame(context, packet.storage)
            if result >= 0 {
                try checkInput("read")
                packetsRead += 1
                watch.progress()
                return packet
            }
            if result == prism_averror(EAGAIN) { continue }
            if watch.hasEnded { return nil }
            try checkInterruption("read")
            try checkInput("read")
            if result == PRISM_AVERROR_EOF { return nil }
            throw failure(result, "read")
        }
    }

    /// Packets of a discarded stream are not delivered, and where the container allows it not read.
    package func setDiscard(streamIndex: Int, _ discard: Bool) {
        stream(at: streamIndex)?.pointee.discard = discard ? AVDISCARD_ALL : AVDISCARD_DEFAULT
    }

    /// Bytes taken from the input so far; 0 for sources without one input (HLS, DASH).
    package var bytesRead: Int64 { context.pointee.pb?.pointee.bytes_read ?? 0 }

    /// Byte offset the next read of the input starts at. Demuxers read ahead, so it runs before the packets delivered;
    /// nil for sources without one input (HLS, DASH).
    package var position: Int64? {
        guard let input = context.pointee.pb else { return nil }
        let offset = avio_tell(input)
        return offset >= 0 ? offset : nil
    }

    // MARK: Shared by this room

    func stream(at index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int(context.pointee.nb_streams) else { return nil }
        return context.pointee.streams?[index]
    }

    func failure(_ code: Int32, _ operation: String) -> LibavError {
        watch.hasFailed ? .noPartOpens : LibavError(code: code, operation: operation, interrupter: interrupter)
    }

    func checkInterruption(_ operation: String) throws(LibavError) {
        if interrupter.interruption != nil || watch.hasFailed { throw failure(PRISM_AVERROR_EXIT, operation) }
    }

    /// Throws the failure the input itself met, which demuxers may have swallowed.
    func checkInput(_ operation: String) throws(LibavError) {
        guard let code = context.pointee.pb?.pointee.error, code < 0, code != PRISM_AVERROR_EOF else { return }
        throw failure(code, operation)
    }
}
