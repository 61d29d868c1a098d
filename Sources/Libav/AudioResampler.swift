internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Makes samples of one format out of another's: format, channels (by libswresample's own fold) and rate. The first sample out is at the time of
/// the first one in; the filter's length is made up for.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it.
package final class AudioResampler: @unchecked Sendable {
    package let output: AudioFormat
    private var context: OpaquePointer?
    /// Used again while it is large enough and nobody holds it: frames may be as short as 40 samples.
    private var spare: (frame: Frame, capacity: Int)?

    /// - Throws: ``LibavError`` with operation "open resampler".
    package init(from input: AudioFormat, to output: AudioFormat) throws(LibavError) {
        let operation = "open resampler"
        var (from, to) = (AVChannelLayout(), AVChannelLayout())
        defer {
            av_channel_layout_uninit(&from)
            av_channel_layout_uninit(&to)
        }
        var fresh: OpaquePointer?
        var result = av_channel_layout_from_mask(&from, input.layout.mask)
        if result >= 0 { result = av_channel_layout_from_mask(&to, output.layout.mask) }
        if result >= 0 {
            result = swr_alloc_set_opts2(
                &fresh, &to, AVSampleFormat(rawValue: output.sampleFormat.rawValue), output.sampleRate, &from,
                AVSampleFormat(rawValue: input.sampleFormat.rawValue), input.sampleRate, 0, nil)
        }
        if result >= 0 { result = swr_init(fresh) }
        guard result >= 0, fresh != nil else {
            swr_free(&fresh)
            throw LibavError(code: result < 0 ? result : prism_averror(ENOMEM), operation: operation)
        }
        context = fresh
        self.output = output
    }

    deinit { swr_free(&context) }

    /// - Parameters:
    ///   - frame: Of the input's format; `nil` lets out what the filter holds back, after which nothing more may come.
    ///   - skip: Samples at its beginning to leave out.
    /// - Returns: What is ready, in the output's format, until the next call; `nil` for nothing.
    /// - Throws: ``LibavError`` with operation "resample".
    package func convert(_ frame: Frame?, skip: Int = 0) throws(LibavError) -> Frame? {
        let capacity = swr_get_out_samples(context, Int32(clamping: (frame?.sampleCount ?? 0) - (frame == nil ? 0 : skip)))
        guard capacity > 0 else { return nil }
        let converted: Frame
        if let last = spare, last.capacity >= Int(capacity) {
            converted = last.frame
        } else {
            guard let fresh = Frame(output, sampleCount: Int(capacity)) else { throw LibavError(errno: ENOMEM, operation: "resample") }
            (converted, spare) = (fresh, (fresh, Int(capacity)))
        }
        let count = prism_resample(context, converted.storage, capacity, frame?.storage, Int32(clamping: skip))
        guard count >= 0 else { throw LibavError(code: count, operation: "resample") }
        converted.storage.pointee.nb_samples = count
        return count > 0 ? converted : nil
    }
}
