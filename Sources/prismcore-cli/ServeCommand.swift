import Foundation
import LoopbackHTTP
import PrismCore

/// `serve`: a session and a page that plays it, until interrupted.
struct ServeCommand {
    private static let risk = """
        open to the local network, unencrypted: who can observe the traffic sees the token, the playlist and the film,
        and who has the address below can fetch the film until this ends. Only for a network you trust, and only while you need it.
        """

    private let url: URL
    private let headers: [String: String]
    private let options: PrismCoreSession.Options
    private let withPage: Bool

    init(_ arguments: ArgumentParser) throws(UsageError) {
        url = try arguments.sourceURL()
        headers = arguments.headers
        withPage = !arguments.has("--no-page")
        let isLocalNetwork = arguments.has("--lan")
        let interface = arguments.value("--interface")
        guard isLocalNetwork || interface == nil else { throw UsageError("--interface belongs to --lan") }
        let target = arguments.value("--target")
        var options = PrismCoreSession.Options(
            segmentCacheBytes: try arguments.number("--cache-bytes", in: 1...Int.max) ?? 1 << 30,
            port: UInt16(try arguments.number("--port", in: 0...65_535) ?? 0),
            sequentialPlaylist: try arguments.number("--window", in: 0...10_000_000).map { .slidingWindow(seconds: Double($0)) } ?? .event,
            reachability: isLocalNetwork ? .localNetworkUnencryptedForAirPlay : .loopbackOnly, networkInterface: interface,
            preferredAudioLanguages: arguments.value("--language").map { $0.split(separator: ",").map(String.init) } ?? [],
            capabilities: try target.map { text throws(UsageError) in try Target.capabilities(text) })
        options.dialogueBoost = try Self.boosts(arguments.value("--dialogue-boost"))
        options.audioDelaySeconds = Double(try arguments.number("--audio-delay", in: -2000...2000) ?? 0) / 1000
        options.audioShaping = AudioShaping(
            maxChannels: try arguments.number("--max-channels", in: 1...64), dialogueGainDB: Double(try arguments.number("--dialogue-gain", in: 0...12) ?? 0),
            compressor: arguments.has("--night") ? .night : nil)
        options.preferredSubtitleLanguages = arguments.value("--subtitle-language").map { $0.split(separator: ",").map(String.init) } ?? []
        options.externalSubtitles = try arguments.values("--subtitle").map { text throws(UsageError) in try Self.subtitle(text) }
        options.subtitleDelaySeconds = Double(try arguments.number("--subtitle-delay", in: -10_000...10_000) ?? 0) / 1000
        options.inBandClosedCaptions = arguments.has("--in-band-captions")
        self.options = options
    }

    /// FILE or FILE:LANGUAGE. What stands behind the last colon is a language where it can be one and the file is not called so.
    private static func subtitle(_ text: String) throws(UsageError) -> ExternalSubtitle {
        var (file, language) = (text, String?.none)
        if let colon = text.lastIndex(of: ":"), !FileManager.default.fileExists(atPath: text) {
            let behind = text[text.index(after: colon)...]
            if behind.range(of: "^[A-Za-z][A-Za-z0-9-]{1,34}$", options: .regularExpression) != nil { (file, language) = (String(text[..<colon]), String(behind)) }
        }
        guard !file.isEmpty else { throw UsageError("--subtitle takes FILE or FILE:LANGUAGE") }
        let url = try ArgumentParser.url(file)
        guard !url.isFileURL || FileManager.default.isReadableFile(atPath: url.path) else { throw UsageError("there is no subtitle file \(file)") }
        return ExternalSubtitle(url: url, language: language)
    }

    /// "medium", "strong", or both with a comma.
    private static func boosts(_ text: String?) throws(UsageError) -> [DialogueBoost] {
        var boosts: [DialogueBoost] = []
        for word in text?.split(separator: ",") ?? [] {
            guard let boost = DialogueBoost(rawValue: String(word)) else {
                throw UsageError("--dialogue-boost takes \(DialogueBoost.allCases.map(\.rawValue).joined(separator: ", ")), or several with commas")
            }
            boosts.append(boost)
        }
        return boosts
    }

    func run() async throws -> Int32 {
        let interruption = Interruption()
        let sessions = TargetSessions(url: url, headers: headers, options: options, withPage: withPage)
        let session = await sessions.makeFirst()
        let starting = Task { try await session.start() }
        let stopper = Task {
            await interruption.wait()
            await sessions.stop()
        }
        defer { stopper.cancel() }
        let playlist: URL
        do {
            playlist = try await starting.value
        } catch {
            if interruption.happened { return 0 }
            throw error
        }
        for delivery in await session.audioTrackDeliveries {
            if case .leftOut(let reason) = delivery.route { Terminal.error("audio #\(delivery.streamIndex) is left out: \(reason)") }
        }
        if let refusal = await session.dialogueBoostRefusal { Terminal.error("no dialogue boost: \(refusal)") }
        if !options.preferredAudioLanguages.isEmpty, let reason = await session.defaultAudioReason { Terminal.error("audio to start with: \(reason)") }
        for refusal in await session.subtitleRefusals { Terminal.error("subtitles #\(refusal.streamIndex) are left out: \(refusal.reason)") }
        if !options.preferredSubtitleLanguages.isEmpty { Terminal.error("subtitles to start with: \(await session.defaultSubtitleReason ?? "none")") }
        if let playlist = await session.displayReport?.playlist, playlist.kind != .multivariant { Terminal.error("\(playlist.kind.rawValue) playlist: \(playlist.reason)") }
        if case .sequential(let reason) = await session.planOrigin { Terminal.error("no seeking ahead of what was read: \(reason)") }
        if case .headerScan(let bytes, let elapsed) = await session.planEvidence {
            Terminal.error("no index: planned from a scan of \(bytes) bytes in \(Terminal.seconds(elapsed))")
        }
        if options.reachability != .loopbackOnly { Terminal.error(Self.risk) }
        Terminal.line("playlist: \(playlist.absoluteString)")
        if withPage, let page = URL(string: PlayerPage.path, relativeTo: playlist) { Terminal.line("player: \(page.absoluteString)") }
        for checkpoint in await session.checkpoints {
            if case .playlistServable = checkpoint.phase { Terminal.error("ready after \(Terminal.seconds(checkpoint.elapsed))") }
        }
        let events = await session.playbackEvents()
        for await event in events {
            switch event {
            case .slowServe(let path, let waited): Terminal.error("slow: \(path) after \(Terminal.seconds(waited))")
            case .serveTimedOut(let path): Terminal.error("gave up on \(path)")
            case .serviceAddressChanged(.addressLost(let address)): Terminal.error("address lost: \(address) is not this machine's any more; 503 until it is back")
            case .serviceAddressChanged(.available(let address)): Terminal.error("address back: \(address)")
            case .audioBridgeFailed(let failure): Terminal.error("no sound of \(failure)")
            case .producerFailed(let error):
                Terminal.error("prismcore-cli: \(error)")
                await sessions.stop()
                return 1
            }
        }
        return 0
    }
}
