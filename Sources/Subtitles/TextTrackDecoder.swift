package import BitsAndTime
package import Libav
package import TimedText

/// A cue as a track's packet gave it.
package struct DecodedCue: Sendable, Hashable {
    /// Its text is empty where an ASS line holds nothing to read and the markup was asked for.
    package var cue: TextCue
    /// The whole event of an ASS or SSA track, as it stands; `nil` unless markup is preserved, and for every other format.
    package var event: String?
}

/// Turns the packets of one text stream into cues on the stream's own axis.
///
/// Every event of a packet, and every packet of one time, is kept. A packet without a usable duration lasts ``WebVTTSegment/unknownDuration``.
/// Nothing is remembered between packets, so decoding may begin at any of them and goes on alike, with two exceptions: teletext
/// (``TeletextPages``), and `wvtt` samples without durations, which end where the next one begins. What is not UTF-8 is converted by the encoding the host names, else by what that packet and the
/// track's language say, which is the same wherever reading began.
///
/// `@unchecked Sendable`, guarded by ownership: one thread at a time may call it.
package final class TextTrackDecoder: @unchecked Sendable {
    package struct Options: Sendable {
        /// Of texts that are not UTF-8; `nil`: found packet by packet.
        package var encoding: TextEncoding?
        /// The teletext page (100…899); `nil`: the one that is flagged as subtitles.
        package var teletextPage: Int?
        /// Events of ASS and SSA come along as they stand.
        package var preservesASSMarkup = false

        package init(encoding: TextEncoding? = nil, teletextPage: Int? = nil, preservesASSMarkup: Bool = false) {
            self.encoding = encoding
            self.teletextPage = teletextPage
            self.preservesASSMarkup = preservesASSMarkup
        }
    }

    /// Script info and styles of an ASS or SSA track; `nil` for every other format.
    package let scriptHeader: String?
    /// Packets that could not be decoded or have no time.
    package var damagedPackets: Int {
        guard case .teletext(let pages) = reader else { return damaged }
        return damaged + pages.untimedPages
    }
    private var damaged = 0

    private enum Reader {
        case events(ASSWords)
        case libav(SubtitleDecoder, ASSWords)
        case webVTT
        case ttml
        case teletext(TeletextPages)
    }

    private let reader: Reader
    /// Cues of a sample whose container gave no duration: they stand until the next sample.
    private var held: [TextCue] = []
    private let codec: CodecID
    private let stream: StreamInfo
    private let options: Options

    /// - Throws: ``LibavError`` with operation "open decoder"; `.unsupported` for a stream that is no text, or whose decoder the build lacks.
    package init(stream: StreamInfo, parameters: CodecParameters, options: Options = Options()) throws(LibavError) {
        self.stream = stream
        self.options = options
        codec = SubtitleForm.codec(of: stream)
        switch codec {
        case .ass:
            let (text, _) = Self.utf8(stream.extradata, options.encoding, stream.language)
            let header = String(decoding: text.filter { $0 != 0 }, as: UTF8.self)
            scriptHeader = header
            reader = .events(ASSWords(header: header))
        case .webvtt: (scriptHeader, reader) = (nil, .webVTT)
        case .ttml: (scriptHeader, reader) = (nil, .ttml)
        case .teletext:
            let page = options.teletextPage.map { String($0) } ?? "subtitle"
            let decoder = try SubtitleDecoder(parameters, options: ["txt_page": page, "txt_format": "ass"])
            (scriptHeader, reader) = (nil, .teletext(TeletextPages(decoder: decoder)))
        case _ where SubtitleForm(codec) == .words:
            let decoder = try SubtitleDecoder(parameters)
            (scriptHeader, reader) = (nil, .libav(decoder, ASSWords(header: decoder.header)))
        default: throw LibavError.noDecoder
        }
    }

    /// - Parameter nearby: Where the source's other streams are, for teletext whose packets carry no times (EN 300 472 leaves them out at will).
    /// - Returns: What the packet came to, in its order; nothing for one that clears, is empty or damaged.
    package func decode(_ packet: Packet, nearby: MediaTime? = nil) -> [DecodedCue] {
        if case .teletext(let pages) = reader {
            do { return try pages.decode(packet, time(of: packet) ?? nearby).map { DecodedCue(cue: $0) } } catch {
                damaged += 1
                return []
            }
        }
        guard let start = time(of: packet) else {
            damaged += 1
            return []
        }
        let duration = packet.durationTicks > 0 ? time(ticks: packet.durationTicks) : nil
        switch reader {
        case .events(let words): return event(packet, words, start, duration)
        case .libav(let decoder, let words): return decoded(packet, decoder, words, start, duration)
        case .webVTT:
            let ended = endHeld(at: start)
            var cues = webVTT(packet, start, duration)
            if duration == nil, WebVTTSample.isOne(packet.bytes) { (held, cues) = (cues, []) }
            return (ended + cues).map { DecodedCue(cue: $0) }
        case .ttml: return ttml(packet, start, duration).map { DecodedCue(cue: $0) }
        case .teletext: return []
        }
    }

    /// What still stands at the end of the source.
    package func finish() -> [DecodedCue] {
        guard case .teletext(let pages) = reader else {
            defer { held = [] }
            return held.map { DecodedCue(cue: $0) }
        }
        return pages.finish().map { DecodedCue(cue: $0) }
    }

    private func endHeld(at time: MediaTime) -> [TextCue] {
        defer { held = [] }
        return held.compactMap { cue in
            guard time > cue.start else { return nil }
            var cue = cue
            cue.end = time
            return cue
        }
    }

    /// Forgets what was read, as after a seek.
    package func flush() {
        held = []
        switch reader {
        case .libav(let decoder, _): decoder.flush()
        case .teletext(let pages): pages.flush()
        case .events, .webVTT, .ttml: break
        }
    }

    // MARK: Times

    private func time(ticks: Int64) -> MediaTime {
        let (product, overflow) = ticks.multipliedReportingOverflow(by: Int64(stream.timeBaseNumerator))
        return MediaTime(ticks: overflow ? (ticks < 0 ? .min : .max) : product, timescale: max(1, stream.timeBaseDenominator))
    }

    private func time(of packet: Packet) -> MediaTime? { (packet.pts ?? packet.dts).map { time(ticks: $0) } }

    private static func end(_ start: MediaTime, _ duration: MediaTime?) -> MediaTime {
        guard let duration, duration > .zero, case let end = start + duration, end > start else { return start + WebVTTSegment.unknownDuration }
        return end
    }

    // MARK: Formats

    private func event(_ packet: Packet, _ words: ASSWords, _ start: MediaTime, _ duration: MediaTime?) -> [DecodedCue] {
        // Some writers end the line as C does.
        let bytes = utf8(packet.withUnsafeBytes { Array($0.prefix { $0 != 0 }) })
        let line = String(decoding: bytes, as: UTF8.self)
        let read = words.words(of: line)
        guard read != nil || options.preservesASSMarkup, !line.isEmpty else { return [] }
        let cue = TextCue(start: start, end: Self.end(start, duration), text: read?.text ?? StyledText(), placement: read?.placement)
        return [DecodedCue(cue: cue, event: options.preservesASSMarkup ? line : nil)]
    }

    private func decoded(_ packet: Packet, _ decoder: SubtitleDecoder, _ words: ASSWords, _ start: MediaTime, _ duration: MediaTime?) -> [DecodedCue] {
        guard packet.byteCount > 0 else { return [] }
        do throws(LibavError) {
            guard let subtitle = try decoder.decode(readable(packet)) else { return [] }
            let begin = start + MediaTime(ticks: Int64(subtitle.begin), timescale: 1000)
            let length = duration ?? subtitle.end.flatMap { $0 > subtitle.begin ? MediaTime(ticks: Int64($0 - subtitle.begin), timescale: 1000) : nil }
            return subtitle.rectangles.compactMap { rectangle in
                switch rectangle {
                case .event(let line):
                    guard let read = words.words(of: line) else { return nil }
                    return DecodedCue(cue: TextCue(start: begin, end: Self.end(begin, length), text: codec == .subrip ? WebVTTCueText.unescaped(read.text) : read.text, placement: read.placement))
                case .text(let text):
                    let words = StyledText(text).trimmed
                    return words.isBlank ? nil : DecodedCue(cue: TextCue(start: begin, end: Self.end(begin, length), text: words))
                case .picture: return nil
                }
            }
        } catch {
            damaged += 1
            return []
        }
    }

    private func webVTT(_ packet: Packet, _ start: MediaTime, _ duration: MediaTime?) -> [TextCue] {
        let bytes = packet.bytes
        let end = Self.end(start, duration)
        if let cues = WebVTTSample.cues(bytes, start: start, end: end) { return cues }
        let text = WebVTTCueText.read(utf8(bytes)[...]).trimmed
        guard !text.isBlank else { return [] }
        let settings = WebVTTCueSettings(parsing: (packet.webVTTSettings ?? [])[...])
        return [TextCue(start: start, end: end, text: text, placement: settings.placement, settings: settings.isEmpty ? nil : settings.text)]
    }

    /// A sample of an `stpp` track is a whole document. Its times are the track's; some writers count from the sample's begin (ISO/IEC 14496-30, clause 5).
    private func ttml(_ packet: Packet, _ start: MediaTime, _ duration: MediaTime?) -> [TextCue] {
        let document: TTMLDocument
        do throws(ParseError) { document = try TTMLDocument(utf8(packet.bytes)) } catch {
            damaged += 1
            return []
        }
        let stop = duration.map { start + $0 }
        func clipped(_ offset: MediaTime) -> [TextCue] {
            document.cues.compactMap { cue in
                var cue = cue
                cue.start = max(cue.start + offset, start)
                let end = cue.end.map { $0 + offset } ?? stop ?? cue.start + WebVTTSegment.unknownDuration
                cue.end = stop.map { min($0, end) } ?? end
                return cue.end.map { $0 > cue.start } ?? false ? cue : nil
            }
        }
        let cues = clipped(.zero)
        return cues.isEmpty ? clipped(start) : cues
    }

    // MARK: Encodings

    private func utf8(_ bytes: [UInt8]) -> [UInt8] { Self.utf8(bytes, options.encoding, stream.language).bytes }

    private static func utf8(_ bytes: [UInt8], _ hint: TextEncoding?, _ language: String?) -> (bytes: [UInt8], replaced: Int) {
        TextEncoding.found(in: bytes, hint: hint, language: language).utf8(bytes)
    }

    /// libavcodec refuses text that is not UTF-8.
    private func readable(_ packet: Packet) -> Packet {
        let bytes = packet.bytes
        if codec == .movText { return MovTextSample.inUTF8(bytes).flatMap { Packet(copying: $0, propertiesOf: packet) } ?? packet }
        guard !TextEncoding.isUTF8(bytes) else { return packet }
        return Packet(copying: utf8(bytes), propertiesOf: packet) ?? packet
    }
}
