internal import BitsAndTime
internal import Foundation
internal import Libav
internal import Locks
internal import SubtitleRenditions
internal import TimedText

/// The words of a file beside the film: read once, on a thread of its own, when the session starts.
final class ExternalCues: Sendable {
    /// What is known of it.
    enum State: Sendable {
        case loading
        case ready(CueCatalog)
        case failed(reason: String)
    }

    private let state = Locked(State.loading)
    private let interrupter = Interrupter()

    /// - Parameter read: The cues, on the file's own axis; blocks.
    init(read: @escaping @Sendable (Interrupter) throws -> [TextCue]) {
        let (state, interrupter) = (state, interrupter)
        let thread = Thread {
            let result: State
            do {
                var catalog = CueCatalog()
                for (number, cue) in try read(interrupter).enumerated() { catalog.insert([cue], position: Int64(number)) }
                result = .ready(catalog)
            } catch {
                result = .failed(reason: "\(error)")
            }
            state.withLock { $0 = result }
        }
        thread.name = "prism.subtitle-file"
        thread.stackSize = 1 << 20
        thread.start()
    }

    func stop() { interrupter.cancel() }

    /// What is shown at some time of `start ..< end` of the file's axis; none of a file that could not be read.
    ///
    /// - Returns: `nil` while it is being read.
    func cues(shownIn start: MediaTime, _ end: MediaTime) -> [TextCue]? {
        switch state.withLock({ $0 }) {
        case .loading: nil
        case .ready(let catalog): catalog.cues(shownIn: start, end)
        case .failed: []
        }
    }

    /// Why it could not be read.
    var failure: String? {
        guard case .failed(let reason) = state.withLock({ $0 }) else { return nil }
        return reason
    }
}
