public import Foundation

/// The engine's front door: probe, decide, and hand back something already started.
public enum PrismCoreEngine {
    /// What plays.
    public enum Playback: Sendable {
        /// Hand `playlist` to a player; `session` serves it until `stop()`.
        case remux(session: PrismCoreSession, playlist: URL)
    }

    /// Whether this build of FFmpeg can encode what cannot be copied. Without it, films whose sound all needs that take the software pipeline.
    public static var isAudioBridgeAvailable: Bool { FFmpegBuild.hasEncoder("eac3") || FFmpegBuild.hasEncoder("flac") }

    /// Opens a source and starts what plays it.
    ///
    /// - Throws: ``PrismCoreError``; ``PrismCoreError/videoCodecNotRemuxable(codec:reason:)`` for a source that takes the software pipeline,
    ///   which this version does not have.
    public static func open(
        url: URL, httpHeaders: [String: String] = [:], options: PrismCoreSession.Options = .init()
    ) async throws -> Playback {
        let session = PrismCoreSession(url: url, httpHeaders: httpHeaders, options: options)
        return .remux(session: session, playlist: try await session.start())
    }
}
