internal import BitsAndTime
internal import TimedText

/// Since when what is to be seen of a channel or window has stood there, and when a cue is made of it.
///
/// Called before each change. A text that is written while it is shown (roll-up, paint-on) appears whole when its writing begins, so that a
/// cue is a phrase and not a pair of letters; a pause of ``pause`` or ``longestWriting`` of writing begins a new cue.
struct CaptionSpan: Sendable {
    /// A caption that nothing has ended for so long ends there, and is not shown again: where the erasing was lost, it would stand for the rest of the film.
    static let longest = MediaTime(ticks: 10, timescale: 1)
    /// How long one stands of whose end nothing is known when its stream ends.
    static let withoutEnd = MediaTime(ticks: 3, timescale: 1)
    static let pause = MediaTime(ticks: 1, timescale: 1)
    static let longestWriting = MediaTime(ticks: 3, timescale: 1)

    /// A text and its place.
    typealias Shown = (text: StyledText, placement: TextPlacement?)
    /// What is to be seen of rows written since a time; `nil`: of all.
    typealias Screen = (_ since: MediaTime?) -> [Shown]

    /// Rows written so long before a cue begins are not shown in it. A row that rolls up slowly would else be in a cue or not by where
    /// decoding began. `nil`: all are.
    let memory: MediaTime?

    init(memory: MediaTime?) { self.memory = memory }

    /// When what is shown now began to be; `nil` where that is nothing.
    private(set) var start: MediaTime?
    private var writing: (began: MediaTime, last: MediaTime)?

    /// What is shown is about to be taken away, moved or replaced.
    mutating func willReplace(at time: MediaTime, _ shown: Screen) -> [TextCue] {
        writing = nil
        return cut(at: time, shown)
    }

    /// The same, and the text that is written next belongs to what is shown from now on: a carriage return of roll-up.
    mutating func willReplaceAndWrite(at time: MediaTime, _ shown: Screen) -> [TextCue] {
        writing = (time, time)
        return cut(at: time, shown)
    }

    /// A character is about to be written, or taken back, where it can be seen.
    ///
    /// - Parameter isBlank: Nothing is to be seen yet: then what is shown begins with this character.
    mutating func willWrite(at time: MediaTime, isBlank: Bool, _ shown: Screen) -> [TextCue] {
        if let current = writing, start != nil, !isBlank, time - current.last < Self.pause, time - current.began < Self.longestWriting {
            writing = (current.began, time)
            return []
        }
        writing = (time, time)
        return cut(at: time, shown)
    }

    /// When what is shown has to end, whatever comes.
    var deadline: MediaTime? { start.map { $0 + Self.longest } }

    /// Ends what nothing has ended. The caller takes it off the screen.
    ///
    /// - Returns: `nil` where it may stand at `time`.
    mutating func expire(by time: MediaTime, _ shown: Screen) -> [TextCue]? {
        guard let deadline, deadline <= time else { return nil }
        let cues = cut(at: deadline, shown)
        (start, writing) = (nil, nil)
        return cues
    }

    /// At the end of the stream.
    ///
    /// - Parameter time: Where it ends, as far as that is known.
    mutating func flush(at time: MediaTime?, _ shown: Screen) -> [TextCue] {
        guard let start, let deadline else { return [] }
        let end = time.map { $0 > start ? min($0, deadline) : start + Self.withoutEnd } ?? start + Self.withoutEnd
        let cues = cut(at: end, shown)
        (self.start, writing) = (nil, nil)
        return cues
    }

    private mutating func cut(at time: MediaTime, _ shown: Screen) -> [TextCue] {
        defer { start = time }
        guard let start, start < time else { return [] }
        return shown(memory.map { start - $0 }).map { TextCue(start: start, end: time, text: $0.text, placement: $0.placement) }
    }
}
