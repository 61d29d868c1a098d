internal import BitsAndTime

/// Whether the media's times go on from segment to segment and keep what the playlist says (RFC 8216 §4.3.2.1, §6.2.4; Apple 7.1, 7.3, 8.1).
enum TimelineCheck {
    /// How far a segment may begin from where the playlist puts it before players stumble.
    static let driftLimit = MediaTime(ticks: 500, timescale: 1000)
    private static let rounding = MediaTime(ticks: 5, timescale: 1000)

    /// Where playlist time zero lies on the media's timeline, by discontinuity: as the first rendition with fragments has it.
    static func origins(_ renditions: [RenditionRecord]) -> [Int: MediaTime] {
        var origins: [Int: MediaTime] = [:]
        for rendition in renditions where rendition.role == .main || rendition.role == .audio || rendition.role == .video {
            for segment in rendition.segments where origins[segment.epoch] == nil {
                if let run = segment.facts?.run(rendition.leading) { origins[segment.epoch] = run.openingPresentation - segment.listedStart }
            }
        }
        return origins
    }

    static func check(_ rendition: RenditionRecord, origins: [Int: MediaTime], into findings: inout Findings) {
        var previous: (record: RenditionRecord.SegmentRecord, run: SegmentFacts.Run)?
        var lastSequence: (number: UInt32, epoch: Int)?
        for (index, record) in rendition.segments.enumerated() {
            if let numbers = record.facts?.sequenceNumbers, let first = numbers.first {
                let falls = zip(numbers, numbers.dropFirst()).contains { $0 >= $1 }
                if falls || lastSequence.map({ $0.epoch == record.epoch && $0.number >= first }) ?? false {
                    findings.add(.sequenceNumber, Place(record.uri, box: "moof/mfhd"), "sequence number \(first) after \(lastSequence?.number ?? first)")
                }
                lastSequence = numbers.last.map { ($0, record.epoch) }
            }
            guard let run = record.facts?.run(rendition.leading) else {
                previous = nil
                continue
            }
            if let before = previous, before.record.epoch == record.epoch, before.record.number + 1 == record.number {
                checkContinuity(before.run, run, at: Place(record.uri, box: "moof/traf/tfdt"), into: &findings)
            }
            previous = (record, run)
            let drifted = checkPosition(record, run, origins: origins, into: &findings)
            if !drifted { checkDuration(rendition, index: index, run, into: &findings) }
        }
    }

    private static func checkContinuity(_ before: SegmentFacts.Run, _ run: SegmentFacts.Run, at place: Place, into findings: inout Findings) {
        let gap = run.decodeStart - before.decodeEnd
        if gap > max(before.longest, rounding) {
            findings.add(
                run.media == .video ? .pictureGap : .soundGap, place,
                "it begins at \(seconds(run.decodeStart)), the one before ends at \(seconds(before.decodeEnd))")
        } else if -gap > max(half(before.longest), rounding) {
            findings.add(.overlap, place, "it begins at \(seconds(run.decodeStart)), the one before ends at \(seconds(before.decodeEnd))")
        }
    }

    /// - Returns: Whether it is far off.
    private static func checkPosition(
        _ record: RenditionRecord.SegmentRecord, _ run: SegmentFacts.Run, origins: [Int: MediaTime], into findings: inout Findings
    ) -> Bool {
        guard let origin = origins[record.epoch] else { return false }
        let promised = record.listedStart + origin
        // Pictures shown before the opening one belong to the segment: its presentation may begin with either.
        let early = run.presentationStart - promised, late = promised - run.openingPresentation
        guard early > driftLimit || late > driftLimit else { return false }
        findings.add(
            .drift, Place(record.uri, box: "moof/traf/tfdt"),
            "it begins at \(seconds(run.openingPresentation)), the playlist and the first rendition say \(seconds(promised))")
        return true
    }

    private static func checkDuration(_ rendition: RenditionRecord, index: Int, _ run: SegmentFacts.Run, into findings: inout Findings) {
        let record = rendition.segments[index]
        let next = rendition.segments.indices.contains(index + 1) ? rendition.segments[index + 1] : nil
        let following = next.flatMap { $0.epoch == record.epoch ? $0.facts?.run(rendition.leading) : nil }
        let actual = (following?.openingPresentation ?? run.presentationEnd) - run.openingPresentation
        let difference = actual - record.duration
        // The last segment may be listed as long as the longest rendition's.
        let isLast = index == rendition.segments.count - 1
        if difference < .zero, isLast { return }
        let exact = run.longest + run.longest + rounding
        if difference > exact + driftLimit || -difference > exact + driftLimit {
            findings.add(.durationWrong, Place(record.uri), "it lasts \(seconds(actual)), EXTINF says \(seconds(record.duration))")
        } else if difference > exact || -difference > exact {
            findings.add(.durationInexact, Place(record.uri), "it lasts \(seconds(actual)), EXTINF says \(seconds(record.duration))")
        }
    }

    private static func half(_ time: MediaTime) -> MediaTime { MediaTime(ticks: time.ticks / 2, timescale: time.timescale) }
    private static func seconds(_ time: MediaTime) -> String { MediaPlaylistCheck.seconds(time) }
}

extension Rule {
    static let sequenceNumber = Rule("timeline.sequence-number", .should, "ISO/IEC 14496-12 §8.8.5", fix: "Count mfhd's sequence_number up.")
    static let pictureGap = Rule(
        "timeline.gap", .must, "RFC 8216 §4.3.2.3, Apple HLS Authoring 7.1, 7.3", fix: "Begin each segment where the one before ends, or mark a discontinuity.")
    static let soundGap = Rule("timeline.sound-gap", .should, "Apple HLS Authoring 7.1, 7.3", fix: "Fill the hole with silence.")
    static let overlap = Rule(
        "timeline.overlap", .must, "RFC 8216 §4.3.2.3, Apple HLS Authoring 7.3", fix: "Begin each segment where the one before ends, or mark a discontinuity.")
    static let drift = Rule("timeline.drift", .must, "RFC 8216 §4.3.2.1, §6.2.4", fix: "Let tfdt, edit list and EXTINF agree in every rendition.")
    static let durationWrong = Rule("timeline.duration", .must, "RFC 8216 §4.3.2.1", fix: "State how long the segment is.")
    static let durationInexact = Rule(
        "timeline.duration-inexact", .should, "RFC 8216 §4.3.2.1, Apple HLS Authoring 8.1", fix: "State durations to a picture's length.")
}
