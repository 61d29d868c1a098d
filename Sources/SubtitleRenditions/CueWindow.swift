package import BitsAndTime
package import Remux

/// Which part of a source has to be read for a segment's cues. Pure.
package struct CueWindow: Sendable {
    /// How far before a segment a cue may begin that is listed in it; `nil` where the container finds every one that is still shown.
    ///
    /// A bound that depends on the container alone: what a segment lists must not depend on what else was read.
    package let reach: MediaTime?
    /// How much later in the source than the pictures shown with it a cue may lie.
    package let slack: MediaTime
    /// How much earlier than a cue reading has to begin for it to come out right: what decoders with a memory need.
    package let runIn: MediaTime

    package init(reach: MediaTime?, slack: MediaTime, runIn: MediaTime = .zero) {
        self.reach = reach
        self.slack = slack
        self.runIn = runIn
    }

    /// What is read before a segment.
    package var margin: MediaTime { (reach ?? .zero) + runIn + slack }

    /// - Parameter formatName: libavformat's.
    package init(formatName: String) {
        let names = formatName.split(separator: ",")
        if names.contains("mov") {
            // Each track has a table of its own, and its samples follow each other without holes (ISO/IEC 14496-12 §8.6.1).
            self.init(reach: nil, slack: MediaTime(ticks: 1, timescale: 1))
        } else {
            self.init(reach: MediaTime(ticks: 30, timescale: 1), slack: MediaTime(ticks: names.contains("mpegts") ? 3 : 1, timescale: 1))
        }
    }

    /// The segments of `plan` whose cues are shown in a segment when all come later by `delay`.
    package func segments(_ index: Int, of plan: SegmentPlan, delay: MediaTime) -> ClosedRange<Int> {
        let segment = plan.segments[index]
        let first = plan.segment(at: segment.start - delay), last = plan.segment(at: segment.end - delay)
        // One that begins where this one ends shows nothing in it.
        let isPast = last > first && plan.segments[last].start >= segment.end - delay
        return first...(isPast ? last - 1 : max(first, last))
    }
}
