internal import BitsAndTime
internal import Foundation
internal import ISOBMFF
internal import Libav
internal import Remux
internal import SubtitleRenditions

/// An open source and everything the engine has found out about it: what a session plays and a probe reports.
///
/// `@unchecked Sendable`: built on one thread and handed to the next whole; the reader inside is never shared.
final class AnalyzedSource: @unchecked Sendable {
    let reader: SourceReader
    /// The source, where it is a plain file.
    let file: SourceFile?
    /// The source, where it is remote and can be read in pieces.
    let remote: RangeSource?
    let streams: [StreamInfo]
    let info: SourceInfo
    let video: (stream: StreamInfo, verdict: TrackAnalyzer.Verdict)?
    let audio: [(stream: StreamInfo, verdict: TrackAnalyzer.Verdict)]
    /// What is known of the picture's Dolby Vision.
    let dolbyVision: DolbyVisionEvidence?
    /// The captions that travel with the picture, as far as its first second shows.
    let captions: SubtitleAssembly.PictureCaptions?
    /// The stream with the picture's second layer.
    let enhancementLayer: StreamInfo?
    let timing: ProbedSource.Timing
    /// What the picture's samples may be, where its container lists that ahead and the file is here.
    let descriptions: [SampleDescriptions.Entry]
    /// The earliest presentation time of any stream.
    let startTime: MediaTime?

    /// Where the longest track ends on the source's presentation axis; `nil` where the container does not say.
    var sourceEnd: MediaTime? {
        reader.demuxer.duration.map { ($0 + (startTime ?? .zero)) }
    }

    /// Opens and describes; blocks, until the interrupter says stop.
    init(
        location: SourceLocator, options: DemuxerOptions, hdr10Plus: HDR10PlusScan? = nil, interrupter: Interrupter, onOpened: () -> Void = {}
    ) throws(LibavError) {
        let clock = ContinuousClock()
        let began = clock.now
        let demuxer = try Demuxer(url: location.libavURL, options: options, interrupter: interrupter)
        let opened = clock.now
        onOpened()
        file = location.path.flatMap(SourceFile.init(path:))
        let known = ProbeKnowledge.known(of: demuxer.streams, formatName: demuxer.formatName, isLocal: file != nil)
        let stated = demuxer.streams.map(\.averageFrameRate)
        try demuxer.findStreamInfo(knowing: known)
        let described = clock.now
        var found = demuxer.streams
        // Matroska states a rate in its header or nowhere; what is there now libavformat made of the codec's clock and of times it lacks.
        if demuxer.formatName.contains("matroska") {
            for (index, rate) in stated.enumerated() where rate == nil && found.indices.contains(index) { found[index].averageFrameRate = nil }
        }
        // libavformat reads three letters, which tell no region and no script; both containers have a place for the whole tag.
        if let file, demuxer.formatName.contains("matroska") { MatroskaLanguages.complete(&found, file: file) }
        let movie = AnalyzedSource.movie(file, formatName: demuxer.formatName)
        for index in found.indices {
            if let tag = movie?.languages[UInt32(clamping: found[index].containerID)], !tag.isEmpty { found[index].language = tag }
        }
        streams = found
        reader = SourceReader(demuxer: demuxer, interrupter: interrupter)
        remote = RangeSource(demuxer: demuxer, url: location.libavURL, options: options)

        var picture = AnalyzedSource.mainVideo(streams)
        descriptions = picture.flatMap { movie?.tracks[UInt32(clamping: $0.containerID)] } ?? []
        let sound = streams.filter { $0.kind == .audio }
        let layers = picture.map { [streams] base in streams.filter { DolbyVisionSearch.isCandidate($0, besides: base) } } ?? []
        let read = Set(sound.map(\.index) + layers.map(\.index) + (picture.map { [$0.index] } ?? []))
        for stream in streams where !read.contains(stream.index) { demuxer.setDiscard(streamIndex: stream.index, true) }
        try reader.readHead(video: picture?.index, others: (sound + layers).map(\.index))
        enhancementLayer = picture.flatMap { [head = reader.head] in DolbyVisionSearch.companion(of: $0, among: layers, head: head) }
        for stream in layers where stream.index != enhancementLayer?.index { demuxer.setDiscard(streamIndex: stream.index, true) }
        var start = demuxer.startTime
        if let found = picture, known[found.index] != nil {
            let packets = reader.head[found.index] ?? []
            picture = ProbeKnowledge.completed(found, head: packets)
            if demuxer.formatName.hasPrefix("matroska"), let first = packets.first?.pts {
                // libavformat goes by decode times, which this container has none of and nothing was decoded to derive.
                let time = TickBase(numerator: found.timeBaseNumerator, denominator: found.timeBaseDenominator).time(first)
                start = start.map { min($0, time) } ?? time
            }
        }
        startTime = start
        // A rate that the container does not state is what the pictures show.
        if let picture, MeasuredFrameRate.isNeeded(for: picture, head: reader.head[picture.index] ?? []) {
            try reader.readHead(video: picture.index, pictures: SourceReader.HeadLimit.reorderedPictures)
        }
        var main = picture.map { [head = reader.head] in (stream: $0, verdict: TrackAnalyzer.video($0, head: head[$0.index] ?? [])) }
        if let known = main, case .copyable(let track) = known.verdict, TrackAnalyzer.hidesReordering(track) {
            try reader.readHead(video: known.stream.index, pictures: SourceReader.HeadLimit.reorderedPictures)
            // More pictures may show another rate.
            main?.verdict = TrackAnalyzer.video(known.stream, head: reader.head[known.stream.index] ?? [])
        }
        video = main
        captions = AnalyzedSource.captions(of: main, reader: reader)
        let head = reader.head
        dolbyVision = video.flatMap { [enhancementLayer] video -> DolbyVisionEvidence? in
            guard case .copyable(let track) = video.verdict else { return nil }
            return DolbyVisionSearch.evidence(
                track, stream: video.stream, head: head[video.stream.index] ?? [], companion: enhancementLayer.map { ($0, head[$0.index] ?? []) })
        }
        audio = sound.map { stream in
            let packets = head[stream.index] ?? []
            let known = LateSound.completed(stream, head: packets, demuxer: demuxer)
            return (known, TrackAnalyzer.audio(known, head: packets))
        }

        var description = SourceInfo(
            formatName: demuxer.formatName, duration: demuxer.duration?.seconds, startTime: startTime?.seconds, bitRate: demuxer.bitRate)
        description.chapters = demuxer.chapters.map { ChapterInfo(title: $0.title, start: $0.start.seconds, end: $0.end?.seconds) }
        description.audioTracks = audio.map {
            TrackDescriber.audio($0.stream, verdict: $0.verdict, objects: ObjectAudio.find(in: $0.stream, head: head[$0.stream.index] ?? []))
        }
        description.subtitleTracks = streams.filter { $0.kind == .subtitle }.map(TrackDescriber.subtitle)
        if let video {
            var track = TrackDescriber.video(video.stream, verdict: video.verdict, dolbyVision: dolbyVision)
            // Matroska says so of the track (libavformat: its key's name), MP4 of each sample; an MP4 may carry keys' data and be clear.
            // A table that knows both kinds is of a film whose start alone is clear.
            track.isEncrypted = descriptions.contains(where: \.isProtected) && descriptions.contains { !$0.isProtected } || video.stream.metadata["enc_key_id"] != nil || (head[video.stream.index] ?? []).contains(where: \.isEncrypted)
            if track.declaredFieldOrder == .interlaced {
                track.isInterlacedOnDecode = InterlaceCheck.run(demuxer: demuxer, stream: video.stream, packets: head[video.stream.index] ?? [])
            }
            description.video = track
        }
        let done = clock.now
        if hdr10Plus != nil, let video {
            var framing: SampleFraming?
            if case .copyable(let track) = video.verdict { framing = track.framing }
            let finding = DynamicMetadataProbe.run(reader: reader, stream: video.stream, framing: framing)
            description.hdr10Plus = TrackDescriber.dynamicMetadata(finding.hdr10Plus, in: finding)
            description.hdrVivid = TrackDescriber.dynamicMetadata(finding.hdrVivid, in: finding)
        }
        info = description
        let scanned = clock.now
        timing = ProbedSource.Timing(
            open: opened - began, streamInfo: described - opened, describe: done - described, hdr10PlusScan: hdr10Plus == nil ? nil : scanned - done,
            total: scanned - began)
    }

    private static func captions(of video: (stream: StreamInfo, verdict: TrackAnalyzer.Verdict)?, reader: SourceReader) -> SubtitleAssembly.PictureCaptions? {
        guard let video, case .copyable(let track) = video.verdict else { return nil }
        let carriage = CaptionWords.Carriage.pictures(track.description.codec, track.framing)
        // A source that fails here fails again where it is played, and says so there.
        guard let channels = try? CaptionWords.channels(of: video.stream.index, in: reader, carriage: carriage, services: false), !channels.isEmpty else { return nil }
        return SubtitleAssembly.PictureCaptions(
            streamIndex: video.stream.index, language: video.stream.language, channels: channels, carriage: carriage,
            isWide: video.stream.width * 3 > video.stream.height * 4)
    }

    /// Whether the container lists other configurations for the picture than the one it begins with.
    func changesParameterSets(_ track: TrackAnalyzer.Copyable) -> Bool {
        guard descriptions.count > 1 else { return false }
        let codec = track.description.codec
        return descriptions.contains { entry in
            entry.configuration.map { !ParameterSetWatch.agree(codec, $0, track.description.configuration) } ?? true
        }
    }

    /// What the `moov` says of sample descriptions and languages, where the source is an MP4 file here; none for any other.
    private static func movie(_ file: SourceFile?, formatName: String) -> SampleDescriptions? {
        guard let file, formatName.split(separator: ",").contains("mov") else { return nil }
        let read = { (offset: Int64, count: Int) throws -> [UInt8] in file.bytes(at: offset, count: count) }
        guard let layout = try? TopLevelLayout(stopsAtMedia: true, read: read), let start = layout.moovOffset, let end = layout.moovEnd ?? file.byteCount,
            start < end
        else { return nil }
        return try? SampleDescriptions(moov: start..<end, read: read)
    }

    /// The video stream that plays: no cover art, no enhancement layer; the container's default, else the first.
    private static func mainVideo(_ streams: [StreamInfo]) -> StreamInfo? {
        let all = streams.filter { $0.kind == .video && !$0.isAttachedPicture }
        let bases = all.filter { $0.dolbyVision?.hasBaseLayer ?? true }
        let pictures = bases.isEmpty ? all : bases
        return pictures.first { $0.dispositions.contains(.default) } ?? pictures.first
    }
}
