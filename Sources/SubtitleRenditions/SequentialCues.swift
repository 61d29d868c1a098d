package import BitsAndTime
package import Libav
internal import Locks
package import TimedText

/// The words of a source without a plan, as its producer comes by them: there is no going back for more.
package final class SequentialCues: Sendable {
    private struct Track {
        let cues: any PacketCues
        var catalog = CueCatalog()
    }

    private struct State {
        var tracks: [Int: Track]
        var listener: (@Sendable (_ streamIndex: Int, [TextCue]) -> Void)?
        var dropped = 0
    }

    /// Memory for the cues of one track. Beyond it the oldest go.
    package static let byteLimit = 16 << 20

    private let state: Locked<State>

    /// - Parameter tracks: By stream; from here on used under this object's lock alone.
    package init(_ tracks: sending [Int: any PacketCues]) {
        state = Locked(State(tracks: tracks.mapValues { Track(cues: $0) }))
    }

    /// A packet of one of the streams.
    ///
    /// - Parameter offset: What the source's clock is off by at this place.
    package func take(_ packet: Packet, offset: MediaTime) {
        let (fresh, listener) = state.withLock { state -> ([TextCue], (@Sendable (Int, [TextCue]) -> Void)?) in
            guard var track = state.tracks[packet.streamIndex] else { return ([], nil) }
            let cues = track.cues.take(packet).map { $0.later(by: offset) }
            let fresh = track.catalog.insert(cues, position: packet.position)
            if track.catalog.byteCount > Self.byteLimit, let newest = fresh.last?.start ?? cues.last?.start, let oldest = track.catalog.entries.first?.cue.start {
                let before = track.catalog.entries.count
                let half = oldest + MediaTime(seconds: (newest - oldest).seconds / 2, timescale: 1000)
                track.catalog.keep(half, MediaTime(ticks: .max, timescale: 1))
                state.dropped += before - track.catalog.entries.count
            }
            state.tracks[packet.streamIndex] = track
            return (fresh, state.listener)
        }
        if !fresh.isEmpty { listener?(packet.streamIndex, fresh) }
    }

    /// What is shown at some time of `start ..< end`, of what came so far.
    package func cues(ofStream index: Int, shownIn start: MediaTime, _ end: MediaTime) -> [TextCue] {
        state.withLock { $0.tracks[index]?.catalog.cues(shownIn: start, end) ?? [] }
    }

    /// Calls with every cue from now on, on the producer's thread.
    package func listen(_ listener: (@Sendable (_ streamIndex: Int, [TextCue]) -> Void)?) { state.withLock { $0.listener = listener } }

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
