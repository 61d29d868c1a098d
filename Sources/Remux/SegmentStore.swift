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
        /// - Parameter memory: Bytes kept in memory at most, whatever the budget.
        case reproducible(memory: Int)
        /// Evicted from memory to an unnamed file in this directory.
        case spilling(directory: String)
        /// The same, and nothing is dropped to keep the budget: ``remove(_:)`` says what goes.
        case retaining(directory: String)
    }

    /// Memory for fragments of a file on this machine: producing one again takes milliseconds, and payloads are served from the file anyway.
    package static let localMemoryCeiling = 8 << 20
    /// The same for any other source, which would have to send the bytes again: some seconds of a film, as a television has 2 GB in all.
    package static let remoteMemoryCeiling = 32 << 20
    /// The same for sequential sessions, whose older fragments go to disk.
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

    /// How many fragments were dropped for room.
    package var evictions: Int { state.withLock { $0.evictions } }

    /// A fragment if it is here; marks it as used.
    package func content(_ key: Key) -> FragmentContent? {
        state.withLock { state in
            guard var entry = state.entries[key] else { return nil }
            state.clock += 1
            entry.lastUse = state.clock
            entry.isUsed = true
            state.entries[key] = entry
            return entry.content
        }
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
            return makeRoom(in: &state, sparing: key)
        }
    }

    /// Lets go of fragments whose time is over; not counted as evictions.
    package func remove(_ keys: [Key]) {
        state.withLock { state in
            for key in keys { remove(key, from: &state) }
        }
    }

    /// Bytes of memory kept for segments after `index`: what was produced ahead of demand.
    package func byteCount(after index: Int) -> Int {
        state.withLock { state in state.entries.reduce(0) { $1.key.index > index ? $0 + $1.value.content.memoryByteCount : $0 } }
    }

    /// Spans of the source's presentation axis whose video is here, merged and in order.
    package func residentVideoRanges() -> [(start: MediaTime, end: MediaTime)] {
        let spans = state.withLock { state in
            state.entries.compactMap { $0.key.rendition == .video ? ($0.key.index, $0.value.start, $0.value.start + $0.value.duration) : nil }
        }.sorted { $0.0 < $1.0 }
        var merged: [(start: MediaTime, end: MediaTime)] = []
        var lastIndex = Int.min
        for (index, start, end) in spans {
            if index == lastIndex &+ 1, !merged.isEmpty { merged[merged.count - 1].end = end } else { merged.append((start, end)) }
            lastIndex = index
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

    private func makeRoom(in state: inout State, sparing newest: Key) -> [Key] {
        var dropped: [Key] = []
        switch policy {
        case .reproducible(let memory):
            let limit = min(budget, memory)
            while state.memoryBytes > limit, let victim = oldest(in: state, sparing: newest, inMemory: true) {
                // What was produced ahead has its own bound: dropped here, it would be produced again at once.
                let isAhead = state.entries[victim].map { !$0.isUsed } ?? false
                if isAhead, state.memoryBytes <= limit + min(budget, ProductionSchedule.leadByteCount) { break }
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

    /// The least recently used fragment of those that were asked for, else of the others: production ahead must not push itself out. What nobody
    /// has asked for yet is spared in the newest segment and the one before: a client fetches the renditions of a segment one after the other,
    /// and to drop the sound for the picture's sake would have both read again.
    private func oldest(in state: State, sparing newest: Key, inMemory: Bool) -> Key? {
        state.entries.lazy.filter { entry in
            if entry.key == newest || !entry.value.isUsed && (newest.index - 1...newest.index).contains(entry.key.index) { return false }
            return entry.value.content.memoryByteCount > 0 || (!inMemory && entry.value.spilledBytes > 0)
        }.min { ($0.value.isUsed ? 0 : 1, $0.value.lastUse) < ($1.value.isUsed ? 0 : 1, $1.value.lastUse) }?.key
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
