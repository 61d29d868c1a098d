internal import CFFmpeg

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Reads all bytes of a file or an address in one go, through libavformat's protocols.
package enum WholeFile {
    /// How long a server may send nothing: one that makes the file while it is asked for needs time.
    private static let silenceLimitMicroseconds: Int64 = 120_000_000

    /// - Parameters:
    ///   - url: As for a ``Demuxer``.
    ///   - limit: Bytes at most.
    /// - Throws: ``LibavError`` with operation "read a file"; of kind `.invalidData` for one that is larger.
    package static func read(
        _ url: String, options: DemuxerOptions = DemuxerOptions(), atMost limit: Int, interrupter: Interrupter
    ) throws(LibavError) -> [UInt8] {
        func failure(_ code: Int32) -> LibavError { LibavError(code: code, operation: "read a file", interrupter: interrupter) }
        guard let headers = options.headerField else { throw failure(prism_averror(EINVAL)) }
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (name, value) in options.extra { av_dict_set(&dictionary, name, value, 0) }
        if !headers.isEmpty { av_dict_set(&dictionary, "headers", headers, 0) }
        av_dict_set_int(&dictionary, "rw_timeout", silenceLimitMicroseconds, 0)
        var interrupt = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Interrupter>.fromOpaque(opaque).takeUnretainedValue().interruption == nil ? 0 : 1
            }, opaque: Unmanaged.passUnretained(interrupter).toOpaque())
        var input: UnsafeMutablePointer<AVIOContext>?
        defer { avio_closep(&input) }
        let opened = avio_open2(&input, url, AVIO_FLAG_READ, &interrupt, &dictionary)
        guard opened >= 0 else { throw failure(opened) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let got = buffer.withUnsafeMutableBufferPointer { avio_read(input, $0.baseAddress, Int32($0.count)) }
            if got == 0 || got == PRISM_AVERROR_EOF { return bytes }
            guard got > 0 else { throw failure(got) }
            guard bytes.count + Int(got) <= limit else { throw failure(PRISM_AVERROR_INVALIDDATA) }
            bytes += buffer[..<Int(got)]
        }
    }
}
