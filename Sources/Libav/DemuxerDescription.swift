package import BitsAndTime
internal import CFFmpeg

/// A named span of the source's presentation.
package struct Chapter: Sendable, Hashable {
    package let title: String?
    package let start: MediaTime
    /// Nil when the container does not say.
    package let end: MediaTime?

    package init(title: String?, start: MediaTime, end: MediaTime?) {
        self.title = title
        self.start = start
        self.end = end
    }
}

extension Demuxer {
    /// libav's short names of the container, comma-separated ("matroska,webm").
    package var formatName: String {
        guard let name = context.pointee.iformat?.pointee.name else { return "" }
        return String(cString: name)
    }

    /// In microseconds; may be an estimate from the bit rate. Nil when unknown.
    package var duration: MediaTime? { microseconds(context.pointee.duration) }

    /// The earliest presentation time of any stream, in microseconds. Nil before ``findStreamInfo()`` or when unknown.
    package var startTime: MediaTime? { microseconds(context.pointee.start_time) }

    /// Bits a second over all streams, nil when unknown.
    package var bitRate: Int64? { context.pointee.bit_rate > 0 ? context.pointee.bit_rate : nil }

    /// Whether ``seek(streamIndex:timestamp:backward:)`` can move back.
    package var isSeekable: Bool {
        if let input = context.pointee.pb { return input.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 }
        // No input of its own (HLS, DASH): the demuxer says it.
        return context.pointee.ctx_flags & AVFMTCTX_UNSEEKABLE == 0
    }

    /// A guess that the source has no known end: neither a duration nor a length, as live HLS, a broadcast over HTTP and a
    /// pipe. Ask after ``findStreamInfo()``.
    package var isLikelyLive: Bool { duration == nil && containerByteCount == nil }

    /// Length of the source in bytes, nil when unknown. Never reads.
    package var containerByteCount: Int64? {
        guard let input = context.pointee.pb else { return nil }
        let size = avio_size(input)
        return size > 0 ? size : nil
    }

    package var metadata: [String: String] { Demuxer.entries(context.pointee.metadata) }

    package var chapters: [Chapter] {
        (0..<Int(context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = context.pointee.chapters?[index]?.pointee,
                let start = Demuxer.time(chapter.start, chapter.time_base)
            else { return nil }
            let end = chapter.end > chapter.start ? Demuxer.time(chapter.end, chapter.time_base) : nil
            return Chapter(title: Demuxer.entries(chapter.metadata)["title"], start: start, end: end)
        }
    }

    /// What is known of each stream now; a container may add streams while it is read.
    package var streams: [StreamInfo] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            stream(at: index).map { StreamInfo($0, of: context) }
        }
    }

    /// Values that are not UTF-8 are repaired, not dropped.
    static func entries(_ dictionary: OpaquePointer?) -> [String: String] {
        var found: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            if let key = next.pointee.key, let value = next.pointee.value {
                found[String(cString: key)] = String(cString: value)
            }
            entry = next
        }
        return found
    }

    private func microseconds(_ value: Int64) -> MediaTime? {
        value == PRISM_NOPTS_VALUE ? nil : MediaTime(ticks: value, timescale: 1_000_000)
    }

    /// Exact for a time base of one over something, else in microseconds.
    private static func time(_ ticks: Int64, _ base: AVRational) -> MediaTime? {
        guard ticks != PRISM_NOPTS_VALUE, base.num > 0, base.den > 0 else { return nil }
        if base.num == 1 { return MediaTime(ticks: ticks, timescale: base.den) }
        return MediaTime(ticks: av_rescale_q(ticks, base, AVRational(num: 1, den: 1_000_000)), timescale: 1_000_000)
    }
}
