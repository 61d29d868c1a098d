internal import BitsAndTime
internal import Foundation
internal import Libav
internal import Remux
internal import SubtitleRenditions
internal import Subtitles
internal import TimedText

/// The words of a running session: what is offered, who finds the cues, and who is told of them.
struct SessionWords: Sendable {
    let assembly: SubtitleAssembly
    let tap: CueTap
    /// Where the media timeline begins, source axis.
    let origin: MediaTime
    private let plan: SegmentPlan?
    /// By the number of the rendition; one whose decoder could not be opened has none, and shows nothing.
    private let finders: [Int: CueFinder]
    private let readers: [CueReader]
    private let sequential: SequentialCues?
    private let files: [ExternalCues]
    private let queue: RecognitionQueue

    /// A delay to the millisecond, which is what WebVTT can say.
    static func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, timescale: 1000) }

    /// - Returns: `nil` where nothing is offered.
    init?(_ session: SessionAssembly, source: AnalyzedSource, url: URL, httpHeaders: [String: String], delay: Double, history: SubtitleCueHistory) {
        assembly = session.subtitles
        guard !assembly.offers.isEmpty else { return nil }
        plan = session.plan
        origin = session.plan?.start ?? session.configuration.renditions.first?.firstPresentation ?? source.startTime ?? .zero
        tap = CueTap(history: history, offset: Self.time(delay) - origin)
        let making = CueMaking(session, source: source, url: url, httpHeaders: httpHeaders)
        queue = making.queue
        var files: [Int: ExternalCues] = [:]
        for (number, offer) in assembly.offers.enumerated() {
            if case .file(let external) = offer.origin { files[number] = making.file(external) }
        }
        self.files = files.sorted { $0.key < $1.key }.map(\.value)
        let found: [Int: CueFinder]
        if session.plan != nil {
            let made = making.readers()
            readers = made.readers
            sequential = nil
            found = made.finders
        } else {
            let made = making.sequential()
            readers = []
            sequential = made.cues
            found = made.finders
        }
        finders = found.merging(files.mapValues { .file($0) }) { reader, _ in reader }
    }

    /// Where the producer's packets with words go.
    var packets: Producer.PacketTap? {
        guard let sequential else { return nil }
        return Producer.PacketTap(
            streams: Set(assembly.offers.compactMap(\.streamIndex)), take: { sequential.take($0, offset: $1) }, finish: { sequential.finish(offset: $0) })
    }

    func resources(_ session: SessionAssembly, producer: Producer, shape: SlidingWindow.Shape, delay: Double) -> SubtitleResources {
        SubtitleResources(
            count: assembly.offers.count, finders: finders, cut: session.plan.map { .planned($0) } ?? .sequential(producer, shape), identity: session.identity, origin: origin,
            delay: Self.time(delay))
    }

    func offersPictures(ofStream index: Int) -> Bool {
        assembly.offers.contains { if case .pictures = $0.origin { $0.streamIndex == index } else { false } }
    }

    var fileFailures: [Int: String] {
        Dictionary(uniqueKeysWithValues: files.enumerated().compactMap { number, file in file.failure.map { (number, $0) } })
    }

    /// Whether the tap is told of cues, and reading goes ahead for it.
    ///
    /// - Parameter pictures: Streams of pictures that are read for it: that takes long.
    func listen(_ isOn: Bool, pictures: Set<Int>) {
        var streams: [ObjectIdentifier: [Int: Int]] = [:]
        for (number, finder) in finders {
            let offer = assembly.offers[number]
            if case .pictures = offer.origin, !pictures.contains(offer.streamIndex ?? -1) { continue }
            if case .reader(let reader, let track) = finder, let stream = offer.streamIndex { streams[ObjectIdentifier(reader), default: [:]][track] = stream }
        }
        for reader in readers {
            guard isOn, streams[ObjectIdentifier(reader)] != nil else {
                reader.listen(nil)
                continue
            }
            let (tap, streams) = (tap, streams[ObjectIdentifier(reader)] ?? [:])
            reader.listen { track, cues in
                if let stream = streams[track] { tap.take(cues, streamIndex: stream) }
            }
        }
        guard isOn else {
            sequential?.listen(nil)
            return
        }
        let tap = tap
        sequential?.listen { stream, _, cues in tap.take(cues, streamIndex: stream) }
    }

    /// Says where the viewer is: who listens to the words hears them from there on.
    func follow(viewerIn segment: Int) {
        for reader in readers { reader.follow(viewerIn: segment) }
    }

    func stop() {
        queue.stop()
        for file in files { file.stop() }
        for reader in readers { reader.stop() }
    }
}
