package import BitsAndTime
internal import Foundation
internal import Locks

/// Reads pictures on one thread of the lowest priority, what the viewer sees next first, and no picture twice.
///
/// Playback never waits for it: handing a picture over costs a digest and a place in a table.
package final class RecognitionQueue: Sendable {
    package typealias Completion = @Sendable (Result<[RecognisedLine], RecognitionError>) -> Void

    package struct Limits: Sendable, Hashable {
        /// Pixels of the pictures that wait, a byte each.
        package var waitingBytes = 32 << 20
        /// Readings remembered: a film has some 2000 pictures a track.
        package var remembered = 8192
        /// How long the thread waits for more before it ends; the next picture begins another.
        package var idle = Duration.seconds(10)

        package init() {}
    }

    package struct Statistics: Sendable, Hashable {
        package var read = 0
        package var failed = 0
        /// Answered by a reading of the same picture.
        package var remembered = 0
        package var displaced = 0
        package var waiting = 0
        package var waitingBytes = 0
    }

    private struct Key: Hashable, Sendable {
        let digest: PictureDigest
        let language: String?
    }

    private struct Job: Sendable {
        let object: PictureObject
        var time: MediaTime
        var completions: [Completion]
    }

    private struct State: Sendable {
        var waiting: [Key: Job] = [:]
        /// What is being read, and who else asked for it since.
        var current: (key: Key, completions: [Completion])?
        var known: [Key: [RecognisedLine]] = [:]
        /// Oldest first.
        var knownOrder: [Key] = []
        var viewer = MediaTime.zero
        var isRunning = false
        var isStopped = false
        var statistics = Statistics()
    }

    private let recogniser: any TextRecogniser
    private let limits: Limits
    private let state = Monitor(State())

    package init(_ recogniser: any TextRecogniser, limits: Limits = Limits()) {
        self.recogniser = recogniser
        self.limits = limits
    }

    deinit { state.update { $0.isStopped = true } }

    package var statistics: Statistics { state.read { $0.statistics } }

    /// Asks for the words on a picture.
    ///
    /// - Parameters:
    ///   - time: When it is shown, on the axis of ``move(to:)``.
    ///   - completion: Called once: at once for a picture that is known or cannot be read, else on the queue's thread; must not block.
    package func read(_ object: PictureObject, at time: MediaTime, language: String?, completion: @escaping Completion) {
        if let absence = recogniser.absence(of: language) { return completion(.failure(.absent(absence))) }
        let key = Key(digest: PictureDigest(object), language: language)
        enum Answer { case known([RecognisedLine]), refused(RecognitionError), waits(displaced: [Completion], starts: Bool) }
        let answer: Answer = state.update { state in
            if state.isStopped { return .refused(.cancelled) }
            if let lines = state.known[key] {
                state.statistics.remembered += 1
                return .known(lines)
            }
            if state.current?.key == key {
                state.statistics.remembered += 1
                state.current?.completions.append(completion)
                return .waits(displaced: [], starts: false)
            }
            if state.waiting[key] != nil {
                state.statistics.remembered += 1
                state.waiting[key]?.completions.append(completion)
                if let old = state.waiting[key]?.time, Self.distance(time, state.viewer) < Self.distance(old, state.viewer) { state.waiting[key]?.time = time }
                return .waits(displaced: [], starts: false)
            }
            state.waiting[key] = Job(object: object, time: time, completions: [completion])
            state.statistics.waitingBytes += object.pixels.count
            let displaced = Self.makeRoom(&state, limits)
            let starts = !state.isRunning && !state.waiting.isEmpty
            if starts { state.isRunning = true }
            return .waits(displaced: displaced, starts: starts)
        }
        switch answer {
        case .known(let lines): completion(.success(lines))
        case .refused(let error): completion(.failure(error))
        case .waits(let displaced, let starts):
            for other in displaced { other(.failure(.displaced)) }
            if starts { start() }
        }
    }

    /// Where the viewer is now: what lies nearest ahead is read first.
    package func move(to time: MediaTime) { state.update { $0.viewer = time } }

    /// Ends reading; everyone who waits is told ``RecognitionError/cancelled``. What is being read ends soon after, and its answer is the same.
    package func stop() {
        let left: [Completion] = state.update { state in
            state.isStopped = true
            defer {
                state.waiting = [:]
                (state.statistics.waiting, state.statistics.waitingBytes) = (0, 0)
            }
            return state.waiting.values.flatMap(\.completions)
        }
        for completion in left { completion(.failure(.cancelled)) }
    }

    /// What lies furthest goes until the rest fits.
    private static func makeRoom(_ state: inout State, _ limits: Limits) -> [Completion] {
        var displaced: [Completion] = []
        let viewer = state.viewer
        while state.statistics.waitingBytes > limits.waitingBytes, let (key, job) = state.waiting.max(by: { distance($0.value.time, viewer) < distance($1.value.time, viewer) }) {
            state.waiting[key] = nil
            state.statistics.waitingBytes -= job.object.pixels.count
            state.statistics.displaced += job.completions.count
            displaced += job.completions
        }
        state.statistics.waiting = state.waiting.count
        return displaced
    }

    /// Seconds, those behind the viewer counted as further: they are asked for again after a jump back only.
    private static func distance(_ time: MediaTime, _ viewer: MediaTime) -> Double {
        let ahead = (time - viewer).seconds
        // What began lately may still be on the screen.
        return ahead >= -PictureTimeline.longestSpan.seconds ? abs(ahead) : -ahead * 10
    }

    // MARK: The thread

    private func start() {
        // It holds what it needs and not the queue, which may go while it waits.
        let (state, recogniser, limits) = (state, recogniser, limits)
        let thread = Thread { Self.run(state, recogniser, limits) }
        thread.name = "prism.recognition"
        // Tesseract keeps its matrices on the heap, but recurses through a page's layout.
        thread.stackSize = 4 << 20
        thread.start()
    }

    private static func run(_ state: Monitor<State>, _ recogniser: any TextRecogniser, _ limits: Limits) {
        yieldToPlayback()
        while let (key, object) = next(state, limits) {
            let result: Result<[RecognisedLine], RecognitionError>
            do throws(RecognitionError) {
                let lines = InkPicture(object)?.lines ?? []
                result = .success(lines.isEmpty ? [] : try recogniser.read(lines, language: key.language) { state.read { $0.isStopped } })
            } catch {
                result = .failure(error)
            }
            let completions: [Completion] = state.update { state in
                if case .success(let lines) = result { remember(lines, key, &state, limits) } else { state.statistics.failed += 1 }
                defer { state.current = nil }
                return state.current?.completions ?? []
            }
            for completion in completions { completion(result) }
        }
    }

    private static func next(_ state: Monitor<State>, _ limits: Limits) -> (Key, PictureObject)? {
        let found: (Key, PictureObject)?? = state.wait(atMost: limits.idle) { state -> (Key, PictureObject)?? in
            if state.isStopped { return .some(nil) }
            let viewer = state.viewer
            guard let (key, job) = state.waiting.min(by: { distance($0.value.time, viewer) < distance($1.value.time, viewer) }) else { return nil }
            state.waiting[key] = nil
            state.statistics.waiting = state.waiting.count
            state.statistics.waitingBytes -= job.object.pixels.count
            state.current = (key, job.completions)
            return .some((key, job.object))
        }
        if case .some(.some(let work)) = found { return work }
        // A picture that came in between finds either the thread or its place free.
        return state.update { state in
            guard !state.isStopped, let (key, job) = state.waiting.first else {
                state.isRunning = false
                return nil
            }
            state.waiting[key] = nil
            state.statistics.waiting = state.waiting.count
            state.statistics.waitingBytes -= job.object.pixels.count
            state.current = (key, job.completions)
            return (key, job.object)
        }
    }

    private static func remember(_ lines: [RecognisedLine], _ key: Key, _ state: inout State, _ limits: Limits) {
        state.statistics.read += 1
        state.known[key] = lines
        state.knownOrder.append(key)
        if state.knownOrder.count > limits.remembered {
            // A quarter at once, or each reading would move them all.
            let gone = state.knownOrder.count - limits.remembered * 3 / 4
            for old in state.knownOrder.prefix(gone) { state.known[old] = nil }
            state.knownOrder.removeFirst(gone)
        }
    }

    /// The lowest priority this system gives a thread: sound and pictures go first.
    private static func yieldToPlayback() {
        #if canImport(Darwin)
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #else
        // On Linux niceness is a thread's own, and 0 names the calling one. The first argument's type differs between versions of glibc.
        _ = setpriority(.init(PRIO_PROCESS.rawValue), 0, 19)
        #endif
    }
}
