internal import BitsAndTime
internal import Libav
internal import Remux
internal import TimedText

/// A source that is open for its words alone, and the place reading has come to. Confined to the cue reader's thread.
final class CueRun {
    private let configuration: CueReader.Configuration
    private let reader: SourceReader
    /// By stream, with the number of its first track.
    private let cues: [(stream: Int, first: Int, lanes: Int, cues: any PacketCues)]
    private let bases: [Int: TickBase]
    /// The first segment whose end has not been reached.
    private var open = 0
    private var isAtEnd = false
    /// Where in the source's time reading is.
    private var nearby: MediaTime?
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
        var made: [(stream: Int, first: Int, lanes: Int, cues: any PacketCues)] = []
        var first = 0
        for source in configuration.sources {
            made.append((source.streamIndex, first, source.lanes, try source.makeCues()))
            first += source.lanes
        }
        cues = made
        let streams = demuxer.streams
        bases = Dictionary(uniqueKeysWithValues: streams.map { ($0.index, TickBase(numerator: $0.timeBaseNumerator, denominator: $0.timeBaseDenominator)) })
        let kept = Set(configuration.sources.map(\.streamIndex)).union(configuration.needsPicture ? [configuration.videoStreamIndex] : [])
        for stream in streams where !kept.contains(stream.index) { demuxer.setDiscard(streamIndex: stream.index, true) }
        if configuration.entries.isEmpty {
            if demuxer.isSeekable { try? demuxer.loadIndex(streamIndex: configuration.videoStreamIndex) }
        } else {
            demuxer.addIndexEntries(configuration.entries, streamIndex: configuration.videoStreamIndex)
        }
    }

    /// Goes to where reading has to begin for a segment.
    func begin(at index: Int) throws(LibavError) {
        (open, isAtEnd, reported, nearby) = (index, false, -1, nil)
        let from = configuration.plan.segment(configuration.window.margin, before: index)
        for entry in cues { entry.cues.begin(isAtHead: from == 0) }
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
            return (cues.flatMap { entry in found(entry.cues.finish(), of: entry, position: .max) }, count)
        }
        var brought: [Found] = []
        for entry in cues where entry.stream == packet.streamIndex { brought += found(entry.cues.take(packet, nearby: nearby), of: entry, position: packet.position) }
        if let time = packet.dts ?? packet.pts, let base = bases[packet.streamIndex] {
            nearby = base.time(time)
            var passed = base.time(time) - configuration.window.slack
            // What is still shown may be shown in all of them.
            for entry in cues { passed = min(passed, entry.cues.openSince ?? passed) }
            while open < count, configuration.plan.segments[open].end <= passed { open += 1 }
        }
        return (brought, open)
    }

    private func found(_ cues: [PacketCue], of entry: (stream: Int, first: Int, lanes: Int, cues: any PacketCues), position: Int64) -> [Found] {
        var byLane: [Int: [TextCue]] = [:]
        for cue in cues where (0..<entry.lanes).contains(cue.lane) { byLane[cue.lane, default: []].append(cue.cue) }
        return byLane.sorted { $0.key < $1.key }.map { Found(track: entry.first + $0.key, cues: $0.value, position: position) }
    }
}
