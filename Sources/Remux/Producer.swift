internal import Locks
internal import BitsAndTime
internal import Foundation
package import Libav

/// Produces a session's fragments on a thread of its own: reads, places, cuts, stores, and goes where demand is.
package final class Producer: Sendable {
    package enum Event: Sendable {
        /// A fragment is in the store.
        case produced(RenditionID, index: Int)
        /// The source has been read to its end.
        case reachedEnd
        /// A bridged track gives no sound, or less than it holds. Once for each track and cause.
        case bridgeFailed(RenditionID, BridgeFailure)
        /// Reading failed; nothing more will be produced.
        case failed(LibavError)
    }

    /// A segment from which on another init segment applies.
    package struct Renewal: Sendable, Equatable {
        package let segment: Int
        package let initialization: [UInt8]
    }

    /// All that other threads ask of or tell the producer.
    struct Progress {
        var schedule: ProductionSchedule
        var window: SlidingWindow
        var counts = TimestampRepair.Counts()
        /// Frames of silence by segment, where a segment may be produced again.
        var silence: [SegmentStore.Key: Int] = [:]
        var dolbyVision = DolbyVisionFilter.Counts()
        /// Those of earlier runs, where a second stream's are counted by the run.
        var earlierDolbyVision = DolbyVisionFilter.Counts()
        var demandCounts: [SegmentStore.Key: Int] = [:]
        /// Who is heard of the bridged tracks: only those are decoded.
        var bridging: BridgeDemand
        var bridges: [RenditionID: BridgeCounts] = [:]
        /// Those of earlier runs.
        var earlierBridges: [RenditionID: BridgeCounts] = [:]
        /// What was said of them.
        var bridgeFailures: [RenditionID: Set<BridgeFailure>] = [:]
        var renewals: [Renewal] = []
        var audioDelay: AudioDelay
        /// One that is asked for and not yet in force.
        var pendingDelay: AudioDelay?
        /// How often another one was asked for.
        var soundEpoch = 0
        var isStopped = false
        var failure: LibavError?
        var hasFinished = false
    }

    let progress: Monitor<Progress>
    let configuration: Configuration
    private let reader: SourceReader
    let store: SegmentStore
    private let onEvent: @Sendable (Event) -> Void

    /// - Parameters:
    ///   - reader: Handed over: only the producer's thread touches it from here on.
    ///   - onEvent: Called on the producer's thread; must not block.
    package init(configuration: Configuration, reader: SourceReader, store: SegmentStore, onEvent: @escaping @Sendable (Event) -> Void) {
        self.configuration = configuration
        self.reader = reader
        self.store = store
        self.onEvent = onEvent
        progress = Monitor(
            Progress(
                schedule: ProductionSchedule(memory: store.memoryBounds), window: SlidingWindow(renditions: configuration.served, shape: configuration.shape),
                bridging: BridgeDemand(bridged: configuration.bridged.map(\.rendition).filter { $0 != configuration.joined }, onDemand: configuration.onDemand),
                audioDelay: configuration.audioDelay))
    }

    // MARK: Any thread

    package func start() {
        let thread = Thread { [self] in
            run()
            progress.update { $0.hasFinished = true }
        }
        thread.name = "prism.producer"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Ends production whatever it is doing, and waits for the thread up to `limit`.
    ///
    /// - Returns: Whether the thread has ended.
    @discardableResult
    package func stop(atMost limit: Duration = .seconds(2)) -> Bool {
        progress.update { $0.isStopped = true }
        reader.interrupter.cancel()
        return progress.wait(atMost: limit) { $0.hasFinished ? true : nil } ?? false
    }

    /// Says that a client wants this fragment now.
    ///
    /// Each call is answered by one ``withdraw(_:)``.
    package func demand(_ key: SegmentStore.Key) {
        progress.update { state in
            store.expect(key)
            state.schedule.playhead = key.index
            state.schedule.hasClient = true
            for rested in state.bridging.demand(key.rendition, index: key.index, awaited: Set(state.schedule.demands.map(\.rendition))) { state.schedule.next[rested] = nil }
            if state.demandCounts[key, default: 0] == 0 { state.schedule.demands.append(key) }
            state.demandCounts[key, default: 0] += 1
        }
    }

    /// Takes a demand back: it was answered, or its client is gone.
    package func withdraw(_ key: SegmentStore.Key) {
        progress.update { state in
            let left = state.demandCounts[key, default: 1] - 1
            state.demandCounts[key] = left > 0 ? left : nil
            guard left <= 0 else { return }
            state.schedule.demands.removeAll { $0 == key }
            store.release(key)
        }
    }

    /// Wakes everyone who waits, to look at their conditions again.
    package func nudge() { progress.update { _ in } }

    /// Where the picture's configuration changed, in order: segments listed by now are covered.
    package var renewals: [Renewal] { progress.read { $0.renewals } }
    package var counts: TimestampRepair.Counts { progress.read { $0.counts } }
    /// What became of Dolby Vision units so far.
    package var dolbyVisionCounts: DolbyVisionFilter.Counts { progress.read { $0.dolbyVision } }
    /// What became of the bridged renditions so far, and which are produced at the moment.
    package var bridgeCounts: [RenditionID: BridgeCounts] { progress.read { $0.bridges } }
    package var restingRenditions: Set<RenditionID> { progress.read { $0.bridging.resting } }
    package var failure: LibavError? { progress.read { $0.failure } }

    // MARK: The producer's thread

    /// Read this much before a segment to be sure to have its first audio frames: nothing in files interleaved by decode time,
    /// more where the first packet seen proves it was too late.
    private static let margins = [MediaTime.zero, MediaTime(ticks: 2, timescale: 1), MediaTime(ticks: 10, timescale: 1)]

    /// How far before a packet's own time its place in the file may be looked for, when bridged tracks have to be read early anyway.
    private static let interleaveAllowance = MediaTime(ticks: 1, timescale: 2)

    private func run() {
        var translators = configuration.translators
        delay(&translators, by: configuration.audioDelay)
        var repair = TimestampRepair()
        var current: ProductionRun?
        do throws(LibavError) {
            if configuration.plan == nil { current = begin(0, level: Self.margins.count - 1, resting: restingRenditions) }
            while let step = nextStep() {
                if let index = takeDelay(&translators) {
                    current = try anchor(index, level: 0, translators: &translators)
                    continue
                }
                switch step {
                case .park:
                    continue
                case .anchor(let index):
                    current = try anchor(index, level: 0, translators: &translators)
                case .read:
                    guard let running = current.take() else {
                        current = try anchor(0, level: 0, translators: &translators)
                        continue
                    }
                    current = try read(running, translators: &translators, repair: &repair)
                }
            }
        } catch {
            let isOurs = progress.update { state in
                // Whoever stops a session cancels reading first: that is no failure, whichever is seen first.
                state.isStopped = state.isStopped || reader.interrupter.isCancelled
                if !state.isStopped { state.failure = error }
                // Nobody is there to put it in force, and what is here is given out still.
                state.pendingDelay = nil
                return state.isStopped
            }
            if !isOurs { onEvent(.failed(error)) }
        }
    }

    private func delay(_ translators: inout [Int: (id: RenditionID, translator: PacketTranslator)], by delay: AudioDelay) {
        for stream in translators.keys {
            // A bridge begins with its first frame by itself.
            let start = configuration.bridges[stream] == nil ? configuration.renditions.first { $0.track.streamIndex == stream }?.firstPresentation : nil
            translators[stream]?.translator.delay(by: delay, from: start)
        }
    }

    /// Puts a delay in force that was asked for.
    ///
    /// - Returns: The segment to go on with; `nil` where none was.
    private func takeDelay(_ translators: inout [Int: (id: RenditionID, translator: PacketTranslator)]) -> Int? {
        guard let plan = configuration.plan, progress.read({ $0.pendingDelay != nil }) else { return nil }
        // While one is pending nothing of these is given out: what is dropped now can no longer be served as the new.
        store.removeAll(of: Set(configuration.renditions.map(\.id).filter(holdsSound)))
        let taken = progress.update { state -> (delay: AudioDelay, playhead: Int)? in
            guard let pending = state.pendingDelay else { return nil }
            state.pendingDelay = nil
            state.audioDelay = pending
            return (pending, state.schedule.playhead)
        }
        guard let taken else { return nil }
        delay(&translators, by: taken.delay)
        return min(max(taken.playhead, 0), plan.segments.count - 1)
    }

    /// Packets read between two looks at what is wanted.
    private static let burst = 64

    /// Reads on until a fragment is out, a burst is over, or the source ends.
    private func read(
        _ start: consuming ProductionRun, translators: inout [Int: (id: RenditionID, translator: PacketTranslator)], repair: inout TimestampRepair
    ) throws(LibavError) -> ProductionRun {
        var run = start
        if !run.bridges.isEmpty || !run.derived.isEmpty { run.rest(restingRenditions) }
        for _ in 0..<Self.burst {
            guard let packet = try reader.next() else {
                configuration.words?.finish(repair.newestOffset)
                let left = run.layers?.finish() ?? []
                let fragments = run.joined(left.flatMap { run.assembler.append($0) } + run.finish(), isAtEnd: true)
                publish(fragments, running: run, isAtEnd: true, repair: repair, translators: translators)
                onEvent(.reachedEnd)
                return run
            }
            if !run.unentered.isEmpty, isFragmentary(packet, in: &run, translators: translators) { continue }
            let fragments = run.joined(try take(packet, into: &run, translators: &translators, repair: &repair))
            if let level = insufficientMargin(&run, packet: packet) { return try anchor(run.anchor, level: level, translators: &translators) }
            if !fragments.isEmpty {
                publish(fragments, running: run, isAtEnd: false, repair: repair, translators: translators)
                return run
            }
        }
        return run
    }

    /// Waits while there is nothing to do; `nil` once stopped.
    private func nextStep() -> ProductionSchedule.Step? {
        while true {
            let step: ProductionSchedule.Step?? = progress.wait(atMost: .seconds(60)) { state -> ProductionSchedule.Step?? in
                if state.isStopped { return .some(nil) }
                if state.pendingDelay != nil { return .some(.read) }
                let window = state.window
                let step = state.schedule.step(
                    plan: configuration.plan, isResident: store.contains, bytesAhead: store.byteCount(after: state.schedule.playhead), end: window.end,
                    listedEnd: window.byteCount(after: state.schedule.playhead) > ProductionSchedule.pauseByteCount ? .max : window.listedEnd)
                return step == .park ? nil : .some(step)
            }
            if let step {
                store.trim()
                return step
            }
        }
    }

    /// - Parameter resting: Renditions to leave out.
    private func begin(_ index: Int, level: Int, resting: Set<RenditionID>) -> ProductionRun {
        progress.update { state in
            state.schedule.anchor = index
            state.earlierDolbyVision = state.dolbyVision
            state.earlierBridges = state.bridges
            state.schedule.isAtEnd = false
            // One that was asked for meanwhile has no place in this run, and is anchored to next.
            for rendition in configuration.served { state.schedule.next[rendition] = resting.contains(rendition) ? nil : index }
            for rested in state.bridging.resting { state.schedule.next[rested] = nil }
        }
        let delay = audioDelay.inForce
        let produced = configuration.renditions.filter { !resting.contains($0.id) }.map { $0.delayed(by: delay) }
        let audio = produced.map(\.id).filter { $0 != .video }
        return ProductionRun(
            assembler: SegmentAssembler(renditions: produced, schedule: configuration.plan.map { .planned($0) } ?? .sequential, anchor: index),
            anchor: index, level: level, unproven: level + 1 < Self.margins.count && index > 0 ? Set(audio + [.video]) : [],
            layers: configuration.enhancementLayer, joiner: configuration.joined == nil ? nil : FragmentJoiner(),
            bridges: configuration.bridges.filter { !resting.contains($0.value.rendition) }.mapValues { AudioBridge($0.delayed(by: delay), plan: configuration.plan, anchor: index) },
            derived: configuration.derived.filter { !resting.contains($0.track.rendition) }.map {
                ProductionRun.Derived(
                    streamIndex: $0.streamIndex, bridge: AudioBridge($0.track.delayed(by: delay), plan: configuration.plan, anchor: index),
                    translator: $0.translator.delayed(by: delay, from: nil))
            })
    }

    private func anchor(_ index: Int, level: Int, translators: inout [Int: (id: RenditionID, translator: PacketTranslator)]) throws(LibavError) -> ProductionRun {
        let resting = restingRenditions
        guard let plan = configuration.plan else { return begin(index, level: level, resting: resting) }
        var isEntered = false
        // What is presented late lies early in the source.
        let delay = max(audioDelay.inForce.time, .zero)
        var margin = Self.margins[level] + (delay > .zero ? delay + Self.interleaveAllowance : .zero)
        let derived = configuration.derived.filter { !resting.contains($0.track.rendition) }
        for (stream, track) in configuration.bridges {
            reader.demuxer.setDiscard(streamIndex: stream, resting.contains(track.rendition) && !derived.contains { $0.streamIndex == stream })
        }
        for track in configuration.bridged where !resting.contains(track.rendition) {
            margin = max(margin, Self.margins[level] + delay + track.margin + Self.interleaveAllowance)
        }
        if index == 0 {
            try reader.rewind()
        } else {
            isEntered = try reader.seek(
                to: index, of: plan, stream: configuration.videoStreamIndex, timeBase: configuration.videoTimeBase, margin: margin)
        }
        for stream in translators.keys { translators[stream]?.translator.reset() }
        var run = begin(index, level: level, resting: resting)
        if isEntered { run.unentered = Set(translators.keys).union(run.layers.map { [$0.streamIndex] } ?? []) }
        return run
    }

    /// Whether a packet of a stream that was entered by place must be left out: it carries no time, or is what remained of a frame that
    /// began before. Behind such a piece libavformat counts times on from it, so all is left out up to the stream's next packet that
    /// lies elsewhere in the source and has a time of its own.
    private func isFragmentary(
        _ packet: Packet, in run: inout ProductionRun, translators: [Int: (id: RenditionID, translator: PacketTranslator)]
    ) -> Bool {
        guard run.unentered.contains(packet.streamIndex) else { return false }
        let isWhole = translators[packet.streamIndex]?.translator.isWhole(packet) ?? run.layers?.isWhole(packet) ?? true
        if let position = run.pieces[packet.streamIndex] {
            if packet.position < 0 || packet.position == position { return true }
        } else if packet.pts == nil || !isWhole {
            run.pieces[packet.streamIndex] = packet.position
            return true
        }
        run.unentered.remove(packet.streamIndex)
        return false
    }

    private func take(
        _ packet: Packet, into run: inout ProductionRun, translators: inout [Int: (id: RenditionID, translator: PacketTranslator)], repair: inout TimestampRepair
    ) throws(LibavError) -> [MediaFragment] {
        if run.layers?.streamIndex == packet.streamIndex {
            return try place(run.layers?.take(layer: packet) ?? [], in: &run)
        }
        if let words = configuration.words, words.streams.contains(packet.streamIndex) { words.take(packet, repair.newestOffset) }
        guard var entry = translators[packet.streamIndex] else { return [] }
        var offset = MediaTime.zero
        if configuration.plan == nil, let time = entry.translator.clockTime(of: packet) {
            offset = repair.offset(stream: packet.streamIndex, time: time, duration: entry.translator.duration(of: packet))
        }
        let sample = entry.translator.sample(from: packet, offset: offset)
        translators[packet.streamIndex] = entry
        switch sample {
        case .video(let picture):
            let silence = run.advance(to: picture.presentation)
            return silence + (try place(run.layers?.take(picture) ?? [picture], in: &run))
        case .audio(let frame):
            let derived = run.derived.isEmpty ? [] : run.derive(from: packet)
            guard let track = configuration.bridges[packet.streamIndex] else { return derived + run.assembler.append(frame, to: entry.id) }
            guard let bridge = run.bridges[packet.streamIndex] else { return derived }
            return derived + bridge.append(packet, at: frame.position, duration: frame.sampleCount).flatMap { run.assembler.append($0, to: track.rendition) }
        case nil: return run.derived.isEmpty ? [] : run.derive(from: packet)
        }
    }

    private func place(_ pictures: [VideoSample], in run: inout ProductionRun) throws(LibavError) -> [MediaFragment] {
        var fragments: [MediaFragment] = []
        for picture in pictures {
            guard let change = picture.change else {
                fragments += run.assembler.append(picture)
                continue
            }
            // A plan's playlists are out, and have one init segment.
            guard configuration.plan == nil, case .renewed(let renewed) = change else { throw .inputChanged(operation: "read") }
            let sound = configuration.renditions.first { $0.id == configuration.joined }
            let initialization = sound.map { Rendition.joined(renewed, with: $0) } ?? renewed
            fragments += run.assembler.append(picture)
            if let index = run.assembler.boundaries.last?.index { progress.update { $0.renewals.append(Renewal(segment: index, initialization: initialization)) } }
        }
        return fragments
    }

    /// Whether reading began too late for this run's first segment; then how early to begin instead.
    ///
    /// The first packet of each rendition shows it: an audio frame that is neither at the segment's start nor the track's first
    /// has predecessors that were not read, and so has a picture behind the keyframe that was sought.
    private func insufficientMargin(_ run: inout ProductionRun, packet: Packet) -> Int? {
        guard let plan = configuration.plan else { return nil }
        if run.layers?.lacksFirst ?? false, run.anchor > 0, run.level + 1 < Self.margins.count { return run.level + 1 }
        guard !run.unproven.isEmpty else { return nil }
        let segment = plan.segments[run.anchor]
        for derived in run.derived where derived.streamIndex == packet.streamIndex && run.unproven.remove(derived.bridge.track.rendition) != nil {
            if derived.bridge.lacksPreroll(of: run.anchor) { return run.level + 1 }
        }
        guard let (id, _) = configuration.translators[packet.streamIndex], run.unproven.remove(id) != nil else { return nil }
        if id == .video {
            let found = (plan.axis == .presentation ? packet.pts : packet.dts ?? packet.pts).map { $0 &* Int64(configuration.videoTimeBase.numerator) }
            return found.map { $0 > segment.indexTime } ?? false ? run.level + 1 : nil
        }
        if let bridge = run.bridges[packet.streamIndex] { return bridge.lacksPreroll(of: run.anchor) ? run.level + 1 : nil }
        guard let rendition = configuration.renditions.first(where: { $0.id == id }), let position = run.assembler.firstAudioPosition(of: id) else { return nil }
        let first = MediaTime(ticks: position, timescale: rendition.timescale)
        if first <= segment.start + rendition.frameDuration { return nil }
        if let earliest = rendition.firstPresentation, first <= earliest + max(audioDelay.inForce.time, .zero) { return nil }
        return run.level + 1
    }

    private func publish(
        _ fragments: [MediaFragment], running: ProductionRun, isAtEnd: Bool, repair: TimestampRepair,
        translators: [Int: (id: RenditionID, translator: PacketTranslator)]
    ) {
        // A plan promises a file for each segment; without one, what holds nothing is not listed.
        let listed = fragments.filter { configuration.plan != nil || $0.sampleCount > 0 }
        var dropped: [SegmentStore.Key] = []
        for fragment in listed { dropped += store.insert(fragment) }
        var over: [SegmentStore.Key] = []
        var failed: [(RenditionID, BridgeFailure)] = []
        progress.update { state in
            for fragment in fragments {
                if !state.bridging.resting.contains(fragment.rendition) { state.schedule.next[fragment.rendition] = fragment.index + 1 }
                if fragment.rendition == .video { state.schedule.segmentByteCount = fragment.content.memoryByteCount }
            }
            if configuration.plan == nil { over = list(listed, lost: dropped, in: &state.window) }
            state.schedule.isAtEnd = isAtEnd
            state.counts.discontinuities = repair.discontinuities
            state.counts.missingTimes = translators.values.reduce(0) { $0 + $1.translator.missingTimes }
            state.counts.cutSamples = translators.values.reduce(0) { $0 + $1.translator.cutSamples }
            state.counts.damagedPackets = translators.values.reduce(0) { $0 + $1.translator.damagedPackets }
            state.counts.repeatedTimes = running.assembler.repeatedTimes
            state.counts.undecodablePictures = running.assembler.undecodableVideoCount
            state.counts.lateAudioFrames = running.assembler.lateAudioCount
            for fragment in fragments {
                let key = SegmentStore.Key(fragment.rendition, fragment.index)
                guard fragment.silentFrames > 0 || state.silence[key] != nil else { continue }
                state.counts.silentAudioFrames += fragment.silentFrames - state.silence[key, default: 0]
                if configuration.plan != nil { state.silence[key] = fragment.silentFrames }
            }
            for bridge in running.allBridges {
                let id = bridge.track.rendition
                let counts = state.earlierBridges[id, default: .init()] + bridge.counts
                state.bridges[id] = counts
                if let failure = counts.failure(isDrained: isAtEnd), state.bridgeFailures[id, default: []].insert(failure).inserted { failed.append((id, failure)) }
            }
            if let layers = running.layers {
                state.dolbyVision = state.earlierDolbyVision + layers.counts
            } else {
                state.dolbyVision = translators[configuration.videoStreamIndex]?.translator.dolbyVision?.counts ?? .init()
            }
        }
        store.remove(over)
        for (rendition, failure) in failed { onEvent(.bridgeFailed(rendition, failure)) }
        for fragment in fragments { onEvent(.produced(fragment.rendition, index: fragment.index)) }
    }

    /// - Returns: Files to delete.
    private func list(_ fragments: [MediaFragment], lost: [SegmentStore.Key], in window: inout SlidingWindow) -> [SegmentStore.Key] {
        for fragment in fragments {
            window.append(fragment.rendition, segment: fragment.index, start: fragment.start, duration: fragment.duration, byteCount: fragment.content.byteCount)
        }
        window.lose(lost)
        return fragments.contains { $0.rendition == .video } ? window.cut(at: configuration.clock()) : []
    }
}
