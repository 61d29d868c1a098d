internal import Locks
package import Subtitles
package import TimedText

/// Pictures of words that are being read, to be waited for: all of one span.
package final class PictureReading: Sendable {
    /// The words of each, once they are read.
    private let state: Monitor<[[TextCue]?]>

    /// Has the queue read them; does not wait.
    package init(_ cues: [PictureCue], queue: RecognitionQueue, language: String?, video: VideoFrame?) {
        let cues = cues.filter { !$0.objects.isEmpty }
        state = Monitor(cues.map { _ in nil })
        if let first = cues.first { queue.move(to: first.start) }
        for (number, cue) in cues.enumerated() {
            queue.read(cue, language: language, on: video) { [state] read in state.update { $0[number] = read.cues.map(\.cue) } }
        }
    }

    /// - Returns: `nil` when the limit came first, or the wait was cancelled.
    package func wait(atMost limit: Duration, isCancelled: () -> Bool = { false }) -> [TextCue]? {
        state.wait(atMost: limit) { cues -> [TextCue]?? in
            if cues.allSatisfy({ $0 != nil }) { return .some(cues.flatMap { $0 ?? [] }) }
            return isCancelled() ? .some(nil) : nil
        } ?? nil
    }

    /// Wakes everyone who waits.
    package func nudge() { state.update { _ in } }
}
