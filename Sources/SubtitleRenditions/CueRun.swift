internal import BitsAndTime
internal import Libav
internal import Remux
internal import TimedText

/// A source that is open for its words alone, and the place reading has come to. Confined to the cue reader's thread.
final class CueRun {
    private let configuration: CueReader.Configuration
    private let reader: SourceReader
    private let cues: [(track: Int, stream: Int, cues: any PacketCues)]
    private let bases: [Int: TickBase]
    /// The first segment whose end has not been reached.
    private var open = 0
    private var isAtEnd = false
    /// What the schedule was told last.
    var reported = -1

    struct Found {
        let track: Int
        let cues: [TextCue]
        let position: Int64
    }

    init(_ configuration: CueReader.Configuration, interrupter: Interrupter) throws(LibavError) {
        self.configuration = configuration
        let demuxer = try configuration.open(interrupter)
        reader = SourceReader(demuxer: demuxer, interrupter: interrupter)
        var made: [(track: Int, stream: Int, cues: any PacketCues)] = []
        for (track, wanted) in configuration.tracks.enumerated() { made.append((track, wanted.streamIndex, try wanted.makeCues())) }
        cues = made
        let streams = demuxer.streams
        bases = Dictionary(uniqueKeysWithValues: streams.map { ($0.index, TickBase(numerator: $0.timeBaseNumerator, denominator: $0.timeBaseDenominator)) })
        // The picture tells how far reading has come; a container with a table for each track needs nothing of it.
        let isTabled = configuration.window.reach == nil
        let kept = Set(configuration.tracks.map(\.streamIndex))
        for stream in streams where !kept.contains(stream.index) && (isTabled || stream.index != configuration.videoStreamIndex) {
            demuxer.setDiscard(streamIndex: stream.index, true)
        }
        if configuration.entries.isEmpty {
            if demuxer.isSeekable { try? demuxer.loadIndex(streamIndex: configuration.videoStreamIndex) }
        } else {
            demuxer.addIndexEntries(configuration.entries, streamIndex: configuration.videoStreamIndex)
        }
    }

    /// Goes to where reading has to begin for a segment.
    func begin(at index: Int) throws(LibavError) {
        for entry in cues { entry.cues.begin() }
        (open, isAtEnd, reported) = (index, false, -1)
        let margin = (configuration.window.reach ?? .zero) + configuration.window.slack
        let from = configuration.plan.segment(margin, before: index)
        if from == 0 { return try reader.rewind() }
        try reader.seek(to: from, of: configuration.plan, stream: configuration.videoStreamIndex, timeBase: configuration.videoTimeBase)
    }

    /// Reads one packet.
    ///
    /// - Returns: What it brought, and the first segment that may get more.
    func next() throws(LibavError) -> (found: [Found], open: Int) {
        let count = configuration.plan.segments.count
        guard !isAtEnd else { return ([], count) }
        guard let packet = try reader.next() else {
            isAtEnd = true
            open = count
            // Behind all that has a place.
            return (cues.map { Found(track: $0.track, cues: $0.cues.finish(), position: .max) }, count)
        }
        if let time = packet.dts ?? packet.pts, let base = bases[packet.streamIndex] {
            let passed = base.time(time) - configuration.window.slack
            while open < count, configuration.plan.segments[open].end <= passed { open += 1 }
        }
        guard let entry = cues.first(where: { $0.stream == packet.streamIndex }) else { return ([], open) }
        return ([Found(track: entry.track, cues: entry.cues.take(packet), position: packet.position)], open)
    }
}
