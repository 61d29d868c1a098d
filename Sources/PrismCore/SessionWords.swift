internal import BitsAndTime
internal import Foundation
internal import Libav
internal import Remux
internal import SubtitleRenditions
internal import TimedText

/// The words of a running session: what is offered, who finds the cues, and who is told of them.
struct SessionWords: Sendable {
    let assembly: SubtitleAssembly
    let tap: CueTap
    /// Where the media timeline begins, source axis.
    let origin: MediaTime
    private let reader: CueReader?
    private let sequential: SequentialCues?

    /// A delay to the millisecond, which is what WebVTT can say.
    static func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, timescale: 1000) }

    /// - Returns: `nil` where nothing is offered.
    init?(_ session: SessionAssembly, source: AnalyzedSource, url: URL, httpHeaders: [String: String], delay: Double, history: SubtitleCueHistory) {
        assembly = session.subtitles
        guard !assembly.offers.isEmpty else { return nil }
        origin = session.plan?.start ?? session.configuration.renditions.first?.firstPresentation ?? source.startTime ?? .zero
        tap = CueTap(history: history, offset: Self.time(delay) - origin)
        reader = assembly.reader(session, source: source, url: url, httpHeaders: httpHeaders)
        sequential = session.plan == nil ? assembly.sequentialCues(source) : nil
    }

    /// Where the producer's packets with words go.
    var packets: (streams: Set<Int>, take: @Sendable (Packet, MediaTime) -> Void)? {
        guard let sequential else { return nil }
        return (Set(assembly.offers.map(\.stream.index)), { sequential.take($0, offset: $1) })
    }

    func resources(_ session: SessionAssembly, producer: Producer, shape: SlidingWindow.Shape, delay: Double) -> SubtitleResources? {
        let cues: SubtitleResources.Cues
        if let reader, let plan = session.plan {
            cues = .planned(reader, plan)
        } else if let sequential {
            cues = .sequential(sequential, producer, shape)
        } else {
            return nil
        }
        return SubtitleResources(offers: assembly.offers, cues: cues, identity: session.identity, origin: origin, delay: Self.time(delay))
    }

    /// Whether the tap is told of cues, and reading goes ahead for it.
    func listen(_ isOn: Bool) {
        guard isOn else {
            reader?.listen(nil)
            sequential?.listen(nil)
            return
        }
        let (tap, streams) = (tap, assembly.offers.map(\.stream.index))
        reader?.listen { track, cues in tap.take(cues, streamIndex: streams[track]) }
        sequential?.listen { stream, cues in tap.take(cues, streamIndex: stream) }
    }

    func stop() { reader?.stop() }
}
