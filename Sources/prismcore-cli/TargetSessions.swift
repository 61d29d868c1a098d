import Foundation
import LoopbackHTTP
import PrismCore

/// Sessions of one film for browsers that take different things: the first, whose address is printed, and one for each other thing that the film
/// comes to by what a page was answered. Two browsers for which it comes to the same share one.
actor TargetSessions {
    /// Sessions besides the first: pages ask, and any page may.
    private static let limit = 4

    /// Where a browser finds its session.
    struct Place: Sendable {
        let playlist: URL
        let page: URL
    }

    /// Why there is none.
    struct Refusal: Error {
        let reason: String
    }

    private let url: URL
    private let headers: [String: String]
    private let options: PrismCoreSession.Options
    private let withPage: Bool
    private var first: PrismCoreSession?
    private var others: [PrismCoreSession.Outcome: (session: PrismCoreSession, start: Task<URL, any Error>)] = [:]
    private var isStopped = false

    /// Without capabilities in the options, pages ask their browsers.
    init(url: URL, headers: [String: String], options: PrismCoreSession.Options, withPage: Bool) {
        self.url = url
        self.headers = headers
        self.options = options
        self.withPage = withPage
    }

    /// The session that is printed. Asked for once.
    func makeFirst() -> PrismCoreSession {
        let session = make(options)
        first = session
        return session
    }

    private func make(_ options: PrismCoreSession.Options) -> PrismCoreSession {
        let (withPage, asks) = (withPage, withPage && self.options.capabilities == nil)
        return PrismCoreSession(
            url: url, httpHeaders: headers, options: options, probed: nil, supplements: { withPage ? PlayerPage.resources(for: $0, asks: asks) : [:] },
            answering: { [weak self] name in
                guard asks, let self, let answers = PlayerPage.answers(in: name) else { return .notFound }
                return .pending(PendingAnswer { await self.answer(to: answers) })
            })
    }

    private func answer(to answers: BrowserAnswers) async -> Resource {
        do {
            let place = try await place(for: answers)
            return PlayerPage.json(["page": place.page.absoluteString, "playlist": place.playlist.absoluteString])
        } catch {
            return PlayerPage.json(["problem": (error as? Refusal)?.reason ?? Failure.text(error)])
        }
    }

    /// The session for a browser with these answers, started if there is none yet.
    ///
    /// - Throws: ``Refusal``, `PrismCoreError`.
    private func place(for answers: BrowserAnswers) async throws -> Place {
        let player = PlayerCapabilities.browser(answers)
        guard !isStopped, let first, let own = await first.outcome(for: nil), let outcome = await first.outcome(for: player), let playlist = await first.playlist
        else { throw Refusal(reason: "the session has ended") }
        if let refusal = outcome.refusal { throw Refusal(reason: refusal) }
        if outcome == own { return try Self.place(playlist) }
        // A film that turned out silent plays on; one whose production ended does not.
        if let known = others[outcome]?.session, await known.productionFailure != nil { await drop(outcome, known) }
        if others[outcome] == nil {
            guard !isStopped else { throw Refusal(reason: "the session has ended") }
            guard others.count < Self.limit else { throw Refusal(reason: "\(Self.limit) browsers that take other things have sessions of their own already") }
            var changed = options
            (changed.capabilities, changed.port) = (player, 0)
            let session = make(changed)
            others[outcome] = (session, Task { try await session.start() })
            Terminal.error("a session of its own for a browser that takes \(answers)")
        }
        guard let (session, start) = others[outcome] else { throw Refusal(reason: "the session has ended") }
        do {
            return try Self.place(try await start.value)
        } catch {
            await drop(outcome, session)
            throw error
        }
    }

    private static func place(_ playlist: URL) throws -> Place {
        guard let page = URL(string: PlayerPage.path, relativeTo: playlist) else { throw Refusal(reason: "no address") }
        return Place(playlist: playlist, page: page.absoluteURL)
    }

    /// Another may have begun in its place while this was asked for.
    private func drop(_ outcome: PrismCoreSession.Outcome, _ session: PrismCoreSession) async {
        guard others[outcome]?.session === session else { return }
        others[outcome] = nil
        await session.stop()
    }

    /// Stops them all.
    func stop() async {
        isStopped = true
        let all = others.values.map(\.session) + (first.map { [$0] } ?? [])
        (first, others) = (nil, [:])
        for session in all { await session.stop() }
    }
}
