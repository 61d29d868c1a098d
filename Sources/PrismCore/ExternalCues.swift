internal import BitsAndTime
internal import Foundation
internal import Libav
internal import Locks
internal import SubtitleRenditions
internal import Subtitles
internal import TimedText

/// The words of a file beside the film: read once, on a thread of its own, when the session starts.
final class ExternalCues: Sendable {
    /// What a file holds.
    enum Content: Sendable {
        case words(CueCatalog)
        /// Decoded, and read, where they are wanted.
        case pictures(PictureFile, track: Int)
    }

    /// What is known at some time of the file's axis.
    enum Answer: Sendable {
        /// The file is being read.
        case loading
        case cues([TextCue])
        case reading(PictureReading)
    }

    private enum State: Sendable {
        case loading
        case ready(Content)
        case failed(reason: String)
    }

    private let state = Locked(State.loading)
    private let interrupter = Interrupter()
    private let queue: RecognitionQueue
    private let language: String?
    private let video: VideoFrame?

    /// - Parameters:
    ///   - queue: For files of pictures.
    ///   - load: Blocks.
    init(_ language: String?, queue: RecognitionQueue, video: VideoFrame?, load: @escaping @Sendable (Interrupter) throws -> Content) {
        self.queue = queue
        self.language = language
        self.video = video
        let (state, interrupter) = (state, interrupter)
        let thread = Thread {
            let result: State
            do { result = .ready(try load(interrupter)) } catch { result = .failed(reason: "\(error)") }
            state.withLock { $0 = result }
        }
        thread.name = "prism.subtitle-file"
        thread.stackSize = 1 << 20
        thread.start()
    }

    func stop() { interrupter.cancel() }

    /// What is shown at some time of `start ..< end` of the file's axis; nothing of a file that could not be read.
    func cues(shownIn start: MediaTime, _ end: MediaTime) -> Answer {
        switch state.withLock({ $0 }) {
        case .loading: return .loading
        case .ready(.words(let catalog)): return .cues(catalog.cues(shownIn: start, end))
        case .ready(.pictures(let file, let track)):
            let pictures = (try? file.cues(of: track, from: start, to: end, video: video)) ?? []
            return pictures.isEmpty ? .cues([]) : .reading(PictureReading(pictures, queue: queue, language: language ?? file.tracks[track].language, video: video))
        case .failed: return .cues([])
        }
    }

    /// Why it could not be read.
    var failure: String? {
        guard case .failed(let reason) = state.withLock({ $0 }) else { return nil }
        return reason
    }
}
