internal import BitsAndTime
package import Libav

/// Bits a second of what is served, where a source holds more than that: tracks that are left out, and sound in several languages of which
/// a player fetches one (RFC 8216 §4.3.4.2: any combination of renditions).
package struct ServedBitRate: Sendable, Equatable {
    package let peak: Int64
    package let average: Int64

    /// Reads it off an index that lists every sample with its size; `nil` for any other.
    ///
    /// - Parameter audio: Streams that are served, of which one plays at a time.
    init?(demuxer: Demuxer, plan: SegmentPlan, video: StreamInfo, audio: [StreamInfo]) {
        guard plan.axis == .decode, let picture = Self.bytes(demuxer, plan, video) else { return nil }
        var sound = [Int](repeating: 0, count: picture.count)
        var loudest = 0
        for stream in audio {
            guard let track = Self.bytes(demuxer, plan, stream) else { return nil }
            for k in track.indices { sound[k] = max(sound[k], track[k]) }
            loudest = max(loudest, track.reduce(0, +))
        }
        peak = Self.peak(zip(picture, sound).map { $0 + $1 }, plan)
        let length = (plan.end - plan.start).seconds
        guard length > 0, peak > 0 else { return nil }
        average = min(peak, MediaTime(seconds: Double(picture.reduce(0, +) + loudest) * 8 / length, timescale: 1).ticks)
    }

    /// Rates of tracks that are left out, as far as their container or codec states them: of all, and of those whose rate is constant.
    package static func leftOut(_ streams: [StreamInfo]) -> (average: Int64, constant: Int64) {
        streams.reduce(into: (0, 0)) { sum, stream in
            guard let rate = stream.bitRate ?? stream.metadata["BPS"].flatMap({ Int64($0) }), rate > 0, rate < 1 << 40 else { return }
            sum.average += rate
            // Their frames are all as long as their headers say; of DTS it is the core that does.
            let isConstant = stream.codecName.hasPrefix("pcm_") || ["ac3", "eac3", "dts", "mp2", "mp3"].contains(stream.codecName)
            if isConstant, let told = stream.bitRate { sum.constant += told }
        }
    }

    /// Bytes of a fragment's boxes, and of each sample's entry in them.
    private static let (fragmentOverhead, sampleOverhead) = (120, 16)

    /// Bytes of a stream in each planned segment; `nil` where the index does not reach the last one or gives no sizes.
    private static func bytes(_ demuxer: Demuxer, _ plan: SegmentPlan, _ stream: StreamInfo) -> [Int]? {
        let entries = demuxer.indexEntries(streamIndex: stream.index)
        let base = TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator)
        guard let last = entries.last, last.byteCount > 0, let opening = plan.segments.last else { return nil }
        guard stream.kind != .video || base.ticks(last.timestamp, at: plan.timescale) >= opening.indexTime else { return nil }
        var bytes = [Int](repeating: fragmentOverhead, count: plan.segments.count)
        for entry in entries { bytes[plan.segment(atIndexTime: base.ticks(entry.timestamp, at: plan.timescale)) ?? 0] += entry.byteCount + sampleOverhead }
        return bytes
    }

    /// The highest rate of any run of segments that lasts between half and one and a half target durations (RFC 8216 §4.1), or of one longer segment.
    private static func peak(_ bytes: [Int], _ plan: SegmentPlan) -> Int64 {
        let (shortest, longest) = (SegmentPlan.target.seconds / 2, SegmentPlan.target.seconds * 3 / 2)
        var peak = 0.0
        for from in bytes.indices {
            var (sum, length) = (0, 0.0)
            for k in from..<bytes.count {
                sum += bytes[k]
                length += plan.segments[k].duration.seconds
                if length > longest, k > from { break }
                let isWholeFilm = from == 0 && k == bytes.count - 1
                if length >= shortest || isWholeFilm, length > 0 { peak = max(peak, Double(sum) * 8 / length) }
            }
        }
        // Saturates: a table may give a gigabyte to a sample that lasts for one tick.
        return MediaTime(seconds: peak, timescale: 1).ticks
    }
}
