package import BitsAndTime

/// Every segment of a source, known before the first packet is read.
///
/// Segment *k* holds the video from the first random-access picture at or after `segments[k].indexTime` up to the one that
/// opens segment *k + 1*, and the audio frames whose start lies in its presentation interval. Both rules look at the source
/// alone, so that any two productions of a segment agree.
package struct SegmentPlan: Sendable, Equatable {
    package struct Segment: Sendable, Equatable {
        /// Where the opening keyframe is, on the index's own axis, in ticks of the plan's timescale.
        package let indexTime: Int64
        /// Start and end on the source's presentation axis.
        package let start: MediaTime
        package let end: MediaTime
        /// Byte offset to read from, for containers that are entered by place and not by time.
        package let position: Int64?

        package init(indexTime: Int64, start: MediaTime, end: MediaTime, position: Int64? = nil) {
            self.indexTime = indexTime
            self.start = start
            self.end = end
            self.position = position
        }

        package var duration: MediaTime { end - start }
    }

    /// Why an index was not believed. Each of these means a sequential session, and is reported.
    package enum Rejection: Error, Sendable, Equatable {
        /// The container has no index this engine can read.
        case noIndex
        /// The source does not say how long it is, so nobody can tell whether the index reaches its end.
        case unknownDuration
        /// The keyframes span less than one segment.
        case coverage(span: MediaTime)
        /// Two neighbouring keyframes are further apart than any real encoder places them.
        case gap(MediaTime)
        /// The last keyframe is too far from the end of the source: the index was cut short.
        case end(last: MediaTime, duration: MediaTime)
        /// A picture the index calls a keyframe is not one.
        case notRandomAccess(at: MediaTime)
        /// The index did not load within its budget.
        case budgetExpired
        /// The source cannot seek.
        case notSeekable
        /// The scan that stands in for a missing index did not finish within the budget.
        case scanExpired
        /// The picture's clock falls back or leaps: joined recordings have no one timeline to plan on.
        case clockJumps(at: MediaTime)
        /// An edit list shows parts of the track again or out of order: one decode time stands for several places.
        case editList
        /// The picture is encrypted from here on, or from somewhere before.
        case encrypted(at: MediaTime?)
        /// The codec's configuration changes on the way; a plan's playlists have one init segment. `nil`: the container says so ahead.
        case parameterSets(at: MediaTime?)
        /// The host wants none.
        case notWanted
    }

    /// The first segment is short, so that the first picture is out early.
    package static let firstTarget = MediaTime(ticks: 2, timescale: 1)
    /// Every later segment lasts at least this long: Apple's authoring guide asks for 6 s.
    package static let target = MediaTime(ticks: 6, timescale: 1)
    /// A larger hole between keyframes is an index that lost entries, and would be one segment of hundreds of megabytes.
    package static let largestGap = MediaTime(ticks: 60, timescale: 1)

    package let axis: KeyframeIndex.Axis
    package let timescale: Int32
    package let segments: [Segment]

    package var start: MediaTime { segments.first?.start ?? .zero }
    package var end: MediaTime { segments.last?.end ?? .zero }

    /// Plans `index`, or says which witness spoke against it.
    ///
    /// - Parameters:
    ///   - presentationShift: Presentation minus index time of the first keyframe, in index ticks: zero on the presentation axis.
    ///   - sourceEnd: Where the longest track ends, on the source's presentation axis.
    package init(index: KeyframeIndex, presentationShift: Int64, sourceEnd: MediaTime) throws(Rejection) {
        guard let first = index.times.first, let last = index.times.last else { throw .noIndex }
        func presentation(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks &+ presentationShift, timescale: index.timescale) }

        let span = MediaTime(ticks: last &- first, timescale: index.timescale)
        let short = sourceEnd - presentation(first) <= Self.target
        // A film of a few seconds has one keyframe and needs no more.
        guard short || span >= Self.target else { throw .coverage(span: span) }
        for (a, b) in zip(index.times, index.times.dropFirst()) {
            let gap = MediaTime(ticks: b &- a, timescale: index.timescale)
            if gap > Self.largestGap { throw .gap(gap) }
        }
        guard sourceEnd - presentation(last) <= Self.largestGap else { throw .end(last: presentation(last), duration: sourceEnd) }
        guard sourceEnd > presentation(last) else { throw .end(last: presentation(last), duration: sourceEnd) }

        var opens = [first]
        for time in index.times.dropFirst() {
            let since = MediaTime(ticks: time &- opens[opens.count - 1], timescale: index.timescale)
            if since >= (opens.count == 1 ? Self.firstTarget : Self.target) { opens.append(time) }
        }
        axis = index.axis
        timescale = index.timescale
        segments = opens.indices.map { k in
            Segment(indexTime: opens[k], start: presentation(opens[k]), end: k + 1 < opens.count ? presentation(opens[k + 1]) : sourceEnd)
        }
    }

    /// Plans openings that a scan of the source's own headers found.
    ///
    /// - Parameters:
    ///   - base: the clock the openings' times count on; the plan counts in its denominators.
    ///   - presentationShift: as for an index.
    ///   - keepsPositions: whether the container is entered at an opening's byte offset.
    package init(
        openings: [SegmentOpenings.Opening], axis: KeyframeIndex.Axis, base: TickBase, presentationShift: Int64, sourceEnd: MediaTime, keepsPositions: Bool
    ) throws(Rejection) {
        guard let last = openings.last else { throw .noIndex }
        let numerator = Int64(base.numerator)
        func presentation(_ time: Int64) -> MediaTime { MediaTime(ticks: time &* numerator &+ presentationShift, timescale: base.denominator) }
        let end = presentation(last.time)
        guard sourceEnd > end, sourceEnd - end <= Self.target + Self.largestGap else { throw .end(last: end, duration: sourceEnd) }
        self.axis = axis
        timescale = base.denominator
        segments = openings.indices.map { k in
            Segment(
                indexTime: openings[k].time &* numerator, start: presentation(openings[k].time),
                end: k + 1 < openings.count ? presentation(openings[k + 1].time) : sourceEnd, position: keepsPositions ? openings[k].position : nil)
        }
    }

    /// The same plan whose film begins later: its first pictures are hidden.
    ///
    /// - Throws: ``Rejection/editList`` where nothing of the first segment is shown.
    func opening(at start: MediaTime) throws(Rejection) -> SegmentPlan {
        guard let first = segments.first, start < first.end else { throw .editList }
        guard start > first.start else { return self }
        var opened = segments
        opened[0] = Segment(indexTime: first.indexTime, start: start, end: first.end, position: first.position)
        return SegmentPlan(axis: axis, timescale: timescale, segments: opened)
    }

    private init(axis: KeyframeIndex.Axis, timescale: Int32, segments: [Segment]) {
        self.axis = axis
        self.timescale = timescale
        self.segments = segments
    }

    /// The last segment that begins at least `margin` before this one; the first where none does.
    package func segment(_ margin: MediaTime, before index: Int) -> Int {
        guard segments.indices.contains(index) else { return 0 }
        let time = segments[index].start - margin
        return lastIndex { segments[$0].start <= time } ?? 0
    }

    /// The segment a picture at `indexTime` belongs to when it is a keyframe: the last one that opens at or before it.
    package func segment(atIndexTime indexTime: Int64) -> Int? {
        lastIndex { segments[$0].indexTime <= indexTime }
    }

    /// The segment whose presentation interval holds `time`; times before the film belong to the first, after it to the last.
    package func segment(at time: MediaTime) -> Int {
        lastIndex { segments[$0].start <= time } ?? 0
    }

    private func lastIndex(where holds: (Int) -> Bool) -> Int? {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }
}
