internal import BitsAndTime
internal import Libav
internal import Remux

/// Sound of a film as it is produced for its player, decoded: one channel at 48 kHz, for meters, transcripts, fingerprints.
///
/// It goes along with the viewer and with nobody else: nothing is fetched, produced or moved for it, and a rendition that nobody hears stays at
/// rest, and the tap waits. Production runs up to half a minute ahead of the player; each block says where on the source's clock it belongs. What
/// had to make room before it was asked for, and what a seek left out, is missing, and the next block says so. The tap keeps one segment at a time,
/// decodes the next only when it is asked for, and ends with the film's last segment or the session.
public struct AudioTap: AsyncSequence, Sendable {
    /// Up to a second of sound.
    public struct Block: Sendable, Equatable {
        /// Hz, always.
        public static let sampleRate = 48_000
        /// Of the first sample, in seconds on the source's own clock: a whole number of samples from its zero.
        public let startTime: Double
        /// The mean of the track's channels, the low-frequency one left out; ±1 is full scale of each.
        public let samples: [Float]
        /// Whether it does not follow from the block before: the viewer moved, sound was missed, or the track has a hole.
        public let isDiscontinuous: Bool
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let cursor: TapCursor

        fileprivate init(_ cursor: TapCursor) { self.cursor = cursor }

        /// - Returns: `nil` at the film's end and once the session is stopped.
        /// - Throws: ``PrismCoreError`` where production failed, ``CachedAudioError/undecodable(reason:)``, `CancellationError`.
        public mutating func next() async throws -> Block? {
            if let waiting = cursor.popped() { return waiting }
            let (cursor, isCancelled) = (cursor, CancellationFlag())
            return try await withTaskCancellationHandler {
                try await BlockingWork.run { try cursor.next(isCancelled: { isCancelled.isSet }) }
            } onCancel: {
                isCancelled.set()
                cursor.producer.nudge()
            }
        }
    }

    let sound: ResidentSound
    let producer: Producer
    let place: ListeningPlace
    /// In samples from the source's zero; what comes before is left out.
    let start: Int64?

    /// Each iterator listens by itself, from where the viewer is then.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(TapCursor(sound: sound, producer: producer, place: place, start: start))
    }
}

/// Where one iterator is.
///
/// `@unchecked Sendable`, guarded by ownership: its iterator asks for one block at a time.
private final class TapCursor: @unchecked Sendable {
    let producer: Producer
    private let sound: ResidentSound
    private var place: ListeningPlace
    private var start: Int64?
    private var decoder: SegmentAudioDecoder
    private var waiting: ArraySlice<SegmentAudioDecoder.Stretch> = []
    /// Where the last block given ends.
    private var reached: Int64?

    init(sound: ResidentSound, producer: Producer, place: ListeningPlace, start: Int64?) {
        self.sound = sound
        self.producer = producer
        self.place = place
        self.start = start
        decoder = sound.makeDecoder()
    }

    func next(isCancelled: () -> Bool) throws -> AudioTap.Block? {
        while true {
            if let block = popped() { return block }
            switch producer.follow(&place, of: sound.rendition, isCancelled: isCancelled) {
            case .cancelled: throw CancellationError()
            case .failed(let error): throw PrismCoreError.classify(error)
            case .ended:
                let left = try decoding { () throws(LibavError) in try decoder.finish() }
                guard !left.isEmpty else { return nil }
                waiting = left[...]
            case .segment(let resident, let isJump):
                guard resident.content.byteCount <= ResidentSound.fragmentLimit, let bytes = resident.content.joined() else { continue }
                var stretches = isJump ? try decoding { () throws(LibavError) in try decoder.finish() } : []
                stretches += try decoding { () throws(LibavError) in try decoder.decode(bytes, isCancelled: isCancelled) }
                if isCancelled() { throw CancellationError() }
                waiting = stretches[...]
            }
        }
    }

    private func decoding(_ body: () throws(LibavError) -> [SegmentAudioDecoder.Stretch]) throws(CachedAudioError) -> [SegmentAudioDecoder.Stretch] {
        do throws(LibavError) { return try body() } catch { throw .undecodable(reason: "\(error)") }
    }

    /// A block of what is decoded already.
    func popped() -> AudioTap.Block? {
        while let first = waiting.popFirst() {
            let skip = Int(max(0, min((start ?? first.position) - first.position, Int64(first.samples.count))))
            guard skip < first.samples.count else { continue }
            let end = min(first.samples.count, skip + AudioTap.Block.sampleRate)
            if end < first.samples.count {
                waiting = [.init(position: first.position + Int64(end), samples: Array(first.samples[end...]))] + waiting
            }
            let position = first.position + Int64(skip)
            defer { reached = first.position + Int64(end) }
            return AudioTap.Block(
                startTime: Double(position) / Double(AudioTap.Block.sampleRate), samples: Array(first.samples[skip..<end]),
                isDiscontinuous: reached.map { $0 != position } ?? false)
        }
        return nil
    }
}

extension PrismCoreSession {
    /// Listens in on a rendition, from where the viewer is.
    ///
    /// - Parameters:
    ///   - from: Seconds on the source's own clock to begin at, where that is close to the viewer or in the cache; `nil`: where the viewer is.
    ///   - renditionName: NAME of the rendition; `nil`: the one the film starts with.
    /// - Throws: ``CachedAudioError``.
    public func audioTap(from: Double? = nil, renditionName: String? = nil) throws(CachedAudioError) -> AudioTap {
        if let from, !from.isFinite || abs(from) >= 1e9 { throw .invalidRange }
        let (sound, producer) = try residentSound(renditionName)
        let rate = AudioTap.Block.sampleRate
        let start = from.map { Int64(($0 * Double(rate)).rounded()) }
        let place = start.map { ListeningPlace(next: segment(at: MediaTime(ticks: $0, timescale: Int32(rate)))) }
        return AudioTap(sound: sound, producer: producer, place: place ?? ListeningPlace(), start: start)
    }
}
