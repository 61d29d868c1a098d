internal import BitsAndTime
public import Foundation

extension PrismCoreSession {
    /// Subtitles may be moved this far either way, seconds.
    public static let subtitleDelayLimit = 10.0

    /// The words this session offers as renditions, in the playlist's order; none before it has started.
    public var subtitleRenditions: [SubtitleRendition] { offeredWords?.renditions ?? [] }

    /// Tracks of words that it does not offer, and why.
    public var subtitleRefusals: [SubtitleRefusal] { offeredWords?.refusals ?? [] }

    /// Why the subtitles shown from the start are; `nil` where none are.
    public var defaultSubtitleReason: String? { offeredWords?.defaultReason }

    /// Offers a file of words beside the film, behind the source's own; read once, from disk or a server.
    ///
    /// - Parameters:
    ///   - language: Any ISO 639 code, an RFC 5646 tag, an English name.
    ///   - name: For menus; `nil`: the language's.
    ///   - streamIndex: See ``ExternalSubtitle/streamIndex``.
    /// - Throws: ``SessionError/alreadyStarted``, as the playlist is written then.
    public func addExternalSubtitle(
        url: URL, language: String? = nil, name: String? = nil, isForced: Bool = false, isHearingImpaired: Bool = false, streamIndex: Int? = nil
    ) throws(SessionError) {
        guard !isStopped else { throw .stopped }
        guard !hasStarted else { throw .alreadyStarted }
        externalSubtitles.append(ExternalSubtitle(url: url, language: language, name: name, isForced: isForced, isHearingImpaired: isHearingImpaired, streamIndex: streamIndex))
    }

    /// Has the words of a track of pictures read for the handler, too. A player that fetches its rendition gets them without this.
    ///
    /// - Returns: Whether the session offers the track's words; ``subtitleRefusals`` says why not.
    @discardableResult
    public func requestBitmapSubtitleOCR(streamIndex: Int) -> Bool {
        guard words?.offersPictures(ofStream: streamIndex) ?? false else { return false }
        recognisedStreams.insert(streamIndex)
        if cueHandler != nil { words?.listen(true, pictures: recognisedStreams) }
        return true
    }

    /// Files of words that could not be read, and why, by their place among those registered.
    public var externalSubtitleFailures: [Int: String] { words?.fileFailures ?? [:] }

    /// Streams every cue of the source's own words to `handler`, each once, as they are read ahead of the viewer: for a host that draws its own.
    ///
    /// One that is set late, or again, is first told what was found so far, as much of it as ``Options/subtitleCueHistory`` kept, with the delay in
    /// force now. It is called on threads of the session's, one at a time. While one is set words are read even if no player fetches them.
    ///
    /// - Parameter handler: `nil` ends it.
    public func setTimedTextCueHandler(_ handler: (@Sendable (TimedTextCue) -> Void)?) {
        cueHandler = handler
        guard let words else { return }
        words.tap.setHandler(handler)
        words.listen(handler != nil, pictures: recognisedStreams)
    }

    /// What is kept for a handler that is set late, and what was let go.
    public var subtitleCueHistoryStats: SubtitleCueHistoryStats { words?.tap.stats ?? SubtitleCueHistoryStats() }

    /// Seconds by which words are shown later than the source has them.
    public var subtitleDelaySeconds: Double { requestedSubtitleDelay }

    /// Shows words later (or sooner, below zero): −10 to 10 seconds; what is beyond is moved to the nearer end, what is no number changes nothing.
    ///
    /// Segments that a player fetches from now on have it. Those it holds stay as they are: a player that is to show it at once selects its
    /// subtitles again. Cues that a handler is told from now on have it, too.
    @discardableResult
    public func setSubtitleDelaySeconds(_ seconds: Double) -> SubtitleDelayChange {
        guard !isStopped else { return .sessionStopped }
        requestedSubtitleDelay = Self.subtitleDelay(seconds) ?? requestedSubtitleDelay
        guard let words else { return .inForce }
        words.tap.setOffset(SessionWords.time(requestedSubtitleDelay) - words.origin)
        subtitleResources?.setDelay(SessionWords.time(requestedSubtitleDelay))
        return .appliesToNewSegments
    }

    static func subtitleDelay(_ seconds: Double) -> Double? {
        seconds.isFinite ? min(max(seconds, -subtitleDelayLimit), subtitleDelayLimit) : nil
    }
}
