internal import BitsAndTime

/// Where segments begin: told by a plan, or found while reading.
package enum CutSchedule: Sendable {
    case planned(SegmentPlan)
    /// No plan: cut at the first keyframe late enough after the open segment's start.
    case sequential

    /// The segment that a keyframe opens or lies in.
    ///
    /// - Parameters:
    ///   - current: The open segment and its first keyframe's presentation time; `nil` before the first.
    func segment(ofKeyframe sample: VideoSample, current: (index: Int, start: MediaTime)?) -> Int? {
        switch self {
        case .planned(let plan):
            guard let time = plan.axis == .presentation ? sample.sourcePTS : sample.sourceDTS else { return current?.index }
            return plan.segment(atIndexTime: time)
        case .sequential:
            guard let current else { return 0 }
            if sample.change != nil { return current.index + 1 }
            // An edit list's next piece, which begins before the one it follows has ended.
            if sample.isHidden { return current.index }
            let since = sample.presentation - current.start
            return since >= (current.index == 0 ? SegmentPlan.firstTarget : SegmentPlan.target) ? current.index + 1 : current.index
        }
    }
}
