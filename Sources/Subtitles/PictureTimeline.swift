package import BitsAndTime

/// Turns what a stream shows from one instant on into cues with ends.
///
/// An end is the next set or clear, or what the stream says itself, whichever is earlier. It is never taken from a set that was not read right after,
/// and never made up but where nothing more can come.
package struct PictureTimeline: Sendable {
    /// How long a cue lasts that the stream's end leaves open.
    package static let lastSpan = MediaTime(ticks: 3, timescale: 1)
    /// How long a cue may last whose end nobody read: reading went on elsewhere.
    package static let longestSpan = MediaTime(ticks: 10, timescale: 1)

    /// What is on the screen; its end is the stream's own word or unknown.
    private struct Shown {
        let start: MediaTime
        var until: MediaTime?
        let objects: [PictureObject]
        let canvas: PictureCanvas
        let isStartCertain: Bool
    }

    private var shown: Shown?
    /// Sets that another of the same instant, or a clear, took away before they were seen.
    package private(set) var unseenCount = 0

    package init() {}

    /// When what is on the screen began; `nil` for an empty screen.
    package var openStart: MediaTime? { shown?.start }

    /// - Parameters:
    ///   - objects: None: the screen is cleared.
    ///   - until: The stream's own word on the end; `nil` without one.
    ///   - repeats: The set may say again what is shown already: equal pictures go on instead of beginning anew.
    ///   - isStartCertain: Nothing earlier can have shown the same, or what was before is known.
    /// - Returns: The cue this ends.
    package mutating func show(
        _ objects: [PictureObject], on canvas: PictureCanvas, from start: MediaTime, until: MediaTime? = nil, repeats: Bool = false, isStartCertain: Bool = true
    ) -> PictureCue? {
        let until = until.flatMap { $0 > start ? $0 : nil }
        if repeats, let current = shown, start >= current.start, current.until.map({ start <= $0 }) ?? true, current.objects == objects, current.canvas == canvas {
            shown?.until = until
            return nil
        }
        let ended = end(at: start)
        if !objects.isEmpty { shown = Shown(start: start, until: until, objects: objects, canvas: canvas, isStartCertain: isStartCertain) }
        return ended
    }

    /// Everything up to `time` was read without a gap: what the stream itself ends before is ended.
    package mutating func advance(to time: MediaTime) -> PictureCue? {
        guard let until = shown?.until, until <= time else { return nil }
        return end(at: until)
    }

    /// Reading stops or goes on elsewhere: what comes next says nothing of what is shown.
    package mutating func interrupt() -> PictureCue? { close(Self.longestSpan) }

    /// The stream has ended.
    ///
    /// - Parameter time: The film's end; nothing is shown behind it.
    package mutating func finish(at time: MediaTime? = nil) -> PictureCue? {
        guard var cue = close(Self.lastSpan) else { return nil }
        if let time, time > cue.start, time < cue.end { cue.end = time }
        return cue
    }

    private mutating func close(_ span: MediaTime) -> PictureCue? {
        guard let current = shown else { return nil }
        shown = nil
        return cue(current, end: current.until ?? current.start + span, ending: current.until == nil ? .assumed : .authored)
    }

    private mutating func end(at time: MediaTime) -> PictureCue? {
        guard let current = shown else { return nil }
        // Time fell back: this is no successor.
        guard time >= current.start else { return interrupt() }
        shown = nil
        guard time > current.start else {
            unseenCount += 1
            return nil
        }
        if let until = current.until, until <= time { return cue(current, end: until, ending: .authored) }
        return cue(current, end: time, ending: .replaced)
    }

    private func cue(_ shown: Shown, end: MediaTime, ending: PictureCue.Ending) -> PictureCue {
        PictureCue(start: shown.start, end: end, ending: ending, objects: shown.objects, canvas: shown.canvas, isStartCertain: shown.isStartCertain)
    }
}
