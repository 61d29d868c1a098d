internal import CFFmpeg

/// How one sample is kept; libav's number for it.
package struct SampleFormat: Sendable, Hashable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let signed16 = SampleFormat(rawValue: AV_SAMPLE_FMT_S16.rawValue)
    package static let signed32 = SampleFormat(rawValue: AV_SAMPLE_FMT_S32.rawValue)
    package static let planar16 = SampleFormat(rawValue: AV_SAMPLE_FMT_S16P.rawValue)
    package static let planar32 = SampleFormat(rawValue: AV_SAMPLE_FMT_S32P.rawValue)
    package static let planarFloat = SampleFormat(rawValue: AV_SAMPLE_FMT_FLTP.rawValue)

    /// "s16", "fltp".
    package var description: String { av_get_sample_fmt_name(AVSampleFormat(rawValue: rawValue)).map { String(cString: $0) } ?? "none" }

    /// Float, or wider than 16 bits.
    package var isWide: Bool { av_get_bytes_per_sample(AVSampleFormat(rawValue: rawValue)) > 2 }
}

/// What decoded samples are.
package struct AudioFormat: Sendable, Hashable {
    /// Hertz.
    package var sampleRate: Int32
    package var layout: ChannelLayout
    package var sampleFormat: SampleFormat

    package init(sampleRate: Int32, layout: ChannelLayout, sampleFormat: SampleFormat) {
        self.sampleRate = sampleRate
        self.layout = layout
        self.sampleFormat = sampleFormat
    }
}
