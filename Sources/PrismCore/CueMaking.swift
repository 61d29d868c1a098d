internal import BitsAndTime
internal import Captions
internal import Foundation
internal import Libav
internal import Remux
internal import SubtitleRenditions
internal import Subtitles
internal import TimedText

/// Makes whoever finds the cues of what a session offers.
struct CueMaking {
    /// How long a cue of pictures may be that is listed wherever it is shown: reading begins so much earlier.
    private static let pictureReach = MediaTime(ticks: 15, timescale: 1)

    /// How long a page of teletext may stand that nothing replaces (TeletextPages).
    private static let pageMemory = MediaTime(ticks: 120, timescale: 1)

    /// Reads pictures of words; its thread begins with the first of them.
    let queue = RecognitionQueue(SystemRecogniser.make())
    private let session: SessionAssembly
    private let demuxer: Demuxer
    private let location: String
    private let options: DemuxerOptions
    private let video: VideoFrame?
    private let frameRate: Ratio?

    init(_ session: SessionAssembly, source: AnalyzedSource, url: URL, httpHeaders: [String: String]) {
        self.session = session
        demuxer = source.reader.demuxer
        location = SourceLocator(url: url).libavURL
        options = SourceProbe.demuxerOptions(httpHeaders)
        video = source.video.flatMap { VideoFrame($0.stream) }
        frameRate = source.video?.stream.averageFrameRate
    }

    /// Readers beside the film: one for all text, one for the picture's captions, one for each track of pictures, which take long to read. None
    /// opens the source before its first segment is wanted.
    func readers() -> (readers: [CueReader], finders: [Int: CueFinder]) {
        guard let plan = session.plan else { return ([], [:]) }
        var (readers, finders): ([CueReader], [Int: CueFinder]) = ([], [:])
        let window = CueWindow(formatName: demuxer.formatName)
        var text: [CueReader.Source] = []
        var numbers: [Int] = []
        for (number, offer) in session.subtitles.offers.enumerated() {
            switch offer.origin {
            case .words(let stream) where stream.codec == .teletext:
                let reader = reader(
                    plan, CueWindow(reach: Self.pictureReach, slack: window.slack, runIn: Self.pageMemory), [words(stream)], needsPicture: true)
                readers.append(reader)
                finders[number] = .reader(reader, track: 0)
            case .words(let stream):
                numbers.append(number)
                text.append(words(stream))
            case .pictures(let stream):
                let reader = reader(
                    plan, CueWindow(reach: Self.pictureReach, slack: window.slack, runIn: Self.pictureReach), [pictures(stream, queue)], needsPicture: true)
                readers.append(reader)
                finders[number] = .reader(reader, track: 0)
            case .captionTrack(let stream):
                let reader = reader(plan, captionWindow(window), [captionTrack(stream)], needsPicture: window.reach != nil)
                readers.append(reader)
                finders[number] = .reader(reader, track: 0)
            case .caption, .file: continue
            }
        }
        if !text.isEmpty {
            let reader = reader(plan, window, text, needsPicture: window.reach != nil)
            readers.append(reader)
            for (track, number) in numbers.enumerated() { finders[number] = .reader(reader, track: track) }
        }
        if let captions = session.subtitles.captions {
            let source = CueReader.Source(streamIndex: captions.streamIndex, lanes: captions.channels.count) { [base = session.configuration.videoTimeBase] in
                CaptionWords(captions.channels, carriage: captions.carriage, base: base, isWide: captions.isWide)
            }
            let reader = reader(plan, captionWindow(window), [source], needsPicture: true)
            readers.append(reader)
            for (number, offer) in session.subtitles.offers.enumerated() {
                if case .caption(let lane) = offer.origin { finders[number] = .reader(reader, track: lane) }
            }
        }
        return (readers, finders)
    }

    /// What takes them from the film's own producer, which reads everything once.
    func sequential() -> (cues: SequentialCues?, finders: [Int: CueFinder]) {
        var lanes: [Int: (streamIndex: Int, lane: Int)] = [:]
        var sources: [Int: (lanes: Int, cues: any PacketCues)] = [:]
        for (number, offer) in session.subtitles.offers.enumerated() {
            switch offer.origin {
            case .words(let stream):
                guard let cues = try? words(stream).makeCues() else { continue }
                sources[stream.index] = (1, cues)
                lanes[number] = (stream.index, 0)
            case .caption(let lane):
                lanes[number] = (offer.streamIndex ?? -1, lane)
            case .captionTrack(let stream):
                guard let cues = try? captionTrack(stream).makeCues() else { continue }
                sources[stream.index] = (1, cues)
                lanes[number] = (stream.index, 0)
            case .pictures, .file: continue
            }
        }
        if let captions = session.subtitles.captions {
            sources[captions.streamIndex] = (
                captions.channels.count,
                CaptionWords(captions.channels, carriage: captions.carriage, base: session.configuration.videoTimeBase, isWide: captions.isWide)
            )
        }
        guard !sources.isEmpty else { return (nil, [:]) }
        let cues = SequentialCues(sources)
        return (cues, lanes.mapValues { .sequential(cues, streamIndex: $0.streamIndex, lane: $0.lane) })
    }

    func file(_ external: ExternalSubtitle) -> ExternalCues {
        // What the film's server is told is not another one's business.
        let loading = ExternalSubtitleLoading(external: external, options: isBesideFilm(external.url) ? options : DemuxerOptions(), frameRate: frameRate)
        return ExternalCues(external.language, queue: queue, video: video, load: loading.load)
    }

    /// Whether a file lies at the film's own server: same scheme, host and port.
    private func isBesideFilm(_ url: URL) -> Bool {
        guard let film = URL(string: location), let scheme = url.scheme?.lowercased() else { return false }
        return film.scheme?.lowercased() == scheme && film.host()?.lowercased() == url.host()?.lowercased() && film.port == url.port
    }

    private func reader(_ plan: SegmentPlan, _ window: CueWindow, _ sources: [CueReader.Source], needsPicture: Bool) -> CueReader {
        let (location, options, isHeaderEnough) = (location, options, Self.headerNamesStreams(demuxer.formatName))
        return CueReader(
            .init(
                plan: plan, window: window, sources: sources, needsPicture: needsPicture, videoStreamIndex: session.configuration.videoStreamIndex,
                videoTimeBase: session.configuration.videoTimeBase, entries: session.entries
            ) { interrupter throws(LibavError) in
                let demuxer = try Demuxer(url: location, options: options, interrupter: interrupter)
                if !isHeaderEnough { try demuxer.findStreamInfo() }
                return demuxer
            })
    }

    private func words(_ stream: StreamInfo) -> CueReader.Source {
        let (parameters, page) = (CodecParameters(demuxer: demuxer, streamIndex: stream.index), session.teletextPage)
        return CueReader.Source(streamIndex: stream.index) { () throws(LibavError) in
            guard let parameters else { throw LibavError(errno: EINVAL, operation: "open decoder") }
            return TextWords(try TextTrackDecoder(stream: stream, parameters: parameters, options: .init(teletextPage: page)))
        }
    }

    /// What decoding remembers, before the epoch in which the oldest cue begins (CaptionDecoder), rounded up.
    private func captionWindow(_ window: CueWindow) -> CueWindow {
        CueWindow(reach: CaptionDecoder.longestCue, slack: window.slack, runIn: CaptionDecoder.memory + CaptionDecoder.epoch)
    }

    /// Which channels a track holds is not known before it is read; the first is what there is, as a rule.
    private func captionTrack(_ stream: StreamInfo) -> CueReader.Source {
        let isWide = session.info.video.map { $0.width * 3 > $0.height * 4 } ?? true
        return CueReader.Source(streamIndex: stream.index) {
            CaptionWords([.cea608(1)], carriage: .track, base: Self.base(stream), isWide: isWide)
        }
    }

    private func pictures(_ stream: StreamInfo, _ queue: RecognitionQueue) -> CueReader.Source {
        let (parameters, video) = (CodecParameters(demuxer: demuxer, streamIndex: stream.index), video)
        return CueReader.Source(streamIndex: stream.index) { () throws(LibavError) in
            guard let parameters else { throw LibavError(errno: EINVAL, operation: "open decoder") }
            return PictureWords(
                try PictureTrackDecoder(parameters, codec: stream.codec, video: video), queue: queue, language: stream.language, base: Self.base(stream), video: video)
        }
    }

    private static func base(_ stream: StreamInfo) -> TickBase { TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator) }

    /// Whether a container's streams are all known, by the same numbers, once its header was read.
    private static func headerNamesStreams(_ formatName: String) -> Bool {
        let names = formatName.split(separator: ",")
        return names.contains("matroska") || names.contains("mov")
    }
}
