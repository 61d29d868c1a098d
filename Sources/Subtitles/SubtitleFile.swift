package import BitsAndTime
package import Libav
internal import TimedText

/// An external subtitle file, read whole: its tracks and their cues on the file's own axis.
///
/// Read by this package: WebVTT, TTML, EBU STL; everything else by libavformat: SubRip, ASS and SSA, MicroDVD, SAMI, MPL2, SubViewer, Spruce STL and
/// more, and containers with any number of subtitle streams. Text is brought to UTF-8 first (``TextEncoding``).
/// Pictures and line 21 captions are other readers' work: their tracks come with packets instead of cues.
package struct SubtitleFile: Sendable {
    package struct Options: Sendable {
        /// What the name says of the format, without its dot ("srt"); used where the content does not say.
        package var formatHint: String?
        package var encodingHint: TextEncoding?
        /// The language the host knows the file to be in; helps with old encodings.
        package var language: String?
        /// Frames a second of formats that count frames and do not say how long one is.
        package var frameRate: Ratio?
        package var preservesASSMarkup = false
        /// This stream of a container only, by its index.
        package var streamIndex: Int?
        package var byteLimit = 64 << 20
        package var cueLimit = 1_000_000
        package var trackLimit = 128

        package init(formatHint: String? = nil, encodingHint: TextEncoding? = nil, language: String? = nil) {
            self.formatHint = formatHint
            self.encodingHint = encodingHint
            self.language = language
        }
    }

    /// A packet of a track this reader does not decode.
    package struct RawPacket: Sendable {
        package let time: MediaTime?
        package let duration: MediaTime?
        package let bytes: [UInt8]
    }

    package struct Track: Sendable {
        /// In a container the stream's index; 0 in a file of one track.
        package var streamIndex = 0
        package var form: SubtitleForm
        /// libav's name of the codec, or "webvtt", "ttml", "ebu_stl".
        package var codecName: String
        package var language: String?
        package var title: String?
        package var dispositions: StreamDispositions = []
        /// In the order of the file; several may begin at one time. Empty for pictures and captions.
        package var cues: [DecodedCue] = []
        /// Of pictures and captions; empty for words.
        package var packets: [RawPacket] = []
        /// The codec's configuration as the file has it.
        package var extradata: [UInt8] = []
        /// Script info and styles; ASS and SSA only.
        package var scriptHeader: String?
        /// Places that could not be read: damaged packets, blocks, cues without times.
        package var damaged = 0
    }

    package private(set) var tracks: [Track] = []
    package private(set) var fonts: [FontAttachment] = []
    /// Of a text file; `nil` for containers and binary formats.
    package private(set) var encoding: TextEncoding?
    /// Places of the text that are not of its encoding and became U+FFFD.
    package private(set) var replacedCharacters = 0

    /// Reads a file held in memory.
    package init(bytes: [UInt8], options: Options = Options()) throws(SubtitleFileError) {
        guard bytes.count <= options.byteLimit else { throw .tooLarge(bytes.count) }
        if EBUSTLDocument.isOne(bytes) {
            try readSTL(bytes)
        } else if Self.isContainer(bytes) {
            try read(Self.opened { () throws(LibavError) in try Demuxer(bytes: bytes) }, options)
        } else {
            try readText(bytes, options)
        }
        guard !tracks.isEmpty else { throw .notSubtitles }
    }

    /// Reads a container where it lies, without a limit on its size: a film may carry the tracks.
    ///
    /// - Parameter demuxer: Newly opened; read to its end.
    package init(demuxer: Demuxer, options: Options = Options()) throws(SubtitleFileError) {
        try read(demuxer, options)
        guard !tracks.isEmpty else { throw .notSubtitles }
    }

    // MARK: Formats

    /// Matroska, MP4, MPEG program and transport streams, PGS, Ogg, RIFF: bytes that are no text.
    private static func isContainer(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) || bytes.starts(with: [0, 0, 1, 0xBA]) || bytes.starts(with: "PG".utf8) && bytes.count > 13 && bytes[10] & 0xF0 <= 0x80 && bytes[2] < 0x20 { return true }
        if bytes.starts(with: "OggS".utf8) || bytes.starts(with: "RIFF".utf8) { return true }
        if bytes.count >= 12, bytes[0] == 0, ["ftyp", "styp", "moov", "moof", "sidx", "free"].contains(String(decoding: bytes[4..<8], as: UTF8.self)) { return true }
        for (first, size) in [(0, 188), (4, 192)] where bytes.count > first + 3 * size && (0..<4).allSatisfy({ bytes[first + $0 * size] == 0x47 }) { return true }
        return false
    }

    private mutating func readSTL(_ bytes: [UInt8]) throws(SubtitleFileError) {
        do throws(ParseError) {
            let document = try EBUSTLDocument(bytes)
            var track = Track(form: .words, codecName: "ebu_stl")
            track.language = document.language
            track.cues = document.cues.map { DecodedCue(cue: $0) }
            track.damaged = document.damagedBlocks
            tracks = [track]
        } catch { throw .malformed(error.description) }
    }

    private mutating func readText(_ bytes: [UInt8], _ options: Options) throws(SubtitleFileError) {
        let found = TextEncoding.found(in: bytes, hint: options.encodingHint, language: options.language)
        let converted = found.utf8(bytes)
        (encoding, replacedCharacters) = (found, converted.replaced)
        let text = Self.withLineFeeds(converted.bytes)
        let front = text.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 }.prefix(1024)
        if text.starts(with: "WEBVTT".utf8) {
            do throws(ParseError) {
                let document = try WebVTTDocument(text)
                var track = Track(form: .words, codecName: "webvtt")
                track.cues = document.cues.filter { !$0.cue.text.isBlank }.map { DecodedCue(cue: $0.cue) }
                track.damaged = document.skippedBlocks
                tracks = [track]
            } catch { throw .malformed(error.description) }
        } else if front.first == UInt8(ascii: "<"), Self.isTTML(front) {
            do throws(ParseError) {
                var track = Track(form: .words, codecName: "ttml")
                track.cues = try TTMLDocument(text).cues.map { DecodedCue(cue: $0) }
                tracks = [track]
            } catch { throw .malformed(error.description) }
        } else {
            try read(demuxer(of: text, options), options)
        }
        guard tracks.allSatisfy({ $0.cues.count <= options.cueLimit }) else { throw .tooMany("cues") }
    }

    /// The root element, whatever its prefix: in front of it only comments and instructions may stand.
    private static func isTTML(_ front: ArraySlice<UInt8>) -> Bool {
        var events = XMLEvents(Array(front))
        guard case .begin(let name, _)? = try? events.next() else { return false }
        return name == "tt"
    }

    /// libavformat's readers of text know CR LF and LF, and end at a zero byte.
    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 == 0x0D || $0 == 0 }) else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() where byte != 0 {
            if byte == 0x0D { if index + 1 == bytes.count || bytes[index + 1] != 0x0A { output.append(0x0A) } } else { output.append(byte) }
        }
        return output
    }

    private func demuxer(of text: [UInt8], _ options: Options) throws(SubtitleFileError) -> Demuxer {
        var settings = DemuxerOptions()
        if let rate = options.frameRate { settings.extra["subfps"] = "\(rate.numerator)/\(rate.denominator)" }
        // What the content says counts; a name may be wrong.
        if let opened = try? Demuxer(bytes: text, options: settings), Self.isSubtitles(opened) { return opened }
        guard let name = options.formatHint.flatMap({ Self.formats[$0.lowercased()] }) else { throw .notSubtitles }
        settings.formatName = name
        return try Self.opened { () throws(LibavError) in try Demuxer(bytes: text, options: settings) }
    }

    /// A text without a format of its own is taken for many things: a list of songs, a picture.
    private static func isSubtitles(_ demuxer: Demuxer) -> Bool { demuxer.streams.contains { SubtitleForm($0.codec) != nil } }

    /// libavformat's names by the endings of file names.
    private static let formats: [String: String] = [
        "srt": "srt", "ass": "ass", "ssa": "ass", "sub": "microdvd", "txt": "mpl2", "mpl": "mpl2", "smi": "sami", "sami": "sami", "stl": "stl", "scc": "scc", "rt": "realtext",
        "jss": "jacosub", "js": "jacosub", "pjs": "pjs", "aqt": "aqtitle", "vtt": "webvtt", "sup": "sup",
    ]

    private static func opened(_ open: () throws(LibavError) -> Demuxer) throws(SubtitleFileError) -> Demuxer {
        do throws(LibavError) { return try open() } catch { throw error.kind == .invalidData ? .notSubtitles : .libav(error) }
    }

    // MARK: Streams

    private mutating func read(_ demuxer: Demuxer, _ options: Options) throws(SubtitleFileError) {
        let streams = demuxer.streams
        fonts = streams.compactMap { FontAttachment($0) }
        var decoders: [Int: TextTrackDecoder] = [:]
        var order: [Int: Int] = [:]
        for stream in streams {
            guard let form = SubtitleForm(stream.codec), options.streamIndex.map({ $0 == stream.index }) ?? true else {
                demuxer.setDiscard(streamIndex: stream.index, true)
                continue
            }
            guard tracks.count < options.trackLimit else { throw .tooMany("tracks") }
            var track = Track(form: form, codecName: stream.codecName)
            track.streamIndex = stream.index
            (track.language, track.title, track.dispositions, track.extradata) = (stream.language, stream.title, stream.dispositions, stream.extradata)
            if form == .words || form == .teletext {
                var settings = TextTrackDecoder.Options(encoding: options.encodingHint)
                settings.preservesASSMarkup = options.preservesASSMarkup
                guard let parameters = CodecParameters(demuxer: demuxer, streamIndex: stream.index) else { continue }
                do throws(LibavError) {
                    let decoder = try TextTrackDecoder(stream: stream, parameters: parameters, options: settings)
                    decoders[stream.index] = decoder
                    track.scriptHeader = decoder.scriptHeader
                } catch { throw .libav(error) }
            }
            order[stream.index] = tracks.count
            tracks.append(track)
        }
        if let index = options.streamIndex, tracks.isEmpty { throw .noSuchStream(index) }
        guard !tracks.isEmpty else { return }
        var cues = 0
        do throws(LibavError) {
            while let packet = try demuxer.readPacket() {
                guard let place = order[packet.streamIndex] else { continue }
                if let decoder = decoders[packet.streamIndex] {
                    let read = decoder.decode(packet)
                    cues += read.count
                    tracks[place].cues += read
                } else {
                    cues += 1
                    tracks[place].packets.append(Self.raw(packet, streams[packet.streamIndex]))
                }
                if cues > options.cueLimit { break }
            }
        } catch { throw .libav(error) }
        guard cues <= options.cueLimit else { throw .tooMany("cues") }
        for (index, decoder) in decoders {
            guard let place = order[index] else { continue }
            tracks[place].cues += decoder.finish()
            tracks[place].damaged = decoder.damagedPackets
        }
    }

    private static func raw(_ packet: Packet, _ stream: StreamInfo) -> RawPacket {
        func time(_ ticks: Int64) -> MediaTime {
            MediaTime(ticks: ticks.multipliedReportingOverflow(by: Int64(stream.timeBaseNumerator)).partialValue, timescale: max(1, stream.timeBaseDenominator))
        }
        return RawPacket(time: packet.pts.map(time), duration: packet.durationTicks > 0 ? time(packet.durationTicks) : nil, bytes: packet.bytes)
    }
}
