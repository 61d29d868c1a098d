/// Picks, out of a track's keyframes in file order, those that open segments: the first of all, then the first at least one target after it.
///
/// Where the next one can be is known in advance (``target``), so whoever looks for it may leave out all that certainly lies before.
package struct SegmentOpenings: Sendable, Equatable {
    package struct Opening: Sendable, Equatable {
        /// On the track's own axis, in ticks of its container.
        package let time: Int64
        /// Byte offset in the file to read from to get this keyframe.
        package let position: Int64

        package init(time: Int64, position: Int64) {
            self.time = time
            self.position = position
        }
    }

    /// Least length of the first segment, of the others, and the most a keyframe may come after it could have opened one; in ticks.
    package let first: Int64
    package let later: Int64
    package let largestGap: Int64

    package private(set) var openings: [Opening] = []

    package init(first: Int64, later: Int64, largestGap: Int64) {
        self.first = max(1, first)
        self.later = max(1, later)
        self.largestGap = max(1, largestGap)
    }

    /// The earliest time of the next opening; `nil` before the first, which may be at any.
    package var target: Int64? {
        openings.last.map { $0.time &+ (openings.count == 1 ? first : later) }
    }

    /// Takes the next keyframe of the file.
    ///
    /// - Returns: Whether it opens a segment.
    /// - Throws: ``KeyframeScanError/gap(ticks:)``.
    @discardableResult
    package mutating func consider(time: Int64, position: Int64) throws(KeyframeScanError) -> Bool {
        if let target {
            guard time >= target else { return false }
            try check(reached: time)
        }
        openings.append(Opening(time: time, position: position))
        return true
    }

    /// Says how far the track was read without finding the next opening.
    package func check(reached time: Int64) throws(KeyframeScanError) {
        guard let target else { return }
        let (late, overflow) = time.subtractingReportingOverflow(target)
        if overflow || late > largestGap { throw .gap(ticks: overflow ? .max : late) }
    }
}

/// Why a scan for keyframes gives no plan.
package enum KeyframeScanError: Error, Sendable, Equatable {
    /// The track's clock falls back or leaps at this time (container ticks): a joined recording, which has no one timeline.
    case clockJumps(at: Int64)
    /// No keyframe came for this long after one was due.
    case gap(ticks: Int64)
    /// No keyframe at all.
    case noKeyframe
    /// The container is laid out in a way that the scan does not follow.
    case layout(String)
}
