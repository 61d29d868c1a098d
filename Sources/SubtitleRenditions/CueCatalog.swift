package import BitsAndTime
package import TimedText

/// The cues of one track that are known, in the order they are shown in. Pure.
///
/// The order follows from the source alone (time, then place in the source), not from what was read first; what is read again changes nothing.
package struct CueCatalog: Sendable {
    /// Where a cue came from: puts those of one time in order. Two that are alike in all they show are one.
    package struct Place: Sendable, Hashable, Comparable {
        /// Byte offset of its packet in the source, or its number in an external file.
        package let position: Int64
        /// Among those of one packet.
        package let ordinal: Int

        package init(position: Int64, ordinal: Int) {
            self.position = position
            self.ordinal = ordinal
        }

        package static func < (a: Place, b: Place) -> Bool { a.position == b.position ? a.ordinal < b.ordinal : a.position < b.position }
    }

    package struct Entry: Sendable, Hashable {
        package let cue: TextCue
        package let place: Place
    }

    private(set) package var entries: [Entry] = []
    private var known: Set<TextCue> = []
    /// The longest span of any: how far before a time one that is still shown may begin.
    private var longest = MediaTime.zero
    /// What the entries take, about.
    private(set) package var byteCount = 0

    package init() {}

    /// Adds what was read.
    ///
    /// - Parameter position: Of the packet it came from.
    /// - Returns: What was not known before.
    @discardableResult
    package mutating func insert(_ cues: [TextCue], position: Int64) -> [TextCue] {
        var fresh: [TextCue] = []
        for (ordinal, cue) in cues.enumerated() where cue.end.map({ $0 > cue.start }) ?? true {
            let entry = Entry(cue: cue, place: Place(position: position, ordinal: ordinal))
            guard known.insert(cue).inserted else { continue }
            entries.insert(entry, at: firstIndex { Self.precedes(entry, $0) })
            byteCount += Self.byteCount(of: entry)
            if let end = cue.end { longest = max(longest, end - cue.start) }
            fresh.append(cue)
        }
        return fresh
    }

    /// What is shown at some time of `start ..< end`, in order.
    ///
    /// - Parameter earliest: Cues that begin before this are left out; `nil` leaves none out.
    package func cues(shownIn start: MediaTime, _ end: MediaTime, beginningFrom earliest: MediaTime? = nil) -> [TextCue] {
        let from = max(start - longest, earliest ?? start - longest)
        var found: [TextCue] = []
        for entry in entries[firstIndex { $0.cue.start >= from }...] {
            if entry.cue.start >= end { break }
            if entry.cue.end.map({ $0 > start }) ?? true { found.append(entry.cue) }
        }
        return found
    }

    /// Lets go of what is not shown in any of `start ..< end`.
    package mutating func keep(_ start: MediaTime, _ end: MediaTime) {
        entries.removeAll { $0.cue.start >= end || $0.cue.end.map { $0 <= start } ?? false }
        known = Set(entries.map(\.cue))
        byteCount = entries.reduce(0) { $0 + Self.byteCount(of: $1) }
        longest = entries.reduce(.zero) { max($0, ($1.cue.end ?? $1.cue.start) - $1.cue.start) }
    }

    private static func precedes(_ a: Entry, _ b: Entry) -> Bool { a.cue.start == b.cue.start ? a.place < b.place : a.cue.start < b.cue.start }

    /// Its text, and what holding it takes.
    private static func byteCount(of entry: Entry) -> Int { 256 + entry.cue.text.runs.reduce(0) { $0 + $1.text.utf8.count + 64 } }

    /// The first entry for which a condition holds that holds for all after it, too.
    private func firstIndex(where holds: (Entry) -> Bool) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
