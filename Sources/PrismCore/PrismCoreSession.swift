internal import DolbyVision
public import Foundation
internal import BitsAndTime
internal import Libav
public import LoopbackHTTP
internal import Remux

/// One title, served: a source in, a playlist URL out. Single use: a session that was stopped stays stopped.
///
/// The picture and each audio track that can be copied are offered as HLS with fragmented MP4 from a server on 127.0.0.1, or on the local
/// network where ``Options/reachability`` asks for it. No view, no controls, no playback state: the player that is handed the URL has those.
public actor PrismCoreSession {
    /// Misuse of a session.
    public enum SessionError: Error, Sendable, Equatable {
        /// `start()` was called before.
        case alreadyStarted
        /// `stop()` was called before.
        case stopped
        /// A successor was made before.
        case alreadySuperseded
        /// A fallback from a multivariant playlist, of a session that served none.
        case noMasterServed
    }

    /// Checkpoints are kept for late readers; events beyond this many are dropped oldest first when nobody reads them.
    private static let eventBuffer = 64

    public nonisolated let url: URL
    public nonisolated let options: Options
    /// Whether a host built it, or another session it falls back from.
    public nonisolated let origin: Origin

    private let httpHeaders: [String: String]
    private let interrupter: Interrupter
    private let probed: ProbedSource?
    private let supplements: @Sendable (SessionDescription) -> [String: Resource]
    private let answering: @Sendable (String) -> ResourceAnswer
    private let clock: (@Sendable () -> Duration)?

    private enum State { case idle, starting, running, stopped }
    private var state = State.idle
    private var source: AnalyzedSource?
    private var assembly: SessionAssembly?
    private var store: SegmentStore?
    private var producer: Producer?
    private var server: LoopbackHTTPServer?
    private(set) var words: SessionWords?
    private(set) var subtitleResources: SubtitleResources?
    /// The subtitle delay asked for last, and who is told of cues.
    var requestedSubtitleDelay: Double
    var cueHandler: (@Sendable (TimedTextCue) -> Void)?
    var externalSubtitles: [ExternalSubtitle]
    /// Streams of pictures whose words the handler is told, too.
    var recognisedStreams: Set<Int> = []
    private var checkpointLog: [StartupCheckpoint] = []
    private var checkpointReaders: [AsyncStream<StartupCheckpoint>.Continuation] = []
    private var eventReaders: [AsyncStream<PlaybackEvent>.Continuation] = []
    private var began = ContinuousClock.now
    private var startupIsOver = false
    private var failure: PrismCoreError?
    /// Tracks that were to be decoded and encoded and gave no sound, or less than they hold, in the order it was found out.
    public private(set) var audioBridgeFailures: [AudioBridgeFailure] = []
    private var isSuperseded = false
    /// The audio delay asked for last.
    var requestedDelay: AudioDelay
    var isStopped: Bool { state == .stopped }
    var hasStarted: Bool { state != .idle }
    var runningProducer: Producer? { producer }
    /// What the last event said; a session begins at an address that is there.
    private var announcedAddress: LoopbackHTTPServer.ServiceAddress?

    /// - Parameters:
    ///   - url: A file URL, or anything libavformat opens.
    ///   - httpHeaders: Sent with every request to the source; never logged, never reported.
    ///   - probed: A source opened before; its open connection is taken over instead of opening again.
    public init(url: URL, httpHeaders: [String: String] = [:], options: Options = Options(), probed: ProbedSource? = nil) {
        self.init(url: url, httpHeaders: httpHeaders, options: options, probed: probed, supplements: { _ in [:] })
    }

    /// - Parameters:
    ///   - supplements: What else the session's server publishes, by name, once the source is known.
    ///   - answering: Answers names that nothing was published by.
    ///   - clock: Time since any fixed moment, for what a sliding window deletes; `nil`: the system's.
    package init(
        url: URL, httpHeaders: [String: String], options: Options, probed: ProbedSource?,
        supplements: @escaping @Sendable (SessionDescription) -> [String: Resource], answering: @escaping @Sendable (String) -> ResourceAnswer = { _ in .notFound },
        clock: (@Sendable () -> Duration)? = nil, origin: Origin = .host, cueHandler: (@Sendable (TimedTextCue) -> Void)? = nil
    ) {
        self.cueHandler = cueHandler
        self.origin = origin
        self.clock = clock
        self.url = url
        self.httpHeaders = httpHeaders
        self.options = options
        requestedDelay = AudioDelay(seconds: options.audioDelaySeconds)
        externalSubtitles = options.externalSubtitles
        requestedSubtitleDelay = Self.subtitleDelay(options.subtitleDelaySeconds) ?? 0
        self.probed = probed
        self.supplements = supplements
        self.answering = answering
        interrupter = Interrupter()
    }

    // MARK: Lifecycle

    /// Opens, decides, plans and serves; returns the playlist to hand to a player once its first segment is ready.
    ///
    /// - Parameter startupTimeout: All of it may take this long.
    /// - Throws: ``PrismCoreError``, ``SessionError``, ``LoopbackHTTP/LoopbackHTTPServer/NoLocalNetworkInterface``. After a failure the session is stopped and leaves nothing behind.
    public func start(startupTimeout: Duration = .seconds(20)) async throws -> URL {
        guard state == .idle else { throw state == .stopped ? SessionError.stopped : SessionError.alreadyStarted }
        state = .starting
        began = .now
        let deadline = began + startupTimeout
        interrupter.setDeadline(deadline)
        do {
            let playlist = try await withTaskCancellationHandler {
                try await bringUp(deadline: deadline)
            } onCancel: {
                interrupter.cancel()
            }
            guard state == .starting else { throw PrismCoreError.cancelled }
            state = .running
            mark(.playlistServable(playlist))
            endStartup()
            return playlist
        } catch {
            var known = PrismCoreError.classify(error, isFile: url.isFileURL)
            // What a wait that ran out left behind names only where it stood; the budget is the cause.
            if (error as? LibavError)?.kind == .deadlineExpired || known == .startupBudgetExpired(seconds: 0) {
                known = .startupBudgetExpired(seconds: Double(startupTimeout.components.seconds) + Double(startupTimeout.components.attoseconds) / 1e18)
            }
            failure = failure ?? known
            await stop()
            if let none = error as? LoopbackHTTPServer.NoLocalNetworkInterface { throw none }
            throw known
        }
    }

    /// Ends everything at once, whatever is going on: reading, waiting, serving. Safe to call any number of times.
    public func stop() async {
        interrupter.cancel()
        guard state != .stopped else { return }
        state = .stopped
        endStartup()
        let (server, producer, store, words) = (self.server, self.producer, self.store, self.words)
        (self.server, self.source) = (nil, nil)
        if server != nil || producer != nil {
            _ = try? await BlockingWork.run {
                words?.stop()
                producer?.stop()
                server?.stop()
                store?.removeAll()
            }
        }
        for reader in eventReaders { reader.finish() }
        eventReaders = []
    }

    private func bringUp(deadline: ContinuousClock.Instant) async throws -> URL {
        let source = try await openSource()
        self.source = source
        mark(.streamInfoResolved(source.info))
        var options = options
        options.audioDelaySeconds = requestedDelay.seconds
        options.externalSubtitles = externalSubtitles
        let (url, asked, origin) = (url, options, origin)
        let assembly = try await BlockingWork.run {
            try SessionAssembly(source: source, url: url, options: asked, origin: origin, deadline: deadline)
        }
        guard state == .starting else { throw PrismCoreError.cancelled }
        self.assembly = assembly
        mark(.segmentPlanReady(origin: assembly.planOrigin, segments: assembly.plan?.segments.count ?? 0))

        // Whatever is read from here on is playback, which has no deadline.
        interrupter.setDeadline(nil)
        let store = SegmentStore(budget: options.segmentCacheBytes, policy: policy(assembly, isLocal: source.file != nil))
        var configuration = assembly.configuration
        if let clock { configuration.clock = clock }
        let words = SessionWords(
            assembly, source: source, url: url, httpHeaders: httpHeaders, delay: requestedSubtitleDelay, history: options.subtitleCueHistory)
        configuration.words = words?.packets
        let producer = Producer(configuration: configuration, reader: source.reader, store: store) { [weak self] event in
            switch event {
            case .failed(let error): Task { await self?.producerFailed(PrismCoreError.classify(error)) }
            case .bridgeFailed(let rendition, let failure): Task { await self?.bridgeFailed(rendition, failure) }
            case .produced, .reachedEnd: break
            }
        }
        let subtitles = words?.resources(assembly, producer: producer, shape: configuration.shape, delay: requestedSubtitleDelay)
        let resources = SessionResources(
            identity: assembly.identity, renditions: assembly.renditions, playlists: assembly.playlists, plan: assembly.plan, shape: configuration.shape,
            independent: assembly.isIndependent, producer: producer, subtitles: subtitles,
            viewerIsIn: { words?.follow(viewerIn: $0) }, supplements: supplements(description(assembly)), answering: answering)
        let server = LoopbackHTTPServer(
            port: options.port, reachability: options.reachability, interface: options.networkInterface, provider: resources
        ) { [weak self] event in
            Task { await self?.serverSaid(event) }
        }
        do throws(ServerError) {
            try server.start()
        } catch {
            if case .noLocalNetworkInterface(let none) = error { throw none }
            throw PrismCoreError.unknown(description: "the loopback server did not start: \(error)")
        }
        (self.store, self.producer, self.server) = (store, producer, server)
        (self.words, subtitleResources) = (words, subtitles)
        if let cueHandler { setTimedTextCueHandler(cueHandler) }
        announcedAddress = server.serviceAddress
        producer.start()
        // What was asked for meanwhile.
        if producer.setAudioDelay(requestedDelay) == nil { requestedDelay = producer.audioDelay.inForce }

        let renditions = assembly.renditions.map(\.id)
        let isPlanned = assembly.plan != nil
        try await BlockingWork.run {
            // A growing playlist that lists nothing is none to a player: each rendition waits for its first entry, but no longer than it takes
            // to know that its sound begins later.
            for id in isPlanned ? [.video] : renditions {
                let key = SegmentStore.Key(id, 0)
                let left = deadline - ContinuousClock.now
                switch producer.wait(for: key, atMost: max(left, .zero)) {
                case .ready: continue
                case .unavailable where id != .video && producer.failure == nil: continue
                case .unavailable: throw producer.failure.map(PrismCoreError.classify) ?? PrismCoreError.sourceNotMedia(reason: "it holds no picture that can be decoded")
                case .stillPending: throw PrismCoreError.startupBudgetExpired(seconds: 0)
                }
            }
        }
        guard state == .starting else { throw PrismCoreError.cancelled }
        mark(.firstVideoSegmentWritten(index: 0))
        guard let playlist = URL(string: server.baseURL + assembly.playlistName) else {
            throw PrismCoreError.unknown(description: "no URL for the playlist")
        }
        return playlist
    }

    private func policy(_ assembly: SessionAssembly, isLocal: Bool) -> SegmentStore.Policy {
        guard assembly.plan != nil else { return options.sequentialPlaylist.storePolicy }
        return .reproducible(isLocal ? .local : .remote)
    }

    private func openSource() async throws -> AnalyzedSource {
        if let taken = probed?.takeSource() {
            mark(.sourceOpened)
            return taken
        }
        let (locator, headers, interrupter) = (SourceLocator(url: url), SourceProbe.demuxerOptions(httpHeaders), interrupter)
        let (source, opened) = try await BlockingWork.run {
            var opened = ContinuousClock.now
            let source = try AnalyzedSource(location: locator, options: headers, interrupter: interrupter) { [weak self] in
                let now = ContinuousClock.now
                opened = now
                Task { [weak self] in await self?.markOpened(at: now) }
            }
            return (source, opened)
        }
        markOpened(at: opened)
        return source
    }

    // MARK: What happened

    /// Stages of startup, those already reached first. Ends when startup is over, well or not.
    public func startupCheckpoints() -> AsyncStream<StartupCheckpoint> {
        let (stream, continuation) = AsyncStream.makeStream(of: StartupCheckpoint.self)
        for checkpoint in checkpointLog { continuation.yield(checkpoint) }
        if startupIsOver { continuation.finish() } else { checkpointReaders.append(continuation) }
        return stream
    }

    /// The stages reached so far.
    public var checkpoints: [StartupCheckpoint] { checkpointLog }

    /// What goes wrong or slow while serving. Ends with the session.
    public func playbackEvents() -> AsyncStream<PlaybackEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: PlaybackEvent.self, bufferingPolicy: .bufferingNewest(Self.eventBuffer))
        if state == .stopped { continuation.finish() } else { eventReaders.append(continuation) }
        return stream
    }

    /// Said as soon as it is so, by a message that what follows may overtake: whichever comes first counts.
    private func markOpened(at instant: ContinuousClock.Instant) {
        guard checkpointLog.isEmpty else { return }
        mark(.sourceOpened, at: instant)
    }

    private func mark(_ phase: StartupPhase, at instant: ContinuousClock.Instant = .now) {
        guard !startupIsOver else { return }
        let checkpoint = StartupCheckpoint(phase: phase, elapsed: instant - began)
        checkpointLog.append(checkpoint)
        for reader in checkpointReaders { reader.yield(checkpoint) }
    }

    private func endStartup() {
        guard !startupIsOver else { return }
        startupIsOver = true
        for reader in checkpointReaders { reader.finish() }
        checkpointReaders = []
    }

    private func serverSaid(_ event: ServerEvent) {
        switch event {
        case .slowServe(let name, let waited): emit(.slowServe(path: name, waited: waited))
        case .serveTimedOut(let name), .serveFailed(let name): emit(.serveTimedOut(path: name))
        case .serviceAddressChanged(let address):
            // Events come by tasks of their own, which may overtake each other; the server knows what is so now.
            let current = serviceAddress ?? address
            guard current != announcedAddress else { return }
            announcedAddress = current
            emit(.serviceAddressChanged(current))
        }
    }

    private func producerFailed(_ error: PrismCoreError) {
        guard failure == nil, state != .stopped else { return }
        failure = error
        emit(.producerFailed(error))
    }

    private func bridgeFailed(_ id: RenditionID, _ failure: BridgeFailure) {
        guard state != .stopped, let assembly, let rendition = assembly.configuration.renditions.first(where: { $0.id == id }) else { return }
        let known = AudioBridgeFailure(failure, streamIndex: rendition.track.streamIndex, name: assembly.names[id] ?? id.description)
        guard !audioBridgeFailures.contains(known) else { return }
        audioBridgeFailures.append(known)
        emit(.audioBridgeFailed(known))
    }

    private func emit(_ event: PlaybackEvent) {
        for reader in eventReaders { reader.yield(event) }
    }

    // MARK: What is known

    /// Why production ended, once it has failed; or why a film whose pictures go on is silent: the track it starts with, read to the end, gave
    /// nothing (``AudioBridgeFailure/producedNoAudio(streamIndex:name:)``).
    public var remuxFailure: PrismCoreError? {
        if let failure { return failure }
        // By name: a boost of it is made of the same stream.
        let heard = assembly.flatMap { assembly in assembly.defaultAudio.flatMap { assembly.names[$0] } }
        for case .producedNoAudio(let index, let name) in audioBridgeFailures where name == heard {
            return .audioBridgeFailed(.producedNoAudio(streamIndex: index, name: name))
        }
        return nil
    }

    /// Why production ended, once it has failed.
    package var productionFailure: PrismCoreError? { failure }

    /// The source, while it is open.
    var openedSource: AnalyzedSource? { source }

    /// What words it offers, once that is decided.
    var offeredWords: SubtitleAssembly? { assembly?.subtitles }

    /// The playlist to hand to a player; `nil` before it is known and after the end.
    package var playlist: URL? {
        guard let assembly, let server else { return nil }
        return URL(string: server.baseURL + assembly.playlistName)
    }

    /// The source, once `start()` has described it.
    public var sourceInfo: SourceInfo? { assembly?.info ?? source?.info }

    /// Chapters of the source, which HLS cannot carry: the host's to draw.
    public var chapters: [ChapterInfo] { assembly?.info.chapters ?? [] }

    /// How the film's sound reaches the player, over all tracks.
    public var audioDelivery: AudioDelivery { assembly.map { AudioDelivery($0.deliveries) } ?? .undetermined }

    /// What became of each audio track of the source.
    public var audioTrackDeliveries: [AudioTrackDelivery] { assembly?.deliveries ?? [] }

    /// Why the audio track that carries DEFAULT does: the preference it answers and how well, or that none was answered and what decided. For a
    /// log; `nil` before it is known, and for a film without sound.
    public var defaultAudioReason: String? { assembly?.defaultAudioReason }

    /// How each audio rendition is produced, and what came out of the bridges so far.
    public var audioRenditionProductions: [AudioRenditionProduction] {
        guard let assembly else { return [] }
        let (counts, resting) = (producer?.bridgeCounts ?? [:], producer?.restingRenditions ?? assembly.configuration.onDemand)
        let bridged = Set(assembly.configuration.bridged.map(\.rendition))
        return assembly.configuration.renditions.filter { $0.id != .video }.map { rendition in
            let isBridged = bridged.contains(rendition.id)
            return AudioRenditionProduction(
                streamIndex: rendition.track.streamIndex, name: assembly.names[rendition.id] ?? rendition.id.description,
                isDefault: rendition.id == assembly.defaultAudio, state: resting.contains(rendition.id) ? .resting : .produced,
                bridge: isBridged ? AudioRenditionProduction.Bridge(counts[rendition.id] ?? BridgeCounts()) : nil,
                padding: AudioRenditionProduction.Padding(rendition.padding))
        }
    }

    /// The renditions that ``Options/dialogueBoost`` asked for and the session offers.
    public var dialogueBoostRenditions: [DialogueBoostRendition] { assembly?.dialogueBoosts ?? [] }

    /// Why it offers none, or fewer than were asked for; `nil` where it offers all.
    public var dialogueBoostRefusal: String? { assembly?.dialogueBoostRefusal }

    /// Where a rendition's sound is in the store; `nil` stands for the one the film starts with.
    func residentSound(_ name: String?) throws(CachedAudioError) -> (sound: ResidentSound, producer: Producer) {
        guard state == .running, let assembly, let store, let producer else { throw .notServing }
        let id: RenditionID
        if let name {
            guard let named = assembly.names.first(where: { $0.value == name })?.key else { throw .unknownRendition(name) }
            id = named
        } else {
            guard let first = assembly.defaultAudio else { throw .noAudio }
            id = first
        }
        guard let rendition = assembly.configuration.renditions.first(where: { $0.id == id }) else { throw .noAudio }
        let picture = assembly.configuration.joined == id ? assembly.renditions.first { $0.id == .video } : nil
        return (ResidentSound(store: store, of: id, joinedWith: picture, served: rendition, plan: assembly.plan), producer)
    }

    /// The segment in which a time lies; of a session without a plan, one that is here.
    func segment(at time: MediaTime) -> Int? {
        if let plan = assembly?.plan { return plan.segments.lastIndex { $0.start <= time } ?? 0 }
        return store?.residents(of: .video).last { $0.start <= time }?.index
    }

    /// What seeking rests on; `nil` before it is known.
    public var planOrigin: PlanOrigin? { assembly?.planOrigin }

    /// What the plan was made of; `nil` without one, or before it is known.
    public var planEvidence: PlanEvidence? { assembly?.planEvidence }

    /// Which playlist is served, what it claims and why; `nil` before it is known.
    public var displayReport: DisplayReport? { assembly?.display }

    /// What a host on tvOS asks of the display before it hands the playlist to a player; `nil` before it is known, or where there is nothing
    /// to ask.
    public var displayCriteria: DisplayCriteriaChoice? { assembly?.display.criteria }

    /// Spans of video that are ready to serve, in seconds on the source's own clock.
    public var residentRanges: [ClosedRange<Double>] {
        store?.residentVideoRanges().map { $0.start.seconds...max($0.start.seconds, $0.end.seconds) } ?? []
    }

    /// Whether the address in the playlist's URL still leads to this session; `nil` while it does not serve.
    public var serviceAddress: LoopbackHTTPServer.ServiceAddress? { server?.serviceAddress }

    /// Bytes read from the source so far.
    public var sourceBytesRead: Int64 { source?.reader.demuxer.bytesRead ?? 0 }

    /// What is done to the film's Dolby Vision; `nil` where it is served as it is.
    public var dolbyVisionConversion: DolbyVisionConversion? {
        guard assembly?.renditions.first?.track.dolbyVision?.convertsProfile7 ?? false else { return nil }
        let counts = producer?.dolbyVisionCounts ?? .init()
        return DolbyVisionConversion(
            conversion: .profile7ToProfile81, convertedUnits: counts.converted, failedUnits: counts.failed, enhancementUnitsLeftOut: counts.enhancementUnits)
    }

    /// Repairs made to the source's timestamps so far.
    public var timestampRepairs: TimestampRepairs {
        let counts = producer?.counts ?? .init()
        var repairs = TimestampRepairs()
        repairs.discontinuities = counts.discontinuities
        repairs.missingTimes = counts.missingTimes
        repairs.repeatedTimes = counts.repeatedTimes
        repairs.undecodablePictures = counts.undecodablePictures
        repairs.lateAudioFrames = counts.lateAudioFrames
        repairs.silentAudioFrames = counts.silentAudioFrames
        repairs.cutSamples = counts.cutSamples
        repairs.damagedPackets = counts.damagedPackets
        return repairs
    }

    /// Another session over the same source; see ``makeSession(changing:)``.
    func succeed(_ origin: Origin, _ changing: (inout Options) -> Void) throws(SessionError) -> PrismCoreSession {
        guard !isSuperseded else { throw .alreadySuperseded }
        isSuperseded = true
        var changed = options
        changed.audioDelaySeconds = requestedDelay.seconds
        changed.subtitleDelaySeconds = requestedSubtitleDelay
        changed.externalSubtitles = externalSubtitles
        changing(&changed)
        // The host stops this session once the new playlist is loaded: until then its port is taken.
        if changed.port == options.port { changed.port = 0 }
        return PrismCoreSession(
            url: url, httpHeaders: httpHeaders, options: changed, probed: nil, supplements: supplements, answering: answering, clock: clock, origin: origin,
            cueHandler: cueHandler)
    }

    private func description(_ assembly: SessionAssembly) -> SessionDescription {
        SessionDescription(
            title: SourceLocator(url: url).displayName, info: assembly.info, engine: assembly.decision.engine, reason: assembly.decision.reason,
            planOrigin: assembly.planOrigin, deliveries: assembly.deliveries, display: assembly.display, playlistName: assembly.playlistName, checkpoints: checkpointLog,
            origin: assembly.plan?.start.seconds ?? assembly.info.startTime ?? 0)
    }
}
