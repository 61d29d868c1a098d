internal import CFFmpeg
internal import Synchronization

/// A remote source of known length that can be read in pieces beside its demuxer, through libavformat's own protocols: with the same
/// headers, cookies, TLS, proxies and ``Interrupter``, at the place the demuxer was sent on to.
///
/// For several threads at once; each has a ``RangeReader`` of its own.
package final class RangeSource: Sendable {
    package let byteCount: Int64
    /// Asked for so far, for reports and tests.
    package var requests: Int { counts.requests.load(ordering: .relaxed) }
    package var bytesRead: Int64 { counts.bytes.load(ordering: .relaxed) }

    let address: String
    let options: [(name: String, value: String)]
    let interrupter: Interrupter
    let counts = Counts()

    final class Counts: Sendable {
        let requests = Atomic<Int>(0)
        let bytes = Atomic<Int64>(0)
    }

    /// - Parameters:
    ///   - demuxer: open on the source.
    ///   - url, options: what it was opened with.
    /// - Returns: `nil` for anything but an address of `http` or `https` whose server answers ranges and says how long the source is.
    package init?(demuxer: Demuxer, url: String, options: DemuxerOptions) {
        let lower = url.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://"), let input = demuxer.context.pointee.pb, demuxer.isSeekable,
            let length = demuxer.containerByteCount, let headers = options.headerField
        else { return nil }
        byteCount = length
        interrupter = demuxer.interrupter
        address = RangeSource.option("location", of: input) ?? url
        var all = options.extra.map { (name: $0.key, value: $0.value) }
        if let cookies = RangeSource.option("cookies", of: input) { all.append(("cookies", cookies)) }
        if !headers.isEmpty { all.append(("headers", headers)) }
        self.options = all
    }

    private static func option(_ name: String, of input: UnsafeMutablePointer<AVIOContext>) -> String? {
        var value: UnsafeMutablePointer<UInt8>?
        guard av_opt_get(input, name, AV_OPT_SEARCH_CHILDREN, &value) >= 0, let value else { return nil }
        defer { av_free(value) }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

/// One thread's reading of a ``RangeSource``. What lies further on in the same answer is read on to, not asked for again.
package final class RangeReader {
    private let source: RangeSource
    private var input: UnsafeMutablePointer<AVIOContext>?
    private var position: Int64 = 0
    private var end: Int64 = 0

    package init(source: RangeSource) { self.source = source }

    deinit { avio_closep(&input) }

    /// Fills the front of `buffer` (never empty) from `offset`; 0 is at or behind the end of the source.
    ///
    /// - Parameter reach: bytes asked for when a new request has to be sent, of which as many may be read later.
    /// - Throws: ``LibavError`` with operation "read a range".
    package func read(at offset: Int64, reach: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(LibavError) -> Int {
        guard offset >= 0, offset < source.byteCount, let start = buffer.baseAddress else { return 0 }
        if input == nil || offset < position || offset >= end { try open(at: offset, reach: max(reach, Int64(buffer.count))) }
        let wanted = Int(min(Int64(min(buffer.count, Int(Int32.max))), end - offset))
        if offset > position {
            let moved = avio_skip(input, offset - position)
            guard moved >= 0 else { throw failure(Int32(clamping: moved)) }
            position = offset
        }
        let got = avio_read(input, start.assumingMemoryBound(to: UInt8.self), Int32(wanted))
        guard got > 0 else {
            avio_closep(&input)
            // Asked for less than there is: an answer that ends here is cut short, not the source's end.
            throw failure(got == 0 ? PRISM_AVERROR_EOF : got)
        }
        position += Int64(got)
        source.counts.bytes.add(Int64(got), ordering: .relaxed)
        return Int(got)
    }

    private func open(at offset: Int64, reach: Int64) throws(LibavError) {
        avio_closep(&input)
        guard source.interrupter.interruption == nil else { throw failure(PRISM_AVERROR_EXIT) }
        end = source.byteCount - offset <= reach ? source.byteCount : offset + reach
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (name, value) in source.options { av_dict_set(&dictionary, name, value, 0) }
        av_dict_set_int(&dictionary, "offset", offset, 0)
        av_dict_set_int(&dictionary, "end_offset", end, 0)
        var interrupt = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Interrupter>.fromOpaque(opaque).takeUnretainedValue().interruption == nil ? 0 : 1
            }, opaque: Unmanaged.passUnretained(source.interrupter).toOpaque())
        source.counts.requests.add(1, ordering: .relaxed)
        let result = avio_open2(&input, source.address, AVIO_FLAG_READ, &interrupt, &dictionary)
        guard result >= 0 else { throw failure(result) }
        position = offset
    }

    private func failure(_ code: Int32) -> LibavError { LibavError(code: code, operation: "read a range", interrupter: source.interrupter) }
}
