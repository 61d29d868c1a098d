/// How a source is opened and probed.
package struct DemuxerOptions: Sendable {
    /// Sent with every HTTP request for this source. A name or value with a line break or NUL is refused at opening.
    package var httpHeaders: [(name: String, value: String)]
    /// Bytes read at most to learn the streams; at least 32.
    package var probeSizeBytes: Int64
    /// Seconds of media looked at, at most, to learn the streams.
    package var analyzeDuration: Double
    /// libav's short name of the demuxer to use ("mov", "matroska"); nil lets the content decide.
    package var formatName: String?
    /// Derives presentation times a container leaves out (AVI), by reading ahead to the next decode times.
    package var generatesMissingPTS: Bool
    /// Options of libav's demuxers and protocols by its names ("ignore_editlist": "1"). They win over the properties
    /// above except the headers; names nobody knows are ignored. Values are never logged, but libav is trusted with them.
    package var extra: [String: String]

    package init(
        httpHeaders: [(name: String, value: String)] = [], probeSizeBytes: Int64 = 4 << 20, analyzeDuration: Double = 2,
        formatName: String? = nil, generatesMissingPTS: Bool = false, extra: [String: String] = [:]
    ) {
        self.httpHeaders = httpHeaders
        self.probeSizeBytes = probeSizeBytes
        self.analyzeDuration = analyzeDuration
        self.formatName = formatName
        self.generatesMissingPTS = generatesMissingPTS
        self.extra = extra
    }

    /// The headers as libav's `headers` option wants them; nil when one of them would forge another.
    var headerField: String? {
        var field = ""
        for (name, value) in httpHeaders {
            guard !name.isEmpty, !(name + value).utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }),
                !name.utf8.contains(UInt8(ascii: ":"))
            else { return nil }
            field += "\(name): \(value)\r\n"
        }
        return field
    }
}
