package import BitsAndTime
internal import Locks

/// Finished fragments, by rendition and segment, under one byte budget.
///
/// What a planned session drops can be produced again, byte for byte, so it is kept in memory while there is room and then
/// forgotten. What a sequential session drops is gone, so it goes to disk first. A fragment that is being served is held by its
/// response: eviction only lets go of the store's own reference.
package final class SegmentStore: Sendable {
    package struct Key: Sendable, Hashable {
        package let rendition: RenditionID
        package let index: Int
        package init(_ rendition: RenditionID, _ index: Int) {
            self.rendition = rendition
            self.index = index
        }
    }

    package enum Policy: Sendable {
        case reproducible(MemoryBounds)
        /// Evicted from memory to an unnamed file in this directory.
        case spilling(directory: String)
        /// The same, and nothing is dropped to keep the budget: ``remove(_:)`` says what goes.
        case retaining(directory: String)
    }

    /// Memory for fragments of sequential sessions, whose older ones go to disk.
    package static let spillingMemoryCeiling = 48 << 20

    private struct Entry {
        var content: FragmentContent
        var spilledBytes = 0
        let start: MediaTime
        let duration: MediaTime
        var lastUse: UInt64
        /// Whether it was asked for since it was produced.
        var isUsed = false
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var memoryBytes = 0
        var diskBytes = 0
        var spill: SpillFile?
        var clock: UInt64 = 0
        /// The segment asked for last: where the viewer is.
        var playhead = 0
        /// The segment kept last: where production is.
        var frontier = 0
        /// What somebody waits for.
        var awaited: Set<Key> = []

        /// Whether a fragment is what somebody asks for next.
        func isWantedNext(_ key: Key) -> Bool { awaited.contains(key) || isFresh(key) || (!isSpent(key) && (playhead...playhead + 1).contains(key.index)) }

        /// Whether a fragment was produced just now, and its client may still be fetching another track's.
        func isFresh(_ key: Key) -> Bool { !isSpent(key) && (frontier - 1...frontier).contains(key.index) }

        /// Whether nobody is about to ask for a fragment: it was asked for, or the viewer is past it (a track that nobody hears).
        func isSpent(_ key: Key) -> Bool { entries[key].map { $0.isUsed || key.index + 1 < playhead } ?? true }
        var evictions = 0
    }

    private let state = Locked(State())
    private let policy: Policy
    private let budget: Int

    /// - Parameter budget: Bytes to keep in all, at least one fragment.
    package init(budget: Int, policy: Policy) {
        self.budget = max(budget, 1)
        self.policy = policy
    }

    /// What a planned session's production has to keep to.
    var memoryBounds: MemoryBounds {
        guard case .reproducible(let bounds) = policy else { return .local }
        return MemoryBounds(kept: min(budget, bounds.kept), ahead: min(budget, bounds.ahead), reachesNextSegment: bounds.reachesNextSegment)
    }

    /// How many fragments were dropped for room.
    package var evictions: Int { state.withLock { $0.evictions } }

    /// A fragment if it is here; marks it as used.
    package func content(_ key: Key) -> FragmentContent? {
        state.withLock { state in
            guard var entry = state.entries[key] else { return nil }
            state.clock += 1
            entry.lastUse = state.clock
            entry.isUsed = true
            state.playhead = key.index
            state.entries[key] = entry
            return entry.content
        }
    }

    /// A fragment that is here and what it covers.
    package struct Resident: Sendable {
        package let index: Int
        /// Source presentation axis.
        package let start: MediaTime
        package let duration: MediaTime
        package let content: FragmentContent

        package var end: MediaTime { start + duration }
    }

    /// Looks at a fragment and leaves no trace: neither its use nor where the viewer is follows from this.
    package func peek(_ key: Key) -> Resident? {
        state.withLock { state in
            state.entries[key].map { Resident(index: key.index, start: $0.start, duration: $0.duration, content: $0.content) }
        }
    }

    /// The first of a rendition's fragments at or behind a segment that is here.
    package func firstIndex(of rendition: RenditionID, from index: Int) -> Int? {
        state.withLock { state in
            state.entries.keys.lazy.filter { $0.rendition == rendition && $0.index >= index }.map(\.index).min()
        }
    }

    /// A rendition's fragments that are here, in order; leaves no trace either.
    package func residents(of rendition: RenditionID) -> [Resident] {
        state.withLock { state in
            state.entries.compactMap { entry in
                guard entry.key.rendition == rendition else { return nil }
                return Resident(index: entry.key.index, start: entry.value.start, duration: entry.value.duration, content: entry.value.content)
            }
        }.sorted { $0.index < $1.index }
    }

    package func contains(_ key: Key) -> Bool { state.withLock { $0.entries[key] != nil } }

    /// Keeps a fragment and makes room for it; the newest one always stays.
    ///
    /// - Returns: The fragments that were dropped for it.
    @discardableResult
    package func insert(_ fragment: MediaFragment) -> [Key] {
        state.withLock { state in
            let key = Key(fragment.rendition, fragment.index)
            remove(key, from: &state)
            state.clock += 1
            state.entries[key] = Entry(content: fragment.content, start: fragment.start, duration: fragment.duration, lastUse: state.clock)
            state.memoryBytes += fragment.content.memoryByteCount
            state.frontier = key.index
            return makeRoom(in: &state, sparing: key)
        }
    }

    /// Says that somebody waits for a fragment, and so where the viewer is, before it is here. It stays until ``release(_:)``: dropped for what is
    /// produced along with it, it would be produced again for ever.
    package func expect(_ key: Key) {
        state.withLock { state in
            state.playhead = key.index
            state.awaited.insert(key)
        }
    }

    /// Says that nobody waits for a fragment any more.
    package func release(_ key: Key) { state.withLock { _ = $0.awaited.remove(key) } }

    /// Lets go of what was served and is more than may be kept, before something else is produced.
    package func trim() {
        guard case .reproducible = policy else { return }
        state.withLock { state in
            if state.memoryBytes > 0 { _ = makeRoom(in: &state, sparing: nil) }
        }
    }

    /// Lets go of fragments whose time is over; not counted as evictions.
    package func remove(_ keys: [Key]) {
        state.withLock { state in
            for key in keys { remove(key, from: &state) }
        }
    }

    /// Lets go of all fragments of some renditions: they are no longer what is served.
    package func removeAll(of renditions: Set<RenditionID>) {
        state.withLock { state in
            for key in state.entries.keys.filter({ renditions.contains($0.rendition) }) { remove(key, from: &state) }
        }
    }

    /// Bytes of memory kept for segments after `index`: what was produced ahead of demand.
    package func byteCount(after index: Int) -> Int {
        state.withLock { state in state.entries.reduce(0) { $1.key.index > index ? $0 + $1.value.content.memoryByteCount : $0 } }
    }

    /// Spans of the source's presentation axis whose video is here, merged and in order.
    package func residentVideoRanges() -> [(start: MediaTime, end: MediaTime)] {
        var merged: [(start: MediaTime, end: MediaTime)] = []
        var lastIndex = Int.min
        for span in residents(of: .video) {
            if span.index == lastIndex &+ 1, !merged.isEmpty { merged[merged.count - 1].end = span.end } else { merged.append((span.start, span.end)) }
            lastIndex = span.index
        }
        return merged
    }

    package func removeAll() {
        state.withLock { $0 = State() }
    }

    private func remove(_ key: Key, from state: inout State) {
        guard let old = state.entries.removeValue(forKey: key) else { return }
        state.memoryBytes -= old.content.memoryByteCount
        state.diskBytes -= old.spilledBytes
    }

    private func makeRoom(in state: inout State, sparing newest: Key?) -> [Key] {
        var dropped: [Key] = []
        switch policy {
        case .reproducible(let bounds):
            let limit = min(budget, bounds.kept)
            while state.memoryBytes > limit, let victim = reproducibleVictim(in: state, sparing: newest) {
                // What was produced ahead has its own bound: dropped here, it would be produced again at once.
                if !state.isSpent(victim), state.memoryBytes <= limit + min(budget, bounds.ahead) { break }
                remove(victim, from: &state)
                dropped.append(victim)
            }
        case .spilling(let directory), .retaining(let directory):
            while state.memoryBytes > min(budget, Self.spillingMemoryCeiling), let victim = oldest(in: state, sparing: newest, inMemory: true) {
                if !spill(victim, to: directory, in: &state) { dropped.append(victim) }
            }
            guard case .spilling = policy else { break }
            while state.memoryBytes + state.diskBytes > budget, let victim = oldest(in: state, sparing: newest, inMemory: false) {
                remove(victim, from: &state)
                dropped.append(victim)
            }
        }
        state.evictions += dropped.count
        return dropped
    }

    /// The least recently used fragment of those that were asked for, else the one that will be wanted last: production ahead must not push
    /// out what it was begun for, nor a client that comes for the sound after the picture find it gone and have both read again.
    private func reproducibleVictim(in state: State, sparing newest: Key?) -> Key? {
        let candidates = state.entries.lazy.filter { $0.key != newest && $0.value.content.memoryByteCount > 0 && !state.isWantedNext($0.key) }
        if let spent = candidates.filter({ state.isSpent($0.key) }).min(by: { $0.value.lastUse < $1.value.lastUse }) { return spent.key }
        return candidates.max { abs($0.key.index - state.playhead) < abs($1.key.index - state.playhead) }?.key
    }

    /// The least recently used fragment of those that were asked for, else of the others.
    private func oldest(in state: State, sparing newest: Key?, inMemory: Bool) -> Key? {
        state.entries.lazy.filter { entry in
            entry.key != newest && !state.isFresh(entry.key) && (entry.value.content.memoryByteCount > 0 || (!inMemory && entry.value.spilledBytes > 0))
        }.min { (state.isSpent($0.key) ? 0 : 1, $0.value.lastUse) < (state.isSpent($1.key) ? 0 : 1, $1.value.lastUse) }?.key
    }

    /// - Returns: Whether the fragment is still here.
    private func spill(_ key: Key, to directory: String, in state: inout State) -> Bool {
        guard var entry = state.entries[key] else { return true }
        do throws(SpillFile.Failure) {
            let file: SpillFile
            if let open = state.spill { file = open } else { file = try SpillFile(directory: directory) }
            state.spill = file
            let moved = entry.content.memoryByteCount
            entry.content = try entry.content.spilled(by: file.store)
            entry.spilledBytes = moved
            state.memoryBytes -= moved
            state.diskBytes += moved
            state.entries[key] = entry
            return true
        } catch {
            // No disk: the fragment is lost, and counted as the eviction it is.
            remove(key, from: &state)
            return false
        }
    }
}
