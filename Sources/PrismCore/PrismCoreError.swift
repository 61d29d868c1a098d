public import Foundation
internal import Libav
internal import LoopbackHTTP

/// Why the engine could not do what was asked, so that a host can act on it.
///
/// Every case is something that was observed; where two situations leave the same evidence they share a case. No case and no text
/// carries headers, credentials or the query of a URL.
public enum PrismCoreError: Error, Sendable, Equatable {
    /// The origin answered 401, 403 or 407.
    case originRefused(status: Int)
    /// The origin answered 429, 503 or 509.
    case originRateLimited(status: Int)
    /// No answer, or a connection that broke: from here an origin that is down and one that vanished look alike.
    case originUnreachable(reason: String)
    /// No file or resource by this name (ENOENT, 404).
    case sourceNotFound
    /// There, but not to be read: a directory, a file without permission.
    case sourceNotReadable(reason: String)
    /// Bytes were read and they are no media this FFmpeg build knows: text, an empty or damaged file.
    case sourceNotMedia(reason: String)
    /// Audio or data only; the remux engine needs a picture.
    case noVideoStream
    /// The picture's codec has no place in HLS; it takes the software pipeline, which this version does not have yet.
    case videoCodecNotRemuxable(codec: String, reason: String)
    /// The picture is encrypted, and this engine has no keys.
    case sourceEncrypted
    /// The picture's configuration (its size, its profile) changes on the way, and a plan's playlists have one init segment. Played again with
    /// ``PrismCoreSession/Options/playsSequentially`` the film has as many as it takes, as long as one can be made of what the picture brings.
    case parameterSetsChanged
    /// No engine plays the codec: this build has no decoder for it, or none of the engines is made for it.
    case videoCodecUnplayable(codec: String)
    /// The player refused the multivariant playlist (``MasterRejection``): ``PrismCoreSession/makeMasterRejectionFallbackSession()``.
    case masterRejectedByPlayer(code: Int)
    /// The track the film starts with was to be decoded and encoded, and nothing came of it; the picture plays on, silent.
    case audioBridgeFailed(AudioBridgeFailure)
    /// Startup took longer than it was given.
    case startupBudgetExpired(seconds: Double)
    /// Stopped by the host.
    case cancelled
    /// A libav* failure with no better name.
    case ffmpeg(code: Int, message: String)
    case unknown(description: String)

    /// Whether trying the same again can help.
    public enum Retryability: Sendable, Equatable {
        case retryable
        case permanent
        /// The engine cannot tell: it would have to invent an answer.
        case unknown
    }

    public var retryability: Retryability {
        switch self {
        case .originRateLimited, .originUnreachable: .retryable
        case .originRefused, .sourceNotFound, .sourceNotReadable, .sourceNotMedia, .noVideoStream, .sourceEncrypted, .parameterSetsChanged,
            .videoCodecNotRemuxable, .videoCodecUnplayable, .masterRejectedByPlayer, .audioBridgeFailed, .cancelled:
            .permanent
        case .startupBudgetExpired, .ffmpeg, .unknown: .unknown
        }
    }

    /// Names any error this engine threw, or a player that was handed its playlist.
    public static func classify(_ error: any Error) -> PrismCoreError { classify(error, isFile: false) }

    /// - Parameter isFile: Whether the source is a local file, whose read errors are the file's own and no network's.
    static func classify(_ error: any Error, isFile: Bool) -> PrismCoreError {
        if isFile, let libav = error as? LibavError {
            switch libav.kind {
            case .io: return .sourceNotMedia(reason: "it ends too early or is damaged (\(libav.message))")
            // Demuxers answer a header that contradicts itself with EINVAL and with errors of their own.
            case .other: return .sourceNotMedia(reason: "it is damaged, or a kind of file that is no film (\(libav.message))")
            // Sizes read off damaged bytes.
            case .outOfMemory: return .sourceNotMedia(reason: "it asks for more memory than there is, and is most likely damaged")
            default: break
            }
        }
        return switch error {
        case let known as PrismCoreError: known
        case let failure as RoutingFailure: classify(failure)
        case let failure as AudioBridgeFailure: .audioBridgeFailed(failure)
        case let libav as LibavError: classify(libav)
        case is CancellationError: .cancelled
        case let none as LoopbackHTTPServer.NoLocalNetworkInterface: .unknown(description: none.description)
        default: MasterRejection.code(of: error).map { .masterRejectedByPlayer(code: $0) } ?? .unknown(description: String(describing: type(of: error)))
        }
    }

    private static func classify(_ failure: RoutingFailure) -> PrismCoreError {
        switch failure {
        case .noVideoStream: .noVideoStream
        case .encrypted: .sourceEncrypted
        case .noDecoderForVideo(let codec): .videoCodecUnplayable(codec: codec)
        }
    }

    private static func classify(_ error: LibavError) -> PrismCoreError {
        switch error.kind {
        case .cancelled: .cancelled
        case .deadlineExpired: .originUnreachable(reason: "no answer within the time allowed")
        case .notFound:
            switch error.operation {
            case "open what it names": .sourceNotMedia(reason: "a file that it names is missing")
            case "open any of what it names": .sourceNotMedia(reason: "it is a list, and none of the parts that it names can be opened")
            default: .sourceNotFound
            }
        // Past the open, libavformat's -1 (EPERM's number) means a demuxer that gave up.
        case .permissionDenied: error.operation == "open" ? .sourceNotReadable(reason: "permission denied") : .sourceNotMedia(reason: "it holds no media that can be read")
        case .isDirectory: .sourceNotReadable(reason: "it is a directory")
        case .encrypted: .sourceEncrypted
        case .inputChanged: .parameterSetsChanged
        case .invalidData, .unsupported, .endOfFile: .sourceNotMedia(reason: error.message)
        case .httpStatus(let status):
            switch status {
            case 401, 403, 407: .originRefused(status: status)
            case 429, 503, 509: .originRateLimited(status: status)
            case 404, 410: .sourceNotFound
            case 500...: .originUnreachable(reason: "HTTP \(status)")
            default: .ffmpeg(code: Int(error.code), message: "HTTP \(status)")
            }
        case .io: .originUnreachable(reason: error.message)
        default: .ffmpeg(code: Int(error.code), message: error.message)
        }
    }
}

extension PrismCoreError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .originRefused(let status): "the origin refused the request (HTTP \(status)); check the credentials"
        case .originRateLimited(let status): "the origin asks to come back later (HTTP \(status))"
        case .originUnreachable(let reason): "the source cannot be reached: \(reason)"
        case .sourceNotFound: "there is no source by this name"
        case .sourceNotReadable(let reason): "the source cannot be read: \(reason)"
        case .sourceNotMedia(let reason): "the source is no media file that can be read: \(reason)"
        case .noVideoStream: "the source has no video stream; this engine serves films"
        case .sourceEncrypted: "the picture is encrypted; this engine has no keys"
        case .parameterSetsChanged: "the picture changes its configuration on the way; it has to be played sequentially"
        case .videoCodecNotRemuxable(let codec, let reason): "\(codec) video cannot be remuxed: \(reason)"
        case .videoCodecUnplayable(let codec): "nothing here plays \(codec) video"
        case .masterRejectedByPlayer(let code): "the player refused the multivariant playlist (\(code))"
        case .audioBridgeFailed(let failure): "the film is silent: \(failure)"
        case .startupBudgetExpired(let seconds): "the source did not start within \(seconds) s"
        case .cancelled: "stopped"
        case .ffmpeg(let code, let message): "FFmpeg error \(code): \(message)"
        case .unknown(let description): "unexpected failure: \(description)"
        }
    }

    public var errorDescription: String? { description }
}

/// Why ``PrismCoreEngine/decide(for:availability:)`` found no engine.
public enum RoutingFailure: Error, Sendable, Equatable {
    case noVideoStream
    case encrypted
    case noDecoderForVideo(codec: String)
}
