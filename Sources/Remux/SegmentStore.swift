package import BitsAndTime
internal import Synchronization

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

    package enum Body: Sendable {
        case memory([UInt8])
        case disk(SpilledRange)

        package var byteCount: Int {
            switch self {
            case .memory(let bytes): bytes.count
            case .disk(let range): range.byteCount
            }
        }
    }

    package enum Policy: Sendable {
        case reproducible
        /// Evicted from memory to an unnamed file in this directory.
        case spilling(directory: String)
        /// The same, and nothing is dropped to keep the budget: ``remove(_:)`` says what goes.
        case retaining(directory: String)
    }

    /// Fragments kept in memory at most, whatever the budget: a television has 2 GB in all.
    package static let memoryCeiling = 192 << 20
    /// The same for sequential sessions, whose older fragments go to disk.
    package static let spillingMemoryCeiling = 48 << 20

    private struct Entry {
        var body: Body
        let start: MediaTime
        let duration: MediaTime
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var memoryBytes = 0
        var diskBytes = 0
        var spill: SpillFile?
        var clock: UInt64 = 0
        var evictions = 0
    }

    private let state = Mutex(State())
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
    package func body(_ key: Key) -> Body? {
        state.withLock { state in
            guard var entry = state.entries[key] else { return nil }
            state.clock += 1
            entry.lastUse = state.clock
            state.entries[key] = entry
            return entry.body
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
            state.entries[key] = Entry(body: .memory(fragment.bytes), start: fragment.start, duration: fragment.duration, lastUse: state.clock)
            state.memoryBytes += fragment.bytes.count
            return makeRoom(in: &state, sparing: key)
        }
    }

    /// Lets go of fragments whose time is over; not counted as evictions.
    package func remove(_ keys: [Key]) {
        state.withLock { state in
            for key in keys { remove(key, from: &state) }
        }
    }

    /// Bytes kept of segments after `index`: what was produced ahead of demand.
    package func byteCount(after index: Int) -> Int {
        state.withLock { state in state.entries.reduce(0) { $1.key.index > index ? $0 + $1.value.body.byteCount : $0 } }
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
        switch old.body {
        case .memory(let bytes): state.memoryBytes -= bytes.count
        case .disk(let range): state.diskBytes -= range.byteCount
        }
    }

    private func makeRoom(in state: inout State, sparing newest: Key) -> [Key] {
        var dropped: [Key] = []
        switch policy {
        case .reproducible:
            while state.memoryBytes > min(budget, Self.memoryCeiling), let victim = oldest(in: state, sparing: newest, inMemory: true) {
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

    private func oldest(in state: State, sparing newest: Key, inMemory: Bool) -> Key? {
        state.entries.lazy.filter { entry in
            if entry.key == newest { return false }
            if !inMemory { return true }
            if case .memory = entry.value.body { return true }
            return false
        }.min { $0.value.lastUse < $1.value.lastUse }?.key
    }

    /// - Returns: Whether the fragment is still here.
    private func spill(_ key: Key, to directory: String, in state: inout State) -> Bool {
        guard var entry = state.entries[key], case .memory(let bytes) = entry.body else { return true }
        do throws(SpillFile.Failure) {
            let file: SpillFile
            if let open = state.spill { file = open } else { file = try SpillFile(directory: directory) }
            state.spill = file
            entry.body = .disk(try file.store(bytes))
            state.memoryBytes -= bytes.count
            state.diskBytes += bytes.count
            state.entries[key] = entry
            return true
        } catch {
            // No disk: the fragment is lost, and counted as the eviction it is.
            remove(key, from: &state)
            return false
        }
    }
}
