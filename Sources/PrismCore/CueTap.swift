internal import BitsAndTime
internal import Locks
internal import TimedText

/// Hands a session's cues to its host, each once, and keeps them for a handler that comes late.
///
/// Cues come from a reader's or the producer's thread. One thread at a time delivers, in the order they came; a handler may block only its own cues.
final class CueTap: Sendable {
    typealias Handler = @Sendable (TimedTextCue) -> Void

    private struct Kept {
        let cue: TextCue
        let streamIndex: Int
        let byteCount: Int
    }

    private struct Key: Hashable {
        let streamIndex: Int
        let cue: TextCue
    }

    private struct State {
        var kept: [Kept] = []
        /// Of ``kept``: those before have left.
        var first = 0
        var known: Set<Key> = []
        var stats = SubtitleCueHistoryStats()
        var handler: Handler?
        var offset: MediaTime
        /// What is to be delivered, and whether somebody is at it.
        var queue: [(handler: Handler, cue: TimedTextCue)] = []
        var isDelivering = false
    }

    private let state: Locked<State>
    private let history: SubtitleCueHistory

    /// - Parameter offset: From the source's axis to the player's, delay included.
    init(history: SubtitleCueHistory, offset: MediaTime) {
        self.history = history.clamped
        state = Locked(State(offset: offset))
    }

    var stats: SubtitleCueHistoryStats { state.withLock { $0.stats } }

    /// Replaces the handler; the new one is told all that is kept first, with the offset in force now.
    func setHandler(_ handler: Handler?) {
        state.withLock { state in
            state.handler = handler
            state.queue = []
            guard let handler else { return }
            for kept in state.kept[state.first...] { state.queue.append((handler, TimedTextCue(kept.cue, streamIndex: kept.streamIndex, offset: state.offset))) }
        }
        deliver()
    }

    func setOffset(_ offset: MediaTime) { state.withLock { $0.offset = offset } }

    func take(_ cues: [TextCue], streamIndex: Int) {
        state.withLock { state in
            for cue in cues {
                let key = Key(streamIndex: streamIndex, cue: cue)
                guard !state.known.contains(key) else { continue }
                if let handler = state.handler { state.queue.append((handler, TimedTextCue(cue, streamIndex: streamIndex, offset: state.offset))) }
                keep(cue, key, in: &state)
            }
        }
        deliver()
    }

    private func keep(_ cue: TextCue, _ key: Key, in state: inout State) {
        // Its text, and again in what it is known by, with two times.
        let byteCount = cue.text.runs.reduce(0) { $0 + $1.text.utf8.count } * 2 + 24
        if case .bounded(_, let bytes) = history, byteCount > bytes {
            state.stats.evictedCues += 1
            return
        }
        state.known.insert(key)
        state.kept.append(Kept(cue: cue, streamIndex: key.streamIndex, byteCount: byteCount))
        state.stats.retainedCues += 1
        state.stats.retainedBytes += byteCount
        guard case .bounded(let cues, let bytes) = history else { return }
        while state.stats.retainedCues > cues || state.stats.retainedBytes > bytes {
            let oldest = state.kept[state.first]
            state.known.remove(Key(streamIndex: oldest.streamIndex, cue: oldest.cue))
            state.stats.retainedCues -= 1
            state.stats.retainedBytes -= oldest.byteCount
            state.stats.evictedCues += 1
            state.first += 1
        }
        if state.first > 64, state.first * 2 > state.kept.count {
            state.kept.removeFirst(state.first)
            state.first = 0
        }
    }

    /// Calls handlers outside the lock, in order: whoever finds nobody at it does it for all.
    private func deliver() {
        guard state.withLock({ state -> Bool in
            defer { state.isDelivering = state.isDelivering || !state.queue.isEmpty }
            return !state.isDelivering && !state.queue.isEmpty
        }) else { return }
        while let next = state.withLock({ state -> [(handler: Handler, cue: TimedTextCue)]? in
            defer { state.queue = [] }
            if state.queue.isEmpty { state.isDelivering = false }
            return state.queue.isEmpty ? nil : state.queue
        }) {
            for entry in next { entry.handler(entry.cue) }
        }
    }
}
