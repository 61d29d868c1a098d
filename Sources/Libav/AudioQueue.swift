internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Samples of one format in a row: in by what a decoder gives, out by what an encoder takes.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it.
package final class AudioQueue: @unchecked Sendable {
    package let format: AudioFormat
    private let queue: OpaquePointer
    private let silence: Frame

    private static let silenceLength = 1024

    /// - Throws: ``LibavError`` with operation "queue", as all of this type.
    package init(format: AudioFormat) throws(LibavError) {
        let channels = Int32(format.layout.channelCount)
        guard channels > 0, let silence = Frame(format, sampleCount: Self.silenceLength), prism_silence(silence.storage) >= 0,
            let queue = av_audio_fifo_alloc(AVSampleFormat(rawValue: format.sampleFormat.rawValue), channels, 8192)
        else { throw LibavError(errno: ENOMEM, operation: "queue") }
        self.format = format
        self.silence = silence
        self.queue = queue
    }

    deinit { av_audio_fifo_free(queue) }

    /// Samples of each channel that are here.
    package var count: Int { Int(av_audio_fifo_size(queue)) }

    /// Appends a frame's samples from `skip` on; they are of this queue's format.
    package func write(_ frame: Frame, skip: Int = 0, count: Int? = nil) throws(LibavError) {
        let wanted = min(count ?? .max, frame.sampleCount - skip)
        guard wanted > 0 else { return }
        try check(prism_queue_write(queue, frame.storage, Int32(clamping: skip), Int32(clamping: wanted)))
    }

    package func writeSilence(_ count: Int) throws(LibavError) {
        var left = count
        while left > 0 {
            let part = min(left, Self.silenceLength)
            try check(prism_queue_write(queue, silence.storage, 0, Int32(part)))
            left -= part
        }
    }

    /// A frame of the next `count` samples; there must be as many.
    package func read(_ count: Int) throws(LibavError) -> Frame {
        guard count > 0, count <= self.count, let frame = Frame(format, sampleCount: count) else { throw LibavError(errno: ENOMEM, operation: "queue") }
        try check(prism_queue_read(queue, frame.storage))
        return frame
    }

    private func check(_ result: Int32) throws(LibavError) {
        guard result >= 0 else { throw LibavError(code: result, operation: "queue") }
    }
}
