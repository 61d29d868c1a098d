package import BitsAndTime

/// Keeps a sequential source's timelines going where the source's own clock jumps (joined recordings, restarted encoders, a
/// 33-bit wrap the demuxer missed). Planned sources have an index and need none of this.
///
/// One jump moves all tracks: the first track to show it fixes the offset, the others take it over when it makes them continuous too.
package struct TimestampRepair: Sendable {
    /// What a session reports of its repairs.
    package struct Counts: Sendable, Equatable {
        /// Jumps of the source's clock that were taken out.
        package var discontinuities = 0
        /// Packets without any time, placed behind their predecessor.
        package var missingTimes = 0
        /// Times that repeated or fell within a track, nudged by one tick.
        package var repeatedTimes = 0
        /// Pictures before the first keyframe; nothing can decode them.
        package var undecodablePictures = 0
        /// Audio frames that came after their segment was out.
        package var lateAudioFrames = 0
        /// Frames of silence put where a copied track had nothing so far: over the session, each segment once.
        package var silentAudioFrames = 0
        /// Samples whose units overran them, cut at the last whole one.
        package var cutSamples = 0
        /// Packets that held no whole unit and were left out.
        package var damagedPackets = 0

        package init() {}
    }

    /// Beyond these, a step is a jump and not a gap or a reordering.
    package static let forwardLimit = MediaTime(ticks: 10, timescale: 1)
    package static let backwardLimit = MediaTime(ticks: 3, timescale: 2)

    private struct Track {
        var last: MediaTime
        var duration: MediaTime
        var offset: MediaTime
    }

    package private(set) var discontinuities = 0
    private var tracks: [Int: Track] = [:]
    /// What the newest jump moved all tracks by.
    package private(set) var newestOffset = MediaTime.zero

    package init() {}

    /// What to add to this packet's times.
    ///
    /// - Parameters:
    ///   - time: The packet's decode time, or its presentation time where it has no other, source axis.
    package mutating func offset(stream: Int, time: MediaTime, duration: MediaTime) -> MediaTime {
        guard var track = tracks[stream] else {
            // A track that shows up after a jump belongs to the clock in force.
            tracks[stream] = Track(last: time + newestOffset, duration: duration, offset: newestOffset)
            return newestOffset
        }
        if !continues(track, time + track.offset), !isPause(track, time + track.offset, of: stream) {
            if track.offset != newestOffset, continues(track, time + newestOffset) {
                track.offset = newestOffset
            } else {
                let offset = track.last + track.duration - time
                discontinuities += 1
                newestOffset = offset
                track.offset = offset
            }
        }
        track.last = time + track.offset
        if duration > .zero { track.duration = duration }
        tracks[stream] = track
        return track.offset
    }

    /// Whether a step forward is this track's own silence: another track has come as far without any jump.
    private func isPause(_ track: Track, _ time: MediaTime, of stream: Int) -> Bool {
        time > track.last && tracks.contains { $0.key != stream && $0.value.offset == track.offset && continues($0.value, time) }
    }

    private func continues(_ track: Track, _ time: MediaTime) -> Bool {
        let step = time - track.last
        return step <= Self.forwardLimit && step >= -Self.backwardLimit
    }
}
