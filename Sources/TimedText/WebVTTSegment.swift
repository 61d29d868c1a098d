package import BitsAndTime

/// Writes one segment of a WebVTT rendition.
///
/// The bytes follow from the cues and the origin alone. Cues are written by their begin, those that begin together as they were given; the same cue
/// given twice is written once, and cues that overlap stay as they are. Begin and end are rounded alike to the nearest millisecond, so that cues
/// that follow one another still do; what would vanish by it lasts one millisecond.
///
/// Source: RFC 8216, clause 3.5; W3C WebVTT, clause 4.1.
package enum WebVTTSegment {
    /// What a cue without a known end lasts.
    package static let unknownDuration = MediaTime(ticks: 3, timescale: 1)

    /// - Parameters:
    ///   - cues: On the presentation's axis, which zero of the local times is. What begins before zero begins at zero; what ends by then,
    ///     what holds nothing to read, and what no reader takes for a time (beyond a thousand years), is left out.
    ///   - origin: Where `local` lies on the media's own axis; written in 90 kHz ticks, modulo 2³³.
    ///   - local: A time of the cues' axis, zero or above.
    package static func written(_ cues: [TextCue], origin: MediaTime, local: MediaTime = .zero) -> [UInt8] {
        let ticks = UInt64(bitPattern: origin.converted(to: 90_000).ticks) & (1 << 33 - 1)
        let place = WebVTTTimestamp.text(milliseconds: WebVTTTimestamp.milliseconds(local))
        var output = Array("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(ticks),LOCAL:\(place)\n\n".utf8)
        var entries: [(start: Int64, order: Int, block: String)] = []
        var seen: Set<String> = []
        for cue in cues {
            guard let (start, block) = block(cue), seen.insert(block).inserted else { continue }
            entries.append((start, entries.count, block))
        }
        entries.sort { ($0.start, $0.order) < ($1.start, $1.order) }
        for entry in entries { output += entry.block.utf8 }
        return output
    }

    /// One cue with the empty line behind it; `nil` for one that cannot be seen.
    private static func block(_ cue: TextCue) -> (start: Int64, block: String)? {
        let start = WebVTTTimestamp.milliseconds(cue.start)
        let stop = cue.end ?? cue.start + unknownDuration
        guard stop > cue.start, stop > .zero, start < WebVTTTimestamp.limit else { return nil }
        let end = min(max(WebVTTTimestamp.milliseconds(stop), start + 1), WebVTTTimestamp.limit)
        let payload = WebVTTCueText.written(cue.text)
        guard !payload.isEmpty else { return nil }
        // Read again, since a source wrote them: what is not of the grammar does not come through.
        let settings = cue.settings.map { WebVTTCueSettings(parsing: $0) } ?? cue.placement.map { WebVTTCueSettings($0) } ?? WebVTTCueSettings()
        let words = settings.text
        let times = "\(WebVTTTimestamp.text(milliseconds: start)) --> \(WebVTTTimestamp.text(milliseconds: end))"
        return (start, times + (words.isEmpty ? "" : " " + words) + "\n" + payload + "\n\n")
    }
}
