package import BitsAndTime
package import Libav
internal import Locks
package import TimedText

/// The words of a source without a plan, as its producer comes by them: there is no going back for more.
package final class SequentialCues: Sendable {
    private struct Source {
        let cues: any PacketCues
        /// By lane.
        var catalogs: [CueCatalog]
    }

    private struct State {
        var sources: [Int: Source]
        var listener: (@Sendable (_ streamIndex: Int, _ lane: Int, [TextCue]) -> Void)?
        var dropped = 0

        mutating func insert(_ cues: [PacketCue], ofStream index: Int, offset: MediaTime, position: Int64) -> Fresh {
            guard var source = sources[index] else { return Fresh() }
            var fresh = Fresh(streamIndex: index, listener: listener)
            for found in cues where source.catalogs.indices.contains(found.lane) {
                let cue = found.cue.later(by: offset)
                let added = source.catalogs[found.lane].insert([cue], position: position)
                if !added.isEmpty { fresh.cues.append((found.lane, added)) }
                guard source.catalogs[found.lane].byteCount > SequentialCues.byteLimit, let oldest = source.catalogs[found.lane].entries.first?.cue.start else { continue }
                let before = source.catalogs[found.lane].entries.count
                let half = oldest + MediaTime(seconds: (cue.start - oldest).seconds / 2, timescale: 1000)
                source.catalogs[found.lane].keep(half, MediaTime(ticks: .max, timescale: 1))
                dropped += before - source.catalogs[found.lane].entries.count
            }
            sources[index] = source
            return fresh
        }
    }

    /// What a packet brought, and who is told of it, outside the lock.
    private struct Fresh {
        var cues: [(lane: Int, cues: [TextCue])] = []
        var streamIndex = 0
        var listener: (@Sendable (Int, Int, [TextCue]) -> Void)?

        init(streamIndex: Int = 0, listener: (@Sendable (Int, Int, [TextCue]) -> Void)? = nil) {
            self.streamIndex = streamIndex
            self.listener = listener
        }

        func tell() {
            guard let listener else { return }
            for (lane, cues) in cues { listener(streamIndex, lane, cues) }
        }
    }

    /// Memory for the cues of one track. Beyond it the oldest go.
    package static let byteLimit = 16 << 20

    private let state: Locked<State>

    /// - Parameter sources: By stream, with the count of each one's tracks; from here on used under this object's lock alone.
    package init(_ sources: sending [Int: (lanes: Int, cues: any PacketCues)]) {
        state = Locked(State(sources: sources.mapValues { Source(cues: $0.cues, catalogs: (0..<$0.lanes).map { _ in CueCatalog() }) }))
    }

    /// A packet of one of the streams.
    ///
    /// - Parameter offset: What the source's clock is off by at this place.
    package func take(_ packet: Packet, offset: MediaTime) {
        let index = packet.streamIndex
        let found = state.withLock { state -> Fresh in
            guard let cues = state.sources[index]?.cues.take(packet, nearby: nil) else { return Fresh() }
            return state.insert(cues, ofStream: index, offset: offset, position: packet.position)
        }
        found.tell()
    }

    /// The source has been read to its end.
    package func finish(offset: MediaTime) {
        for index in state.withLock({ $0.sources.keys.sorted() }) {
            let found = state.withLock { state -> Fresh in
                guard let cues = state.sources[index]?.cues.finish() else { return Fresh() }
                return state.insert(cues, ofStream: index, offset: offset, position: .max)
            }
            found.tell()
        }
    }

    /// What is shown at some time of `start ..< end`, of what came so far.
    package func cues(ofStream index: Int, lane: Int, shownIn start: MediaTime, _ end: MediaTime) -> [TextCue] {
        state.withLock { $0.sources[index]?.catalogs[lane].cues(shownIn: start, end) ?? [] }
    }

    /// Calls with every cue from now on, on the producer's thread; where nobody was called before, with what came so far first.
    package func listen(_ listener: (@Sendable (_ streamIndex: Int, _ lane: Int, [TextCue]) -> Void)?) {
        let known = state.withLock { state -> [(Int, Int, [TextCue])] in
            let isHeard = state.listener != nil
            state.listener = listener
            return isHeard ? [] : state.sources.flatMap { stream, source in source.catalogs.enumerated().map { (stream, $0.offset, $0.element.entries.map(\.cue)) } }
        }
        guard let listener else { return }
        for (stream, lane, cues) in known where !cues.isEmpty { listener(stream, lane, cues) }
    }

    /// Cues that were dropped for room.
    package var dropped: Int { state.withLock { $0.dropped } }
}

extension TextCue {
    /// The same cue at another time.
    package func later(by offset: MediaTime) -> TextCue {
        guard offset != .zero else { return self }
        var moved = self
        moved.start = start + offset
        moved.end = end.map { $0 + offset }
        return moved
    }
}
