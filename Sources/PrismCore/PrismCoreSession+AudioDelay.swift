internal import Remux

extension PrismCoreSession {
    /// What became of a delay that was asked for.
    public enum AudioDelayChange: Sendable, Equatable {
        /// What is served has it.
        case inForce
        /// Production begins anew at the viewer's place; from then on it is in force.
        case pendingReanchor
        /// A session without a plan cannot go back for what it served.
        case unsupported
        case sessionStopped
    }

    /// Presents sound so many seconds later than its source has it (earlier, below zero), to make it meet the picture.
    ///
    /// Held to ±2 s; what is no number is zero. It moves places and nothing else: what is copied stays the bytes it is. Before `start()` it is in force
    /// at once. On a running session production begins anew at the viewer's place, and every segment with sound that was made before is dropped, so
    /// that no later seek finds the old delay; but what a player has buffered it plays first, which a host should say. Such segments are served
    /// as to be asked for again, since what their addresses stood for has changed. A successor inherits the delay asked for last.
    @discardableResult public func setAudioDelaySeconds(_ seconds: Double) -> AudioDelayChange {
        let delay = AudioDelay(seconds: seconds)
        guard !isStopped else { return .sessionStopped }
        requestedDelay = delay
        guard let producer = runningProducer else { return hasStarted ? .pendingReanchor : .inForce }
        guard let isInForce = producer.setAudioDelay(delay) else {
            requestedDelay = producer.audioDelay.inForce
            return .unsupported
        }
        return isInForce ? .inForce : .pendingReanchor
    }

    /// The delay of what is served now, in seconds.
    public var audioDelaySeconds: Double { (runningProducer?.audioDelay.inForce ?? requestedDelay).seconds }

    /// The delay that was asked for and is not yet in force; `nil` for none.
    public var pendingAudioDelaySeconds: Double? { runningProducer?.audioDelay.pending?.seconds }
}
