internal import CFFmpeg

/// One decoded picture or run of samples. Times are in its stream's time base.
///
/// `@unchecked Sendable`: the reference it owns is never changed after the decoder filled it.
package final class Frame: @unchecked Sendable {
    /// Filled once, by the room that made the frame.
    let storage: UnsafeMutablePointer<AVFrame>

    /// Nil when memory is out.
    init?() {
        guard let frame = av_frame_alloc() else { return nil }
        storage = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = storage
        av_frame_free(&frame)
    }

    /// Room for samples to be filled in by this room; nil when memory is out or the format is none.
    init?(_ format: AudioFormat, sampleCount: Int) {
        guard let frame = av_frame_alloc() else { return nil }
        frame.pointee.format = format.sampleFormat.rawValue
        frame.pointee.sample_rate = format.sampleRate
        frame.pointee.nb_samples = Int32(clamping: sampleCount)
        guard av_channel_layout_from_mask(&frame.pointee.ch_layout, format.layout.mask) >= 0, av_frame_get_buffer(frame, 0) >= 0 else {
            var failed: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&failed)
            return nil
        }
        storage = frame
    }

    /// The frame's own time, or the decoder's best estimate of it.
    package var pts: Int64? {
        if storage.pointee.pts != PRISM_NOPTS_VALUE { return storage.pointee.pts }
        let estimate = storage.pointee.best_effort_timestamp
        return estimate == PRISM_NOPTS_VALUE ? nil : estimate
    }

    /// 0 when unknown.
    package var durationTicks: Int64 { prism_frame_duration(storage) }

    /// Pixels; 0 for audio.
    package var width: Int { Int(storage.pointee.width) }
    package var height: Int { Int(storage.pointee.height) }

    /// Samples of each channel; 0 for video.
    package var sampleCount: Int { Int(storage.pointee.nb_samples) }
    /// Hertz.
    package var sampleRate: Int { Int(storage.pointee.sample_rate) }
    package var channels: Int { Int(storage.pointee.ch_layout.nb_channels) }

    /// What its samples are; nil for video, and for a layout that no usual one stands for.
    package var audioFormat: AudioFormat? {
        let mask = prism_layout_mask(&storage.pointee.ch_layout)
        guard width == 0, sampleRate > 0, mask != 0, storage.pointee.format >= 0 else { return nil }
        return AudioFormat(
            sampleRate: storage.pointee.sample_rate, layout: ChannelLayout(mask: mask), sampleFormat: SampleFormat(rawValue: storage.pointee.format))
    }

    /// "yuv420p10le"; nil for audio.
    package var pixelFormatName: String? {
        guard width > 0 else { return nil }
        return av_get_pix_fmt_name(AVPixelFormat(rawValue: storage.pointee.format)).map { String(cString: $0) }
    }

    package var isInterlaced: Bool { prism_frame_is_interlaced(storage) != 0 }
    package var isKey: Bool { prism_frame_is_key(storage) != 0 }
    /// The decoder met errors, or a missing reference, in this frame.
    package var isCorrupt: Bool { prism_frame_is_corrupt(storage) != 0 }

    /// A hash of the visible pixels or the samples, with format and size: equal content hashes equally whatever decoder,
    /// padding or thread count made it. For comparison within one FFmpeg version; not cryptographic.
    package func contentHash() -> UInt64 { prism_frame_hash(storage) }

    /// Samples interleaved by channel, ±1 full scale; empty for video and unknown formats.
    package func interleavedFloats() -> [Float] {
        let count = sampleCount.multipliedReportingOverflow(by: channels)
        guard width == 0, count.partialValue > 0, !count.overflow else { return [] }
        return [Float](unsafeUninitializedCapacity: count.partialValue) { buffer, filled in
            guard let base = buffer.baseAddress, prism_frame_to_floats(storage, base) == 0 else { return }
            filled = count.partialValue
        }
    }
}

extension Frame {
    /// Leaves off what is behind the first `count` samples. The one change a frame's owner may make; the frame must not be shared.
    package func shorten(to count: Int) {
        storage.pointee.nb_samples = Int32(clamping: max(0, min(count, sampleCount)))
    }
}
