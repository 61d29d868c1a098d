internal import BitsAndTime
internal import HLS

/// What may differ between a playlist and the same one a little later (RFC 8216 §6.2.1, §6.2.2): segments at the end, fewer at the front.
enum ReloadCheck {
    static func check(before: MediaPlaylistModel, after: MediaPlaylistModel, at place: Place, into findings: inout Findings) {
        if before.target != after.target {
            findings.add(
                .targetChanged, place, "TARGETDURATION was \(before.target.map(String.init) ?? "missing") and is \(after.target.map(String.init) ?? "missing")")
        }
        if before.type != after.type { findings.add(.typeChanged, place, "PLAYLIST-TYPE was \(before.type ?? "missing") and is \(after.type ?? "missing")") }
        if before.isEnded, !after.isEnded { findings.add(.endTaken, place, "EXT-X-ENDLIST was there and is gone") }
        let removed = after.mediaSequence - before.mediaSequence
        guard removed >= 0 else {
            findings.add(.sequenceBack, place, "MEDIA-SEQUENCE went from \(before.mediaSequence) back to \(after.mediaSequence)")
            return
        }
        if before.isEnded || before.type == "VOD" {
            if removed > 0 || !same(before.segments, after.segments) { findings.add(.completeChanged, place, "a complete playlist changed") }
            return
        }
        if removed > 0, before.type == "EVENT" { findings.add(.eventShortened, place, "an EVENT playlist lost its first \(removed) segments") }
        if removed > before.segments.count { return }  // Nothing in common: too late to say.
        let kept = before.segments.dropFirst(removed)
        for (offset, segment) in kept.enumerated() {
            guard after.segments.indices.contains(offset) else {
                findings.add(.endShortened, place, "segments from number \(after.mediaSequence + offset) on are gone from the end")
                break
            }
            // The first one may lose the discontinuity before it: that is what DISCONTINUITY-SEQUENCE counts.
            let keepsCut = after.segments[offset].isDiscontinuity == segment.isDiscontinuity || offset == 0 && segment.isDiscontinuity
            if !after.segments[offset].isSame(as: segment) || !keepsCut {
                let now = after.segments[offset]
                findings.add(
                    .segmentChanged, place, "number \(after.mediaSequence + offset) was \(described(segment)) and is \(described(now))")
                break
            }
        }
        guard removed > 0 else { return }
        var cuts = before.segments.prefix(removed).count(where: \.isDiscontinuity)
        if let first = kept.first, first.isDiscontinuity, after.segments.first?.isDiscontinuity == false { cuts += 1 }
        let (was, now) = (before.discontinuitySequence ?? 0, after.discontinuitySequence ?? 0)
        if now != was + cuts { findings.add(.discontinuityCount, place, "\(cuts) discontinuities left, DISCONTINUITY-SEQUENCE went from \(was) to \(now)") }
        if let target = after.target, after.total < MediaTime(ticks: Int64(target) * 3, timescale: 1), !after.isEnded {
            findings.add(
                .windowShort, place, "segments were taken from the front, and \(MediaPlaylistCheck.seconds(after.total)) are left: less than three target durations")
        }
    }

    private static func same(_ a: [MediaPlaylistModel.Segment], _ b: [MediaPlaylistModel.Segment]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) && $0.isDiscontinuity == $1.isDiscontinuity }
    }

    private static func described(_ segment: MediaPlaylistModel.Segment) -> String {
        "\(segment.uri) of \(segment.duration.map(MediaPlaylistCheck.seconds) ?? "no duration")\(segment.isDiscontinuity ? " after a discontinuity" : "")"
    }
}

extension Rule {
    static let targetChanged = Rule("reload.target", .must, "RFC 8216 §6.2.1", fix: "Choose TARGETDURATION once.")
    static let typeChanged = Rule("reload.type", .must, "RFC 8216 §6.2.1", fix: "Keep EXT-X-PLAYLIST-TYPE.")
    static let endTaken = Rule("reload.end", .must, "RFC 8216 §6.2.1", fix: "Keep EXT-X-ENDLIST.")
    static let sequenceBack = Rule("reload.sequence", .must, "RFC 8216 §6.2.1, §6.2.2", fix: "Count MEDIA-SEQUENCE up only, by one for each segment removed.")
    static let completeChanged = Rule("reload.complete", .must, "RFC 8216 §4.3.3.4, §4.3.3.5", fix: "Leave a complete playlist as it is.")
    static let eventShortened = Rule("reload.event", .must, "RFC 8216 §4.3.3.5, §6.2.1", fix: "Only append, or leave PLAYLIST-TYPE out.")
    static let endShortened = Rule("reload.appended", .must, "RFC 8216 §6.2.1", fix: "Remove from the front only.")
    static let segmentChanged = Rule("reload.segment", .must, "RFC 8216 §6.2.1, §6.2.2", fix: "Keep a segment's URI, duration and number while it is listed.")
    static let discontinuityCount = Rule(
        "reload.discontinuity", .must, "RFC 8216 §6.2.2", fix: "Count DISCONTINUITY-SEQUENCE up for each discontinuity that leaves.")
    static let windowShort = Rule("reload.window", .must, "RFC 8216 §6.2.2", fix: "Keep at least three target durations.")
}
