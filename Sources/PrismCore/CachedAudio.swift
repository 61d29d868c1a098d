internal import BitsAndTime
internal import Libav
internal import Remux
internal import Synchronization

/// A stretch of a rendition's sound, decoded: one channel at 48 kHz.
///
/// The mean of the track's channels, the low-frequency one left out; ±1 is full scale of each.
public struct CachedAudio: Sendable, Equatable {
    /// Hz, always.
    public static let sampleRate = 48_000
    /// Seconds that one clip may last.
    public static let longestDuration = 30.0

    /// Of the first sample, in seconds on the source's own clock: a whole number of samples from its zero.
    public let startTime: Double
    public let samples: [Float]

    public var duration: Double { Double(samples.count) / Double(Self.sampleRate) }
}

/// Why there is no sound to be had from a session's cache, besides that it is not there.
public enum CachedAudioError: Error, Sendable, Equatable {
    /// No audio rendition has this NAME.
    case unknownRendition(String)
    /// The film has no sound that is served.
    case noAudio
    /// Not a time, not above zero, or above ``CachedAudio/longestDuration``.
    case invalidRange
    /// The session does not serve: it was not started, or stopped.
    case notServing
    /// What is there cannot be decoded by this build of FFmpeg.
    case undecodable(reason: String)
}

extension PrismCoreSession {
    /// Sound of the film out of the segments that are here, as it is served (with the audio delay in force).
    ///
    /// Nothing is fetched, produced or moved for it, and no rendition is woken: safe to call while the film plays.
    ///
    /// - Parameters:
    ///   - from: Seconds on the source's own clock.
    ///   - duration: Seconds, ``CachedAudio/longestDuration`` at most.
    ///   - renditionName: NAME of the rendition; `nil`: the one the film starts with.
    /// - Returns: `nil` where some of the interval is not in the cache.
    /// - Throws: ``CachedAudioError``, `CancellationError`.
    public func cachedAudio(from: Double, duration: Double, renditionName: String? = nil) async throws -> CachedAudio? {
        let rate = Double(CachedAudio.sampleRate)
        guard from.isFinite, abs(from) < 1e9, duration > 0, duration <= CachedAudio.longestDuration else { throw CachedAudioError.invalidRange }
        let sound = try residentSound(renditionName).sound
        let (start, count) = (Int64((from * rate).rounded()), max(1, Int((duration * rate).rounded())))
        let isCancelled = CancellationFlag()
        let samples = try await withTaskCancellationHandler {
            try await BlockingWork.run { () throws -> [Float]? in
                do throws(ResidentSound.Failure) {
                    return try sound.samples(from: start, count: count, isCancelled: { isCancelled.isSet })
                } catch {
                    switch error {
                    case .undecodable(let reason): throw CachedAudioError.undecodable(reason: reason)
                    case .cancelled: throw CancellationError()
                    }
                }
            }
        } onCancel: {
            isCancelled.set()
        }
        return samples.map { CachedAudio(startTime: Double(start) / rate, samples: $0) }
    }
}

/// Set once, from any thread.
final class CancellationFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
