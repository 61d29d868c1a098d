public import Foundation
public import LoopbackHTTP

/// A stage of startup that has been reached. There is no percentage: nothing can know in advance how long a slow origin takes.
public enum StartupPhase: Sendable, Equatable {
    case sourceOpened
    case streamInfoResolved(SourceInfo)
    /// Where the segment plan came from, and how many segments it has (0 without one).
    case segmentPlanReady(origin: PlanOrigin, segments: Int)
    case firstVideoSegmentWritten(index: Int)
    /// On the local network the URL holds the session's token: not for logs.
    case playlistServable(URL)
}

/// What a session's seeking rests on.
public enum PlanOrigin: Sendable, Equatable {
    /// The source itself: its own keyframe index, or a scan of its headers (``PlanEvidence`` says which).
    case builtFromSource
    /// No trustworthy plan, and why: the playlist grows as the source is read.
    case sequential(reason: String)
}

/// What a plan that was built from the source was made of.
public enum PlanEvidence: Sendable, Equatable {
    /// The container's own keyframe index.
    case containerIndex
    /// The container has no index that holds up; its packets' headers were walked, and this much of the file was read for it.
    case headerScan(bytesRead: Int64, elapsed: Duration)
}

/// A stage and when it was reached, counted from the call of `start()`.
public struct StartupCheckpoint: Sendable, Equatable {
    public let phase: StartupPhase
    public let elapsed: Duration
}

/// Something that happened while a session was serving.
public enum PlaybackEvent: Sendable, Equatable {
    /// A response took longer than players like; its headers went out early.
    case slowServe(path: String, waited: Duration)
    /// A response was given up and its connection cut.
    case serveTimedOut(path: String)
    /// A session on the local network lost its address and answers 503, or has it back. A host that does not want to wait stops the session and
    /// starts another.
    case serviceAddressChanged(LoopbackHTTPServer.ServiceAddress)
    /// An audio track that is decoded and encoded gives no sound, or less than it holds; the rest plays. Sent once for each track and cause.
    case audioBridgeFailed(AudioBridgeFailure)
    /// Production failed for good. Sent once.
    case producerFailed(PrismCoreError)
}

/// What a session thinks of one audio track of its source.
public struct AudioTrackDelivery: Sendable, Equatable {
    public enum Route: Sendable, Equatable {
        /// Served bit for bit under this NAME.
        case copied(name: String, isDefault: Bool)
        /// Decoded and encoded under this NAME, and why. What is said of it is the encoder's output: `codec` as in CODECS, and its channels. Object
        /// audio does not survive, and is not claimed. Whether anything came out yet, ``PrismCoreSession/audioRenditionProductions`` says.
        case bridged(name: String, codec: String, channels: Int, isDefault: Bool, reason: String)
        /// Not served, and why.
        case leftOut(reason: String)
    }

    public let streamIndex: Int
    public let route: Route
}
