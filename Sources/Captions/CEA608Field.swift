internal import BitsAndTime
internal import TimedText

/// Line 21 of one field: parity, repeated control codes, and which of its two channels a pair is for.
struct CEA608Field: Sendable {
    /// Fields' extended data services stand on the second one.
    let isSecond: Bool
    private(set) var channels: [CEA608Channel]
    /// Characters to be seen that came before any control code: of the first channel, most likely.
    private(set) var strayCount = 0
    /// Pairs whose parity was wrong.
    private(set) var damagedCount = 0
    /// What characters go to: the channel of the last control code. `nil` at the start, and from the beginning of an XDS packet, which lies
    /// between two parts of a caption, to the control code that must follow it (CTA-608-E §8.6).
    private var active: Int?
    private var isInExtendedData = false
    /// The last pair was this control code, and executed: its repetition is the same one.
    private var repeatable: (UInt8, UInt8)?

    init(isSecond: Bool, memory: MediaTime?) {
        self.isSecond = isSecond
        channels = [CEA608Channel(memory: memory), CEA608Channel(memory: memory)]
    }

    /// Cues that end with this pair, with the index of their channel.
    mutating func take(_ first: UInt8, _ second: UInt8, at time: MediaTime) -> [(channel: Int, cue: TextCue)] {
        // Nulls between the two copies of a code are common where a frame rate was changed: they are nothing at all.
        guard (first | second) & 0x7F != 0 else { return [] }
        let (isFirstWhole, isSecondWhole) = (Self.isOdd(first), Self.isOdd(second))
        if !isFirstWhole || !isSecondWhole { damagedCount += 1 }
        let (a, b) = (first & 0x7F, second & 0x7F)
        guard isFirstWhole else {
            repeatable = nil
            return isSecondWhole ? write([0x7F, b], at: time) : []
        }
        switch a {
        case 0x10...0x1F:
            guard isSecondWhole else {
                repeatable = nil
                return []
            }
            return control(a, b, at: time)
        case 0x01...0x0F:
            guard isSecond else { return [] }
            repeatable = nil
            (active, isInExtendedData) = (nil, a != 0x0F)
            return []
        default:
            repeatable = nil
            return write([a, isSecondWhole ? b : 0x7F], at: time)
        }
    }

    mutating func advance(to time: MediaTime) -> [(channel: Int, cue: TextCue)] {
        channels.indices.flatMap { i in channels[i].advance(to: time).map { (i, $0) } }
    }

    mutating func flush(at time: MediaTime?) -> [(channel: Int, cue: TextCue)] {
        channels.indices.flatMap { i in channels[i].flush(at: time).map { (i, $0) } }
    }

    private static func isOdd(_ byte: UInt8) -> Bool { byte.nonzeroBitCount & 1 == 1 }

    private mutating func control(_ first: UInt8, _ second: UInt8, at time: MediaTime) -> [(channel: Int, cue: TextCue)] {
        if let last = repeatable, last == (first, second) {
            repeatable = nil
            return []
        }
        repeatable = (first, second)
        let index = Int(first >> 3 & 1)
        (active, isInExtendedData) = (index, false)
        return channels[index].execute(CEA608Code(first, second), at: time).map { (index, $0) }
    }

    private mutating func write(_ codes: [UInt8], at time: MediaTime) -> [(channel: Int, cue: TextCue)] {
        guard !isInExtendedData else { return [] }
        guard let active else {
            if !isSecond { strayCount += codes.count { $0 > 0x20 && $0 < 0x7F } }
            return []
        }
        return codes.flatMap { channels[active].write($0, at: time) }.map { (active, $0) }
    }
}
