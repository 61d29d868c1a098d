package import BitsAndTime

/// What a session without a plan lists, and for how long: pure. Segments, fetches, losses and instants in; listings, and files to delete, out.
///
/// A segment that was passed cannot be produced again. An EVENT session lists everything for good and lets the store drop what the
/// byte budget has no room for. In a window entries leave the front of all playlists together, and their bytes go when no client can
/// still be reading an older playlist (RFC 8216 §6.2.2). Instants are spans since any fixed moment of a clock that never goes back.
package struct SlidingWindow: Sendable {
    package enum Shape: Sendable, Equatable {
        /// Never loses an entry.
        case event
        /// Lists `span` before the segment fetched last, less where `budget` bytes do not hold that, and all that was produced behind it.
        case window(span: MediaTime, budget: Int)
    }

    private struct Retired {
        let key: SegmentStore.Key
        let due: Duration
    }

    package let shape: Shape
    private var listings: [RenditionID: RenditionListing]
    /// The first segment listed anywhere: one instant for every playlist.
    package private(set) var front = 0
    /// What was fetched last of each rendition, and when.
    private var fetches: [RenditionID: (segment: Int, at: Duration)] = [:]
    /// Every segment before this one has lost bytes.
    private var lostEnd = 0
    /// The longest any of the playlists has been.
    private var longest = MediaTime.zero
    private var retired: [Retired] = []
    /// The segment behind the furthest one fetched of each rendition.
    private var fetchedEnds: [RenditionID: Int] = [:]
    /// When a playlist was first asked for after the source had ended.
    private var askedAtEnd: Duration?

    package init(renditions: [RenditionID], shape: Shape) {
        self.shape = shape
        listings = Dictionary(renditions.map { ($0, RenditionListing()) }) { first, _ in first }
    }

    package func listing(of rendition: RenditionID) -> RenditionListing { listings[rendition] ?? RenditionListing() }

    /// Files that have left the playlists and wait for their time.
    package var retiredCount: Int { retired.count }

    /// The first segment that some rendition does not list yet.
    package var listedEnd: Int { listings.values.reduce(.max) { min($0, $1.end) } }

    /// Bytes listed behind a segment, wherever they are.
    package func byteCount(after segment: Int) -> Int {
        listings.values.reduce(0) { sum, listing in
            sum + listing.entries.reversed().prefix { $0.index > segment }.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// Where a segment of the video ends. One that has left the window counts as ending where the window begins; `nil` for one not produced.
    package func end(of segment: Int) -> MediaTime? {
        let video = listing(of: .video).entries
        guard let first = video.first else { return nil }
        if segment < first.index { return first.start }
        let at = segment - first.index
        return video.indices.contains(at) ? video[at].end : nil
    }

    // MARK: In

    /// A segment of a rendition is ready to be served. One that holds nothing is not told: its time is the next one's.
    ///
    /// - Parameters:
    ///   - start: Source presentation axis.
    package mutating func append(_ rendition: RenditionID, segment: Int, start: MediaTime, duration: MediaTime, byteCount: Int) {
        listings[rendition, default: RenditionListing()].append(
            segment: segment, start: start, duration: duration, byteCount: byteCount, front: front, frontStart: self.start(of: front),
            foldsTime: rendition != .video)
    }

    /// A client was given this file.
    package mutating func fetch(_ key: SegmentStore.Key, at now: Duration) {
        fetchedEnds[key.rendition] = max(fetchedEnds[key.rendition] ?? 0, key.index + 1)
        fetches[key.rendition] = (listings[key.rendition]?.entry(file: key.index)?.segments.lowerBound ?? key.index, now)
    }

    /// These files' bytes are gone before their time: there was no room for them.
    package mutating func lose(_ keys: [SegmentStore.Key]) {
        for key in keys { lostEnd = max(lostEnd, key.index + 1) }
    }

    // MARK: Out

    /// A rendition's listing for a client that asks now, and whether it is said to be complete.
    ///
    /// The last segments are listed first, and that they are the last is said once one of them was fetched: GStreamer 1.22, when it has played
    /// all it knew of and the next version has an end, counts that version's times anew and takes its new segments for played. Who asks before
    /// anything was fetched is told at once, and so is everyone after three target durations: nobody may be left waiting for an end.
    package mutating func publish(_ rendition: RenditionID, isAtEnd: Bool, at now: Duration) -> (listing: RenditionListing, isEnded: Bool) {
        let listing = listing(of: rendition)
        guard isAtEnd else { return (listing, false) }
        guard let fetched = fetchedEnds[rendition] ?? fetchedEnds.values.max(), fetched < listing.end else { return (listing, true) }
        let since = askedAtEnd ?? now
        askedAtEnd = since
        return (listing, now - since >= .seconds(3 * listing.targetSeconds))
    }

    /// Moves the front, after a segment of the video has joined.
    ///
    /// - Returns: Files to delete: their time is over. Looked at here and on no timer: while nothing is produced, nothing is deleted.
    package mutating func cut(at now: Duration) -> [SegmentStore.Key] {
        guard case .window(let span, let budget) = shape else { return [] }
        for listing in listings.values { longest = max(longest, listing.duration) }
        let target = frontWanted(span: span, budget: budget)
        if target > front {
            front = target
            for id in listings.keys.sorted() {
                for entry in listings[id]?.removeEntries(before: target) ?? [] {
                    retired.append(Retired(key: .init(id, entry.index), due: now + Self.grace(entry.duration + longest)))
                }
            }
        }
        let over = retired.filter { $0.due <= now }.map(\.key)
        if !over.isEmpty { retired.removeAll { $0.due <= now } }
        return over
    }

    private static func grace(_ span: MediaTime) -> Duration {
        .seconds((span.ticks &+ Int64(span.timescale) &- 1) / Int64(span.timescale))
    }

    private func start(of segment: Int) -> MediaTime? {
        let video = listing(of: .video).entries
        guard let first = video.first, let last = video.last else { return nil }
        if segment == last.index + 1 { return last.end }
        let at = segment - first.index
        return video.indices.contains(at) ? video[at].start : nil
    }

    /// The segment that is being played: the one fetched last, of the rendition that is furthest behind. One that nobody fetched from for
    /// three target durations is none that is played.
    private var played: Int? {
        guard let newest = fetches.values.map(\.at).max() else { return nil }
        return fetches.values.filter { newest - $0.at <= .seconds(RenditionListing.minimumTarget * 3) }.map(\.segment).min()
    }

    private func frontWanted(span: MediaTime, budget: Int) -> Int {
        // Nobody has begun to play: all of it is still to be seen.
        guard let fetched = played, let floor = listing(of: .video).floor else { return front }
        var wanted = max(front, lostEnd, frontBySpan(span, before: fetched), frontByBudget(budget))
        wanted = min(wanted, fetched, floor)
        for (id, listing) in listings where id != .video {
            // A track that has shown nothing for so long has ended or pauses; it holds nobody back.
            guard listing.end > floor, let own = listing.floor else { continue }
            wanted = min(wanted, own)
        }
        return aligned(wanted)
    }

    /// The last segment that begins at least `span` before the one fetched last.
    private func frontBySpan(_ span: MediaTime, before fetched: Int) -> Int {
        guard let reached = start(of: fetched) else { return front }
        let video = listing(of: .video).entries
        return video.last { $0.start <= reached - span }?.index ?? front
    }

    /// The first segment from which on everything listed fits the budget.
    private func frontByBudget(_ budget: Int) -> Int {
        var bytes = listings.values.reduce(0) { $0 + $1.byteCount }
        guard bytes > budget else { return front }
        for segment in front..<max(front, listing(of: .video).end) {
            for listing in listings.values { bytes -= listing.entries.first { $0.segments.lowerBound == segment }?.byteCount ?? 0 }
            if bytes <= budget { return segment + 1 }
        }
        return listing(of: .video).end
    }

    /// `segment`, moved back to the start of the entries it lies inside of: an entry leaves whole.
    private func aligned(_ segment: Int) -> Int {
        var front = segment
        while let lower = listings.values.compactMap({ $0.entry(straddling: front)?.segments.lowerBound }).min() { front = lower }
        return front
    }
}
