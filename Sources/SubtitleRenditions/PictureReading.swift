internal import BitsAndTime
internal import Locks
package import Subtitles
package import TimedText

/// Pictures of words that are being read, to be waited for: all of one span.
package final class PictureReading: Sendable {
    private struct State {
        var lines: [[[RecognisedLine]?]]
        var left: Int
    }

    private let cues: [PictureCue]
    private let video: VideoFrame?
    private let state: Monitor<State>

    /// Has the queue read them; does not wait.
    package init(_ cues: [PictureCue], queue: RecognitionQueue, language: String?, video: VideoFrame?) {
        self.cues = cues
        self.video = video
        state = Monitor(State(lines: cues.map { $0.objects.map { _ in nil } }, left: cues.reduce(0) { $0 + $1.objects.count }))
        if let first = cues.first { queue.move(to: first.start) }
        for (number, cue) in cues.enumerated() {
            for (place, object) in cue.objects.enumerated() {
                queue.read(object, at: cue.start, language: language) { [state] result in
                    state.update { state in
                        state.lines[number][place] = (try? result.get()) ?? []
                        state.left -= 1
                    }
                }
            }
        }
    }

    /// - Returns: `nil` when the limit came first, or the wait was cancelled.
    package func wait(atMost limit: Duration, isCancelled: () -> Bool = { false }) -> [TextCue]? {
        state.wait(atMost: limit) { state -> [TextCue]?? in
            if state.left == 0 {
                let lines = state.lines
                return .some(zip(cues, lines).flatMap { cue, lines in cue.textCues(lines.map { $0 ?? [] }, on: video).map(\.cue) })
            }
            return isCancelled() ? .some(nil) : nil
        } ?? nil
    }

    /// Wakes everyone who waits.
    package func nudge() { state.update { _ in } }
}
