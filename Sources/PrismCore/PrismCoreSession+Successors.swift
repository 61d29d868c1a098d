public import Foundation

extension PrismCoreSession {
    /// Where a session comes from.
    public enum Origin: String, Sendable, Equatable, Codable {
        /// A host built it.
        case host
        /// ``PrismCoreSession/makeSession(changing:)``.
        case changedOptions
        /// ``PrismCoreSession/makeMuxedFallbackSession()``.
        case muxedFallback
        /// ``PrismCoreSession/makeMasterRejectionFallbackSession()``.
        case masterRejectionFallback
        /// ``PrismCoreSession/makeReducedMasterFallbackSession()``.
        case reducedMasterFallback
    }

    /// Builds a session for the display of this machine, as it is now.
    @MainActor public static func readingCurrentDisplay(
        url: URL, httpHeaders: [String: String] = [:], options: Options = Options(), probed: ProbedSource? = nil
    ) -> PrismCoreSession {
        var options = options
        options.display = .current()
        return PrismCoreSession(url: url, httpHeaders: httpHeaders, options: options, probed: probed)
    }

    /// Another session over the same source, with the options this one was built with but for what `changing` makes of them.
    ///
    /// Nothing is seamless: the successor begins anew, and the host replaces its player's item, seeks, and stops this one once the new playlist
    /// is loaded. Both serve meanwhile, so it takes a free port unless `changing` names another.
    ///
    /// - Throws: ``SessionError/alreadySuperseded``: a session has one successor. Clone the session that plays, not one left behind.
    public func makeSession(changing: (inout Options) -> Void) throws(SessionError) -> PrismCoreSession { try succeed(.changedOptions, changing) }

    /// Another session over the same source that serves one media playlist with the picture and one audio track, which any display takes.
    ///
    /// The backstop where a display refuses what it was said to take, as one does with Match Content switched off. Counts as this session's one
    /// successor; see ``makeSession(changing:)``.
    ///
    /// - Throws: ``SessionError/alreadySuperseded``.
    public func makeMuxedFallbackSession() throws(SessionError) -> PrismCoreSession { try succeed(.muxedFallback) { $0.forceMuxedShape = true } }

    /// The same, after a player refused this session's multivariant playlist (``isMasterRejection(_:)``).
    ///
    /// - Throws: ``SessionError/noMasterServed`` where this session served none: what failed was something else, and the same would fail again.
    ///   ``SessionError/alreadySuperseded``.
    public func makeMasterRejectionFallbackSession() throws(SessionError) -> PrismCoreSession {
        guard let displayReport, displayReport.playlist.kind != .media else { throw .noMasterServed }
        return try succeed(.masterRejectionFallback) { $0.forceMuxedShape = true }
    }

    /// Another session over the same source whose multivariant playlist leaves out Dolby Vision, and keeps the range and the tracks to choose from:
    /// for a Dolby Vision film that does not come up on a cold display. Where there is nothing to leave out, it serves one media playlist.
    /// Refused too, it still has ``makeMasterRejectionFallbackSession()``.
    ///
    /// - Throws: ``SessionError/noMasterServed`` where this session served none, or one already reduced; ``SessionError/alreadySuperseded``.
    public func makeReducedMasterFallbackSession() throws(SessionError) -> PrismCoreSession {
        guard let displayReport, displayReport.playlist.kind == .multivariant else { throw .noMasterServed }
        return try succeed(.reducedMasterFallback) { $0.reducesMaster = true }
    }

    /// Whether an error of a player's item says that it refused the multivariant playlist. Of a session that served none it says nothing.
    public static func isMasterRejection(_ error: any Error) -> Bool { MasterRejection.code(of: error) != nil }
}
