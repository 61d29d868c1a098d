package import BitsAndTime
package import Libav
internal import SubtitlePictures

/// An external file of pictures of words, read once and kept as it is coded: cues are decoded for the span that is asked for.
///
/// Decoded, the pictures of a film take a dozen times as much as their file.
package struct PictureFile: Sendable {
    package struct Track: Sendable {
        /// As the file writes it ("en"); `nil` where it says nothing.
        package let language: String?
        package let name: String?
        fileprivate let kind: Kind
        /// In the file's order.
        fileprivate let sets: [Entry]

        /// When the last set of the track begins.
        package var lastStart: MediaTime? { sets.last?.time }
        package var setCount: Int { sets.count }
    }

    fileprivate enum Kind: Sendable { case graphics, subpictures(configuration: [UInt8], substream: Int) }

    fileprivate struct Entry: Sendable {
        let time: MediaTime
        /// In the file, or the place of a subpicture's first pack.
        let range: Range<Int>
        /// Decoding may begin here.
        let isSelfContained: Bool
    }

    package let tracks: [Track]
    /// What could not be read: stray bytes of a `.sup`, lines of an `.idx`.
    package let damageCount: Int

    private let bytes: [UInt8]

    /// - Throws: `.malformed` for bytes without any segment.
    package init(sup bytes: [UInt8]) throws(ParseError) {
        let file = SupFile(bytes)
        guard !file.packets.isEmpty else { throw ParseError(.malformed, at: 0, in: "sup", "no segment of a Presentation Graphics stream") }
        var entries: [Entry] = []
        for packet in file.packets {
            let payload = packet.segment.payload
            let range = (payload.startIndex - PGSSegment.headerByteCount)..<payload.endIndex
            if packet.segment.kind == .composition || entries.isEmpty {
                let isSelfContained = (try? PGSComposition(payload))?.isSelfContained ?? false
                entries.append(Entry(time: packet.time, range: range, isSelfContained: isSelfContained))
            } else if let last = entries.last {
                entries[entries.count - 1] = Entry(time: last.time, range: last.range.lowerBound..<range.upperBound, isSelfContained: last.isSelfContained)
            }
        }
        tracks = [Track(language: nil, name: nil, kind: .graphics, sets: entries)]
        damageCount = file.strayByteCount
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - index: The text of the `.idx`.
    ///   - subpictures: The `.sub`.
    /// - Throws: `.malformed` for a text that is no index.
    package init(index text: String, subpictures: [UInt8]) throws(ParseError) {
        let index = try VobSubIndex(text)
        tracks = index.tracks.map { track in
            Track(
                language: track.language == "--" || track.language.isEmpty ? nil : track.language, name: track.name,
                kind: .subpictures(configuration: index.configuration, substream: track.index),
                sets: track.entries.map {
                    let place = Int(clamping: $0.position)
                    return Entry(time: MediaTime(ticks: $0.time, timescale: 1000), range: place..<place, isSelfContained: true)
                })
        }
        damageCount = index.unreadableLineCount
        bytes = subpictures
    }

    /// The cues that are on the screen somewhere in the span, whole.
    ///
    /// - Parameters:
    ///   - video: The film's picture.
    ///   - end: Behind the last instant; `nil` for all.
    ///   - limit: Cues at most, from the first.
    /// - Throws: ``LibavError`` with operation "open decoder".
    package func cues(
        of track: Int, from start: MediaTime = MediaTime(ticks: .min, timescale: 1), to end: MediaTime? = nil, video: VideoFrame? = nil, atMost limit: Int = .max
    ) throws(LibavError) -> [PictureCue] {
        guard tracks.indices.contains(track), limit > 0 else { return [] }
        var lookBack = 0
        while true {
            let (cues, isCertain) = try cues(of: tracks[track], from: start, to: end, video: video, atMost: limit, lookBack: lookBack)
            // Acquisition points repeat a cue without saying when it began: reading begins earlier then.
            if isCertain { return cues }
            lookBack = max(4, lookBack * 4)
        }
    }

    /// - Parameter lookBack: Sets before the one that is on the screen at the start.
    private func cues(
        of track: Track, from start: MediaTime, to end: MediaTime?, video: VideoFrame?, atMost limit: Int, lookBack: Int
    ) throws(LibavError) -> (cues: [PictureCue], isCertain: Bool) {
        let sets = track.sets
        // The last set at or before the start is what is shown there; decoding begins at the self-contained one it builds on.
        var first = max(0, (sets.firstIndex { $0.time > start } ?? sets.count) - 1 - lookBack)
        while first > 0, !sets[first].isSelfContained { first -= 1 }
        guard let decoder = try decoder(of: track, video: video, atHead: first == 0) else { return ([], true) }
        var cues: [PictureCue] = []
        var hasEnded = true
        for entry in sets[first...] {
            cues += decode(entry, of: track, with: decoder).filter { $0.end > start && (end == nil || $0.start < end ?? $0.start) }
            // A set at or behind the end has closed what was shown before it, unless it repeats that.
            let isBehind = end.map { end in entry.time >= end && decoder.openStart.map { $0 >= end } ?? true } ?? false
            if cues.count >= limit || isBehind {
                hasEnded = false
                break
            }
        }
        if hasEnded { cues += decoder.finish().filter { $0.end > start } }
        return (Array(cues.prefix(limit)), first == 0 || cues.allSatisfy(\.isStartCertain))
    }

    private func decoder(of track: Track, video: VideoFrame?, atHead: Bool) throws(LibavError) -> PictureTrackDecoder? {
        switch track.kind {
        case .graphics: return PictureTrackDecoder(graphicsOn: video, atHead: atHead)
        case .subpictures(let configuration, _):
            guard let parameters = CodecParameters(subtitles: .dvdSubtitle, configuration: configuration) else { return nil }
            return try PictureTrackDecoder(parameters, codec: .dvdSubtitle, video: video)
        }
    }

    private func decode(_ entry: Entry, of track: Track, with decoder: PictureTrackDecoder) -> [PictureCue] {
        switch track.kind {
        case .graphics:
            // Headers of ten bytes lie between the segments of a set.
            var cues: [PictureCue] = []
            var at = entry.range.lowerBound
            while at + PGSSegment.headerByteCount <= entry.range.upperBound {
                let end = at + PGSSegment.headerByteCount + Int(bytes[at + 1]) << 8 + Int(bytes[at + 2])
                guard end <= entry.range.upperBound else { break }
                cues += decoder.decode(graphics: bytes[at..<end], presentation: entry.time)
                at = end + Self.headerByteCount
            }
            return cues
        case .subpictures(_, let substream):
            guard let unit = try? SubpictureFile.unit(in: bytes, at: Int64(entry.range.lowerBound), substream: substream), let packet = Packet(copying: unit.bytes) else { return [] }
            return decoder.decode(packet, presentation: entry.time)
        }
    }

    /// "PG" and two times.
    private static let headerByteCount = 10
}
