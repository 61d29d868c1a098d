internal import BitsAndTime
internal import Foundation
internal import Libav
internal import Remux
internal import SubtitleRenditions
internal import Subtitles

/// Who finds the cues of what is offered.
extension SubtitleAssembly {
    /// Reads them beside the film, on a connection of its own that is opened once they are wanted.
    func reader(_ assembly: SessionAssembly, source: AnalyzedSource, url: URL, httpHeaders: [String: String]) -> CueReader? {
        guard !offers.isEmpty, let plan = assembly.plan else { return nil }
        let demuxer = source.reader.demuxer
        let (location, options) = (SourceLocator(url: url).libavURL, SourceProbe.demuxerOptions(httpHeaders))
        let isHeaderEnough = Self.headerNamesStreams(demuxer.formatName)
        var tracks: [CueReader.Track] = []
        for offer in offers {
            let parameters = CodecParameters(demuxer: demuxer, streamIndex: offer.stream.index)
            let stream = offer.stream
            tracks.append(CueReader.Track(streamIndex: stream.index) { () throws(LibavError) in try Self.cues(of: stream, parameters) })
        }
        return CueReader(
            .init(
                plan: plan, window: CueWindow(formatName: demuxer.formatName), tracks: tracks, videoStreamIndex: assembly.configuration.videoStreamIndex,
                videoTimeBase: assembly.configuration.videoTimeBase, entries: assembly.entries
            ) { interrupter throws(LibavError) in
                let demuxer = try Demuxer(url: location, options: options, interrupter: interrupter)
                if !isHeaderEnough { try demuxer.findStreamInfo() }
                return demuxer
            })
    }

    /// Takes them from what the film's own producer reads.
    func sequentialCues(_ source: AnalyzedSource) -> SequentialCues? {
        guard !offers.isEmpty else { return nil }
        var tracks: [Int: any PacketCues] = [:]
        for offer in offers {
            let parameters = CodecParameters(demuxer: source.reader.demuxer, streamIndex: offer.stream.index)
            if let cues = try? Self.cues(of: offer.stream, parameters) { tracks[offer.stream.index] = cues }
        }
        return SequentialCues(tracks)
    }

    /// Whether a container's streams are all known, by the same numbers, once its header was read.
    private static func headerNamesStreams(_ formatName: String) -> Bool {
        let names = formatName.split(separator: ",")
        return names.contains("matroska") || names.contains("mov")
    }

    private static func cues(of stream: StreamInfo, _ parameters: CodecParameters?) throws(LibavError) -> any PacketCues {
        guard let parameters else { throw LibavError(errno: EINVAL, operation: "open decoder") }
        return WordsCues(try SubtitleDecoder(parameters), base: TickBase(numerator: stream.timeBaseNumerator, denominator: stream.timeBaseDenominator))
    }
}
