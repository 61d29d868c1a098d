internal import BitsAndTime
internal import Libav
internal import TimedText

/// Teletext pages as cues: each stands until the next page or until it is erased.
///
/// A cue is given out when its end is known: at the page that follows, at the latest after ``longest``, which bounds a line whose transmission stopped.
/// A page that is sent again unchanged is a cue again, so that no cue depends on how long ago reading began: whoever starts ``longest``
/// before the time wanted has the same cues from there on as from the head. `TextCue.joined` makes one of those that repeat.
///
/// Source: ETSI EN 300 706; the pages as libzvbi and libavcodec write them.
final class TeletextPages {
    static let longest = MediaTime(ticks: 120, timescale: 1)

    private let decoder: SubtitleDecoder
    private let words: ASSWords
    private var open: [TextCue] = []
    /// Pages left out because nothing says when they came.
    private(set) var untimedPages = 0

    init(decoder: SubtitleDecoder) {
        self.decoder = decoder
        words = ASSWords(header: decoder.header)
    }

    func decode(_ packet: Packet, _ time: MediaTime?) throws(LibavError) -> [TextCue] {
        guard let subtitle = try decoder.decode(packet) else { return [] }
        guard !subtitle.rectangles.isEmpty || !open.isEmpty else { return [] }
        // libzvbi holds pages back: its time is the page's own.
        guard let start = subtitle.presentation.map({ MediaTime(ticks: $0, timescale: 1_000_000).converted(to: 90_000) }) ?? time else {
            untimedPages += 1
            return []
        }
        let closed = close(at: start)
        open = subtitle.rectangles.compactMap { rectangle in
            guard case .event(let line) = rectangle, let read = words.words(of: line) else { return nil }
            let page = line.contains("{\\an") ? read : Self.wholePage(line, read)
            guard !page.text.isBlank else { return nil }
            return TextCue(start: start, end: nil, text: page.text, placement: page.placement)
        }
        return closed
    }

    func finish() -> [TextCue] { close(at: nil) }

    func flush() {
        open = []
        decoder.flush()
    }

    private func close(at time: MediaTime?) -> [TextCue] {
        defer { open = [] }
        return open.compactMap { cue in
            var cue = cue
            let cap = cue.start + Self.longest
            cue.end = time.map { min($0, cap) } ?? cap
            return cue.end.map { $0 > cue.start } ?? false ? cue : nil
        }
    }

    /// A page that is not flagged as subtitles comes as its raw grid, a line for each row from the second on and hard spaces for empty cells. The first row
    /// with words says where it stands, by the same thirds libavcodec places flagged pages in; the padding goes.
    private static func wholePage(_ line: String, _ read: (text: StyledText, placement: TextPlacement?)) -> (text: StyledText, placement: TextPlacement?) {
        guard let event = ASSEvent(line) else { return read }
        var row = 1
        var rest = Array(event.text.utf8)[...]
        // Rows in front of the words, as the event has them: what was read is trimmed already.
        scan: while let byte = rest.first {
            if byte == UInt8(ascii: "{"), let close = rest.firstIndex(of: UInt8(ascii: "}")) { rest = rest[(close + 1)...] } else if rest.starts(with: "\\N".utf8) {
                row += 1
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "\\h".utf8) { rest = rest.dropFirst(2) } else if byte == 0x20 { rest = rest.dropFirst() } else { break scan }
        }
        let third = 2 - min(row + 1, 23) / 8
        let lines = read.text.lines.map { $0.trimmedOfSpaces }.filter { !$0.isBlank }
        let placement: TextPlacement? = third == 0 ? nil : TextPlacement(.init(third == 2 ? .top : .middle, .middle))
        return (StyledText(lines: lines), placement)
    }
}

extension StyledText {
    /// Without the spaces at both ends, hard ones too.
    fileprivate var trimmedOfSpaces: StyledText {
        var soft = StyledText()
        for run in runs { soft.append(String(String.UnicodeScalarView(run.text.unicodeScalars.map { $0 == "\u{A0}" ? " " : $0 })), run.style) }
        return soft.trimmed
    }
}
