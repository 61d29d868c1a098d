package import BitsAndTime

/// How much later sound is presented than its source has it, so that it meets the picture: below zero, earlier.
///
/// It moves places and nothing else: a copied frame stays the frame it is, a bridged track's frames stay on their grid and hold what is
/// heard there. Initialization segments do not depend on it, so it can be changed while they are in use. What would be heard
/// before the track began is left out.
package struct AudioDelay: Sendable, Hashable {
    /// Seconds either way; beyond this it is no adjustment of one picture's sound.
    package static let limit = 2.0

    package let time: MediaTime

    /// - Parameter seconds: Held to ``limit``, to the microsecond; what is no number is none.
    package init(seconds: Double) {
        let held = seconds.isFinite ? min(max(seconds, -Self.limit), Self.limit) : 0
        time = MediaTime(ticks: Int64((held * 1_000_000).rounded()), timescale: 1_000_000)
    }

    package static let none = AudioDelay(seconds: 0)

    package var seconds: Double { time.seconds }

    func ticks(at timescale: Int32) -> Int64 { time.converted(to: timescale).ticks }
}

extension PacketTranslator {
    /// - Parameter start: The first place that is served, undelayed; `nil` where what decodes the packets sees to that.
    func delayed(by delay: AudioDelay, from start: MediaTime?) -> Self {
        var translator = self
        translator.delay(by: delay, from: start)
        return translator
    }
}

extension BridgedTrack {
    /// Its places as its translator gives them, delayed. What is served begins with the same frame.
    func delayed(by delay: AudioDelay) -> Self {
        var track = self
        let ticks = delay.ticks(at: sourceRate)
        track.origin = origin.map { $0 + ticks }
        track.audibleStart = audibleStart.map { $0 + ticks }
        return track
    }
}

extension Rendition {
    /// The rendition as fragments are written for it.
    func delayed(by delay: AudioDelay) -> Self {
        guard id != .video, delay != .none else { return self }
        return Rendition(
            id: id, track: track, timescale: timescale, presentationOffset: presentationOffset, decodeDelay: decodeDelay, initialization: initialization,
            firstPresentation: firstPresentation.map { $0 + delay.time }, frameDuration: frameDuration, silence: silence?.shifted(by: delay.ticks(at: timescale)))
    }
}
