internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Owns the AVIO context that lets libav read a ``DemuxerInput``; must outlive the format context that uses it.
final class InputBridge {
    let avio: UnsafeMutablePointer<AVIOContext>
    private let callbacks: Callbacks

    /// What the C callbacks see; it holds no reference back.
    private final class Callbacks {
        let input: any DemuxerInput
        let interrupter: Interrupter

        init(input: any DemuxerInput, interrupter: Interrupter) {
            self.input = input
            self.interrupter = interrupter
        }

        func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
            guard interrupter.interruption == nil else { return PRISM_AVERROR_EXIT }
            guard let buffer, count > 0 else { return prism_averror(EINVAL) }
            do throws(LibavError) {
                let got = try input.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
                return got > 0 ? Int32(min(got, Int(count))) : PRISM_AVERROR_EOF
            } catch {
                return error.code < 0 ? error.code : prism_averror(EIO)
            }
        }

        func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            if whence & AVSEEK_SIZE != 0 { return input.byteCount ?? Int64(prism_averror(ENOSYS)) }
            guard whence & ~AVSEEK_FORCE == SEEK_SET, offset >= 0 else { return Int64(prism_averror(EINVAL)) }
            do throws(LibavError) {
                try input.seek(to: offset)
                return offset
            } catch {
                return Int64(error.code < 0 ? error.code : prism_averror(EIO))
            }
        }
    }

    init(input: any DemuxerInput, interrupter: Interrupter) throws(LibavError) {
        let callbacks = Callbacks(input: input, interrupter: interrupter)
        let capacity = 32 << 10
        guard let buffer = av_malloc(capacity) else { throw LibavError(errno: ENOMEM, operation: "open") }
        let opaque = Unmanaged.passUnretained(callbacks).toOpaque()
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(capacity), 0, opaque,
            { opaque, buffer, count in
                guard let opaque else { return PRISM_AVERROR_EXIT }
                return Unmanaged<Callbacks>.fromOpaque(opaque).takeUnretainedValue().read(buffer, count)
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return Int64(PRISM_AVERROR_EXIT) }
                return Unmanaged<Callbacks>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        guard let context else {
            av_free(buffer)
            throw LibavError(errno: ENOMEM, operation: "open")
        }
        context.pointee.seekable = input.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
        avio = context
        self.callbacks = callbacks
    }

    deinit {
        av_freep(&avio.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = avio
        avio_context_free(&context)
    }
}
