internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// An audio encoder: frames of ``frameLength`` samples in, one coded frame out for each, after as many as it looks ahead.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it.
package final class AudioEncoder: @unchecked Sendable {
    package struct Settings: Sendable, Hashable {
        /// libav's name of the encoder ("eac3").
        package var encoder: String
        package var format: AudioFormat
        /// Bits a second; 0 for lossless codecs.
        package var bitRate: Int64
        /// Samples a frame, where the codec leaves the choice; 0 otherwise.
        package var frameLength: Int
        /// Bits of a sample that count, where there is room for more; 0 for all.
        package var bitsPerSample: Int
        /// Of the encoder's own, by libav's names; those it does not know are passed over.
        package var options: [String: String]

        package init(
            encoder: String, format: AudioFormat, bitRate: Int64 = 0, frameLength: Int = 0, bitsPerSample: Int = 0, options: [String: String] = [:]
        ) {
            self.encoder = encoder
            self.format = format
            self.bitRate = bitRate
            self.frameLength = frameLength
            self.bitsPerSample = bitsPerSample
            self.options = options
        }
    }

    package let settings: Settings
    /// Samples a frame.
    package let frameLength: Int
    /// Samples that decoding gives before the first one encoded.
    package let initialPadding: Int
    /// The codec's configuration, for the sample entry.
    package let extradata: [UInt8]
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: Packet
    private var position: Int64 = 0

    /// - Throws: ``LibavError`` with operation "open encoder", `.unsupported` for a build without it.
    package init(_ settings: Settings) throws(LibavError) {
        let operation = "open encoder"
        guard let codec = avcodec_find_encoder_by_name(settings.encoder) else {
            throw LibavError(code: PRISM_AVERROR_ENCODER_NOT_FOUND, operation: operation)
        }
        guard let packet = Packet(), let fresh = avcodec_alloc_context3(codec) else { throw LibavError(errno: ENOMEM, operation: operation) }
        fresh.pointee.sample_rate = settings.format.sampleRate
        fresh.pointee.sample_fmt = AVSampleFormat(rawValue: settings.format.sampleFormat.rawValue)
        fresh.pointee.bit_rate = settings.bitRate
        fresh.pointee.time_base = AVRational(num: 1, den: settings.format.sampleRate)
        fresh.pointee.thread_count = 1
        if settings.frameLength > 0 { fresh.pointee.frame_size = Int32(clamping: settings.frameLength) }
        if settings.bitsPerSample > 0 { fresh.pointee.bits_per_raw_sample = Int32(clamping: settings.bitsPerSample) }
        // The configuration goes into the sample entry, as in any container with global headers; and no encoder's name goes into the stream.
        fresh.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
        var result = av_channel_layout_from_mask(&fresh.pointee.ch_layout, settings.format.layout.mask)
        if result >= 0 {
            var dictionary: OpaquePointer?
            for (key, value) in settings.options { av_dict_set(&dictionary, key, value, 0) }
            result = avcodec_open2(fresh, codec, &dictionary)
            av_dict_free(&dictionary)
        }
        guard result >= 0, fresh.pointee.frame_size > 0 else {
            var failed: UnsafeMutablePointer<AVCodecContext>? = fresh
            avcodec_free_context(&failed)
            throw LibavError(code: result < 0 ? result : prism_averror(EINVAL), operation: operation)
        }
        context = fresh
        self.packet = packet
        self.settings = settings
        frameLength = Int(fresh.pointee.frame_size)
        initialPadding = Int(max(0, fresh.pointee.initial_padding))
        extradata = fresh.pointee.extradata.map { Array(UnsafeBufferPointer(start: $0, count: Int(max(0, fresh.pointee.extradata_size)))) } ?? []
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
    }

    /// Whether the build's encoder of this name takes a rate or a layout.
    package static func takes(_ encoder: String, sampleRate: Int32) -> Bool {
        avcodec_find_encoder_by_name(encoder).map { prism_encoder_takes_rate($0, sampleRate) != 0 } ?? false
    }

    package static func takes(_ encoder: String, layout: ChannelLayout) -> Bool {
        avcodec_find_encoder_by_name(encoder).map { prism_encoder_takes_layout($0, layout.mask) != 0 } ?? false
    }

    /// Encodes a frame of ``frameLength`` samples.
    ///
    /// - Returns: The coded frames that are ready, in order.
    /// - Throws: ``LibavError`` with operation "encode".
    package func encode(_ frame: Frame) throws(LibavError) -> [[UInt8]] {
        frame.storage.pointee.pts = position
        position += Int64(frame.sampleCount)
        var result = avcodec_send_frame(context, frame.storage)
        guard result >= 0 else { throw LibavError(code: result, operation: "encode") }
        var coded: [[UInt8]] = []
        while true {
            result = avcodec_receive_packet(context, packet.storage)
            if result == prism_averror(EAGAIN) || result == PRISM_AVERROR_EOF { return coded }
            guard result >= 0 else { throw LibavError(code: result, operation: "encode") }
            coded.append(packet.bytes)
            av_packet_unref(packet.storage)
        }
    }
}
