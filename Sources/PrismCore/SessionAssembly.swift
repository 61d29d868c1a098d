internal import BitsAndTime
internal import Foundation
internal import Languages
internal import Libav
internal import Remux
internal import SubtitleRenditions
internal import Subtitles

/// A source, decided and planned: everything a session serves, before anything is produced.
struct SessionAssembly: Sendable {
    let identity: SessionIdentity
    let info: SourceInfo
    /// What has playlists of its own.
    let renditions: [Rendition]
    let deliveries: [AudioTrackDelivery]
    let plan: SegmentPlan?
    let planOrigin: PlanOrigin
    let planEvidence: PlanEvidence?
    let isIndependent: Bool
    let playlists: [String: [UInt8]]
    let configuration: Producer.Configuration
    let decision: PrismCoreEngine.Decision
    let display: DisplayReport
    /// The playlist a player gets, from the server's root.
    let playlistName: String
    /// Renditions' NAMEs, by audio rendition.
    let names: [RenditionID: String]
    /// The audio rendition a player starts with.
    let defaultAudio: RenditionID?
    /// Why that one.
    let defaultAudioReason: String?
    let dialogueBoosts: [DialogueBoostRendition]
    let dialogueBoostRefusal: String?
    let subtitles: SubtitleAssembly
    let teletextPage: Int?
    /// The picture's index, where the source itself has none.
    let entries: [IndexEntry]

    /// - Throws: ``PrismCoreError``.
    init(source: AnalyzedSource, url: URL, options: PrismCoreSession.Options, origin: PrismCoreSession.Origin, deadline: ContinuousClock.Instant?) throws(PrismCoreError) {
        info = source.info
        guard !source.streams.isEmpty else { throw .sourceNotMedia(reason: "no track could be read") }
        do throws(RoutingFailure) {
            decision = try PrismCoreEngine.decide(for: source.info, capabilities: options.player)
        } catch {
            throw PrismCoreError.classify(error)
        }
        guard let video = source.video else { throw .noVideoStream }
        guard decision.engine == .remux, case .copyable(let copyable) = video.verdict else {
            throw .videoCodecNotRemuxable(codec: video.stream.codecName, reason: decision.reason)
        }

        let route = source.dolbyVision.flatMap { DolbyVisionRoute($0, preferences: DolbyVisionPreferences(options)) }
        let picture = copyable.routed(route)
        let head = source.reader.head
        let edited = source.reader.demuxer.countHiddenEntries(streamIndex: video.stream.index)
        guard edited.hidden == 0 || edited.shown > 0 else { throw .sourceNotMedia(reason: "it holds no picture that its edit list shows") }
        var (main, translator) = RenditionFactory.video(
            picture, stream: video.stream, head: head[video.stream.index] ?? [], hidesPictures: edited.hidden > 0)
        if let route, route.convertsProfile7 || route.dropsEnhancementLayer { translator.dolbyVision = DolbyVisionFilter(converts: route.convertsProfile7) }
        var renditions = [main]
        var translators: [Int: (id: RenditionID, translator: PacketTranslator)] = [video.stream.index: (.video, translator)]
        var bridges: [Int: BridgedTrack] = [:]
        var routes: [(stream: Int, id: RenditionID?, reason: String)] = []
        for (stream, verdict) in source.audio {
            switch options.route(stream, verdict: verdict, for: options.player) {
            case .refused(let reason):
                routes.append((stream.index, nil, reason))
                source.reader.demuxer.setDiscard(streamIndex: stream.index, true)
            case .bridged(let ladder, let reason):
                do throws(BridgeFactory.Refusal) {
                    let product = try BridgeFactory.make(
                        stream, number: renditions.count - 1, head: head[stream.index] ?? [], demuxer: source.reader.demuxer,
                        ladder: ladder, videoStart: main.firstPresentation, shaping: options.audioShaping.shaping())
                    renditions.append(product.rendition)
                    translators[stream.index] = (product.rendition.id, product.translator)
                    bridges[stream.index] = product.track
                    routes.append((stream.index, product.rendition.id, reason))
                } catch {
                    routes.append((stream.index, nil, error.reason))
                    source.reader.demuxer.setDiscard(streamIndex: stream.index, true)
                }
            case .copied:
                guard case .copyable(let track) = verdict else { continue }
                let number = renditions.count - 1
                let (rendition, translator) = RenditionFactory.audio(
                    track, number: number, stream: stream, head: head[stream.index] ?? [],
                    parameters: CodecParameters(demuxer: source.reader.demuxer, streamIndex: stream.index))
                renditions.append(rendition)
                translators[stream.index] = (rendition.id, translator)
                routes.append((stream.index, rendition.id, ""))
            }
        }
        guard let claims = VideoClaims(picture.description) else { throw .noVideoStream }
        display = DisplayReport(claims: claims, dolbyVision: route, options: options, origin: origin)
        let choice = AudioChoice(among: renditions.dropFirst().map(\.track.candidate), preferring: options.preferredAudioLanguages)
        let chosen = choice?.index
        defaultAudioReason = choice?.reason
        let first = chosen.map { renditions[$0 + 1].id }
        var joined: RenditionID?
        if display.playlist.kind == .media {
            // One media playlist has no choice of tracks: the one to start with goes into the picture's segments.
            let kept = chosen.map { renditions[$0 + 1] }
            joined = kept?.id
            renditions = [main] + (kept.map { [$0] } ?? [])
            for (at, route) in routes.enumerated() {
                guard let id = route.id, id != joined else { continue }
                routes[at] = (route.stream, nil, "one media playlist carries one audio track")
                translators[route.stream] = nil
                bridges[route.stream] = nil
                source.reader.demuxer.setDiscard(streamIndex: route.stream, true)
            }
        }
        if let file = source.file {
            let transport = TransportSample.Place(file, formatName: source.reader.demuxer.formatName, stream: video.stream)
            for stream in translators.keys where bridges[stream] == nil {
                translators[stream]?.translator.locator = PayloadLocator(file: file, transport: stream == video.stream.index ? transport : nil)
            }
        }

        let served = source.audio.map(\.stream).filter { translators[$0.index] != nil && bridges[$0.index] == nil }
        let loader = PlanLoader(
            reader: source.reader, stream: video.stream, track: picture, deadline: deadline, file: source.file, remote: source.remote, audio: served)
        var (peak, exact): (Int64?, ServedBitRate?)
        do throws(SegmentPlan.Rejection) {
            if options.playsSequentially { throw .notWanted }
            if source.changesParameterSets(picture) { throw .parameterSets(at: nil) }
            let planned = try loader.load(sourceEnd: source.sourceEnd)
            plan = planned.plan
            planOrigin = .builtFromSource
            switch planned.evidence {
            case .index: planEvidence = .containerIndex
            case .scan(let bytesRead, let elapsed): planEvidence = .headerScan(bytesRead: bytesRead, elapsed: elapsed)
            }
            isIndependent = planned.isIndependent
            (peak, exact) = (planned.peakBitRate, planned.servedBitRate)
        } catch {
            if case .encrypted = error { throw .sourceEncrypted }
            plan = nil
            planEvidence = nil
            planOrigin = .sequential(reason: Self.describe(error))
            isIndependent = false
            // The looks that the loader took moved the reader; a source that cannot go back was not moved.
            if source.reader.demuxer.isSeekable {
                do throws(LibavError) { try source.reader.rewind() } catch { throw PrismCoreError.classify(error, isFile: false) }
            }
        }

        // What nobody may ever hear is produced once somebody asks for it; without a plan there is no going back for it.
        for (at, route) in routes.enumerated() where plan == nil {
            guard let id = route.id, id != first, bridges[route.stream] != nil else { continue }
            routes[at] = (route.stream, nil, "\(route.reason), and a session without a plan bridges the track it starts with only")
            translators[route.stream] = nil
            bridges[route.stream] = nil
            renditions.removeAll { $0.id == id }
            source.reader.demuxer.setDiscard(streamIndex: route.stream, true)
        }
        for (stream, track) in bridges where track.rendition != first { source.reader.demuxer.setDiscard(streamIndex: stream, true) }
        let base = AudioSelection.names(renditions.dropFirst().map(\.track))
        let start = renditions.dropFirst().firstIndex { $0.id == first }
        let boosts = DialogueBoostAssembly(
            start.flatMap { at in source.audio.first { $0.stream.index == renditions[at].track.streamIndex }?.stream },
            name: start.map { base[$0 - 1] } ?? "", number: source.audio.count, isPlanned: plan != nil, isJoined: joined != nil, options: options
        ) { stream, number, shaping throws(BridgeFactory.Refusal) in
            try BridgeFactory.make(
                stream, number: number, head: head[stream.index] ?? [], demuxer: source.reader.demuxer,
                ladder: TrackRouting.ladder(of: options.player, mode: options.audioBridgeMode), videoStart: main.firstPresentation, shaping: shaping)
        }
        renditions += boosts.products.map(\.product.rendition)
        dialogueBoostRefusal = boosts.refusal
        let produced = renditions
        if joined != nil, let sound = renditions.popLast() { renditions = [main.joining(sound)] }
        self.renditions = renditions
        identity = SessionIdentity(source: url, renditions: renditions, plan: plan, sound: options.soundVariation)
        let audio = Array(produced.dropFirst())
        let tracks = audio.map(\.track)
        let names = Dictionary(uniqueKeysWithValues: zip(audio.map(\.id), AudioSelection.names(tracks)))
        self.names = names
        defaultAudio = first
        dialogueBoosts = boosts.products.map {
            DialogueBoostRendition(level: $0.level, name: names[$0.product.rendition.id] ?? "", streamIndex: $0.product.rendition.track.streamIndex)
        }
        deliveries = routes.map { route in
            guard let id = route.id else { return AudioTrackDelivery(streamIndex: route.stream, route: .leftOut(reason: route.reason)) }
            if bridges[route.stream] != nil, let track = tracks.first(where: { $0.streamIndex == route.stream }) {
                return AudioTrackDelivery(
                    streamIndex: route.stream,
                    route: .bridged(
                        name: names[id] ?? id.description, codec: track.codecString, channels: track.audio?.channels ?? 0, isDefault: id == first,
                        reason: route.reason))
            }
            return AudioTrackDelivery(
                streamIndex: route.stream, route: .copied(name: names[id] ?? id.description, isDefault: id == first))
        }

        teletextPage = options.teletextPage
        subtitles = SubtitleAssembly(
            source.streams, captions: source.captions, inBand: options.inBandClosedCaptions, external: options.externalSubtitles,
            isListed: display.playlist.kind != .media, preferring: options.preferredSubtitleLanguages
        ) { [isPlanned = plan != nil] language in
            // Reading a picture takes longer than a producer can wait for.
            isPlanned ? SystemRecogniser.absence(of: language)?.description : "a session without a plan reads no pictures of words"
        }
        if case .headerScan? = planEvidence { entries = source.reader.demuxer.indexEntries(streamIndex: video.stream.index) } else { entries = [] }
        if plan == nil { for index in subtitles.offers.compactMap(\.streamIndex) { source.reader.demuxer.setDiscard(streamIndex: index, false) } }

        // A container's rate is its size by its length, and a wrong length makes it next to nothing: no film is below this. Too low a BANDWIDTH
        // stalls players (RFC 8216 §4.3.4.2), so such a rate counts as unknown.
        let whole = info.bitRate.flatMap { $0 >= 8000 ? $0 : nil }
        let absent = ServedBitRate.leftOut(source.streams.filter { translators[$0.index] == nil || bridges[$0.index] != nil })
        // A variant's rate is that of its picture and its largest sound, which may be one that is encoded; FLAC takes about two thirds of what goes in.
        let copied = source.audio.filter { translators[$0.stream.index] != nil && bridges[$0.stream.index] == nil }.compactMap(\.stream.bitRate).max() ?? 0
        let encoded = (bridges.values + boosts.products.map(\.product.track)).map { (peak: $0.bitRate, average: $0.format.codec == .flac ? $0.bitRate * 2 / 3 : $0.bitRate) }
        let added = encoded.map { max(0, $0.peak - copied) }.max() ?? 0
        let read = exact?.average ?? whole.map { $0 - absent.average >= 8000 ? $0 - absent.average : $0 }
        let average = read.map { $0 + (encoded.map { max(0, $0.average - copied) }.max() ?? 0) }
        // Without an index nobody knows the peak; half as much again covers what films do.
        let bandwidth = added + (exact?.peak ?? peak.map { max($0 - absent.constant, 8000) } ?? read.map { $0 + $0 / 2 } ?? 10_000_000)
        var playlists: [String: [UInt8]] = [:]
        if display.playlist.kind != .media {
            let served = display.served(claims)
            let ordered = audio.filter { $0.id == first } + audio.filter { $0.id != first }
            playlists[PlaylistBuilder.multivariantName] = PlaylistBuilder.multivariant(
                claims: served, audio: ordered, names: names, defaultAudio: first, independent: isIndependent, peakBitRate: max(bandwidth, average ?? 0),
                averageBitRate: average, directory: identity.directory, subtitles: subtitles.offers.map(\.listing), captions: subtitles.inBand)
            for (number, rendition) in audio.enumerated() {
                playlists[PlaylistBuilder.multivariantName(audio: number)] = PlaylistBuilder.multivariant(
                    claims: served, audio: [rendition], names: names, defaultAudio: rendition.id, independent: isIndependent,
                    peakBitRate: max(bandwidth, average ?? 0), averageBitRate: average, directory: identity.directory,
                    subtitles: subtitles.offers.map(\.listing), captions: subtitles.inBand)
            }
        }
        playlistName = playlists.isEmpty ? PlaylistBuilder.mediaPlaylistName : PlaylistBuilder.multivariantName
        self.playlists = playlists
        var configuration = Producer.Configuration(
            renditions: produced, translators: translators, videoStreamIndex: video.stream.index,
            videoTimeBase: TickBase(numerator: video.stream.timeBaseNumerator, denominator: video.stream.timeBaseDenominator), plan: plan,
            shape: options.sequentialPlaylist.shape(budget: options.segmentCacheBytes), joined: joined)
        if let route, route.convertsProfile7, let layer = source.enhancementLayer {
            configuration.enhancementLayer = EnhancementLayerJoin(layer: layer, base: video.stream, baseFraming: picture.framing)
        } else if let layer = source.enhancementLayer {
            source.reader.demuxer.setDiscard(streamIndex: layer.index, true)
        }
        configuration.bridges = bridges
        configuration.audioDelay = AudioDelay(seconds: options.audioDelaySeconds)
        configuration.derived = boosts.products.map {
            Producer.DerivedRendition(streamIndex: $0.product.rendition.track.streamIndex, track: $0.product.track, translator: $0.product.translator)
        }
        configuration.onDemand = Set(configuration.bridged.map(\.rendition).filter { $0 != first })
        self.configuration = configuration
    }

    /// Why there is no plan, in words for a log.
    static func describe(_ rejection: SegmentPlan.Rejection) -> String {
        switch rejection {
        case .noIndex: "the container has no keyframe index"
        case .unknownDuration: "the source does not say how long it is"
        case .coverage(let span): "the index covers only \(span.seconds) s"
        case .gap(let gap): "two keyframes of the index lie \(gap.seconds) s apart"
        case .end(let last, let duration): "the index ends at \(last.seconds) s of \(duration.seconds) s"
        case .notRandomAccess(let time): "the picture at \(time.seconds) s is indexed as a keyframe and is none"
        case .budgetExpired: "the index did not load in time"
        case .notSeekable: "the source cannot seek"
        case .scanExpired: "the container has no index that holds up, and its keyframes were not found in time"
        case .encrypted(let time?): "the picture at \(time.seconds) s is encrypted"
        case .encrypted(nil): "its picture is encrypted from somewhere on"
        case .parameterSets(let time?): "its picture changes its configuration at \(time.seconds) s or before"
        case .parameterSets(nil): "its picture changes its configuration on the way"
        case .notWanted: "as asked for"
        case .editList: "its edit list shows parts of it again or out of order"
        case .clockJumps(let time): "the source's clock jumps at \(time.seconds) s"
        }
    }
}
