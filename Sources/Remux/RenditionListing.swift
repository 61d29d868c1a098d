package import BitsAndTime

/// What a session without a plan lists of one rendition: entries join at the end and, in a sliding window, leave at the front.
package struct RenditionListing: Sendable {
    /// One entry of a media playlist, and the stretch of the session that it stands for.
    package struct Entry: Sendable, Equatable {
        /// The segments whose time it covers, never none. More than one where the rendition had nothing in the earlier ones: a segment
        /// without samples makes GStreamer and Chromium stop for good, so its time is folded into the next entry.
        package let segments: Range<Int>
        package let start: MediaTime
        package let duration: MediaTime
        package let byteCount: Int

        /// The number its file is named by: that of the segment whose samples it holds. Folded segments leave their number out.
        package var index: Int { segments.upperBound - 1 }
        package var end: MediaTime { start + duration }
    }

    /// TARGETDURATION of a playlist whose later segments are not known, in seconds: twice the shortest segment, which keyframes up to six
    /// seconds apart stay within. Said from the first version on, because the value must not change (RFC 8216 §6.2.1); a source whose
    /// keyframes lie further apart raises it all the same, because an EXTINF above it is worse (§4.3.3.1): clients may then drop the
    /// playlist, where a raised value makes them reload more slowly. It never falls again, whatever leaves the window.
    package static let minimumTarget = 12

    package private(set) var entries: [Entry] = []
    /// Entries that have left the front: EXT-X-MEDIA-SEQUENCE.
    package private(set) var removedCount = 0
    /// TARGETDURATION: the longest entry ever listed, rounded as RFC 8216 §4.3.3.1 says.
    package private(set) var targetSeconds = Self.minimumTarget
    /// The segment behind the last entry, listed or not.
    package private(set) var end = 0
    /// When the last entry ended; `nil` before the first.
    private(set) var endTime: MediaTime?

    package init() {}

    package var duration: MediaTime { entries.reduce(.zero) { $0 + $1.duration } }
    package var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

    /// Three target durations, which a playlist that still grows may not fall below (RFC 8216 §6.2.2).
    package var minimumDuration: MediaTime { MediaTime(ticks: Int64(targetSeconds) * 3, timescale: 1) }

    /// The first segment that must stay listed for three target durations to remain; `nil` while nothing is listed.
    var floor: Int? {
        var left = MediaTime.zero
        for entry in entries.reversed() {
            left = left + entry.duration
            if left >= minimumDuration { return entry.segments.lowerBound }
        }
        return entries.first?.segments.lowerBound
    }

    /// Lists a segment's file. One already behind the end is passed over.
    ///
    /// - Parameters:
    ///   - front: The first segment still listed anywhere: nothing is listed from before it.
    ///   - frontStart: When that one begins; `nil` when it is not known yet.
    ///   - foldsTime: Whether the time since the last entry is this one's, as of a rendition that may pause. Otherwise it lasts what it lasts.
    mutating func append(
        segment: Int, start: MediaTime, duration: MediaTime, byteCount: Int, front: Int, frontStart: MediaTime?, foldsTime: Bool
    ) {
        guard segment >= end, segment >= front else { return }
        let segments = max(end, front)..<segment + 1
        var begin = start
        if foldsTime {
            // The sum of a playlist's durations is its clock, so that it lines up with the others' whatever was folded.
            if let endTime, end >= front { begin = endTime } else if let frontStart { begin = min(start, frontStart) }
        }
        let stop = start + duration
        let listed = max(stop - begin, MediaTime(ticks: 1, timescale: duration.timescale))
        entries.append(Entry(segments: segments, start: begin, duration: listed, byteCount: byteCount))
        end = segment + 1
        endTime = begin + listed
        targetSeconds = max(targetSeconds, Int(clamping: MediaTime.rescale(listed.ticks, from: listed.timescale, to: 1)))
    }

    /// Removes the entries before a segment that none of them straddles.
    mutating func removeEntries(before front: Int) -> ArraySlice<Entry> {
        let count = entries.firstIndex { $0.segments.lowerBound >= front } ?? entries.count
        let removed = entries[..<count]
        entries.removeFirst(count)
        removedCount += count
        return removed
    }

    /// The entry that begins before `segment` and ends behind it.
    func entry(straddling segment: Int) -> Entry? { entries.first { $0.segments.lowerBound < segment && $0.segments.upperBound > segment } }

    func entry(file index: Int) -> Entry? { entries.first { $0.index == index } }
}
