import BitsAndTime
@testable import Captions
import TimedText

/// A small encoder of CEA-608: byte pairs with their parity, as triplets a frame apart.
enum Line21 {
    static func odd(_ byte: UInt8) -> UInt8 {
        let bits = byte & 0x7F
        return bits.nonzeroBitCount & 1 == 1 ? bits : bits | 0x80
    }

    static func pair(_ first: UInt8, _ second: UInt8, field: CaptionTriplet.Kind = .field1) -> CaptionTriplet {
        CaptionTriplet(field, odd(first), odd(second))
    }

    /// A control code, sent twice as it should be.
    static func code(_ first: UInt8, _ second: UInt8, channel: Int = 1) -> [CaptionTriplet] {
        let field: CaptionTriplet.Kind = channel > 2 ? .field2 : .field1
        let bytes = pair(first | (channel & 1 == 0 ? 8 : 0), second, field: field)
        return [bytes, bytes]
    }

    static func command(_ command: CEA608Code.Command, channel: Int = 1) -> [CaptionTriplet] { code(0x14, command.rawValue, channel: channel) }

    /// Bytes of ASCII; an odd one is filled up with a null.
    static func text(_ text: String, channel: Int = 1) -> [CaptionTriplet] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 2).map {
            pair(bytes[$0], $0 + 1 < bytes.count ? bytes[$0 + 1] : 0, field: channel > 2 ? .field2 : .field1)
        }
    }

    /// The first byte's low bits and the second's bit 5 of each row, 1…15.
    private static let rows: [(UInt8, UInt8)] = [
        (0x11, 0x40), (0x11, 0x60), (0x12, 0x40), (0x12, 0x60), (0x15, 0x40), (0x15, 0x60), (0x16, 0x40), (0x16, 0x60),
        (0x17, 0x40), (0x17, 0x60), (0x10, 0x40), (0x13, 0x40), (0x13, 0x60), (0x14, 0x40), (0x14, 0x60),
    ]

    /// - Parameters:
    ///   - row: 1…15.
    ///   - attribute: 0…15 as coded: colours, italics, indents.
    static func preamble(row: Int, attribute: UInt8 = 0, underline: Bool = false, channel: Int = 1) -> [CaptionTriplet] {
        code(rows[row - 1].0, rows[row - 1].1 | attribute << 1 | (underline ? 1 : 0), channel: channel)
    }

    static func popOn(_ text: String, row: Int = 15, attribute: UInt8 = 0, channel: Int = 1) -> [CaptionTriplet] {
        command(.resumeCaptionLoading, channel: channel) + command(.eraseNondisplayedMemory, channel: channel)
            + preamble(row: row, attribute: attribute, channel: channel) + self.text(text, channel: channel)
    }

    static func rollUp(_ text: String, _ depth: CEA608Code.Command = .rollUp2, row: Int = 15, channel: Int = 1) -> [CaptionTriplet] {
        command(depth, channel: channel) + command(.carriageReturn, channel: channel) + preamble(row: row, channel: channel) + self.text(text, channel: channel)
    }
}

/// Frames of 1/30 s: triplets of a frame each, put at times, and the captions that come out.
struct CaptionScript {
    private(set) var pictures: [(time: MediaTime, triplets: [CaptionTriplet])] = []
    private var frame: Int64 = 0

    init() {}

    static func time(_ frame: Int64) -> MediaTime { MediaTime(ticks: frame, timescale: 30) }

    /// Pair by pair from `frame` on, or from where the last ended.
    mutating func send(_ triplets: [CaptionTriplet], at frame: Int64? = nil) {
        if let frame { self.frame = max(frame, self.frame) }
        for triplet in triplets {
            pictures.append((Self.time(self.frame), [triplet]))
            self.frame += 1
        }
    }

    /// All in one picture.
    mutating func sendAtOnce(_ triplets: [CaptionTriplet], at frame: Int64) {
        self.frame = max(frame, self.frame)
        pictures.append((Self.time(self.frame), triplets))
        self.frame += 1
    }

    var end: MediaTime { Self.time(frame) }

    func captions(endingAt end: MediaTime? = nil, memory: MediaTime? = nil) -> [Caption] {
        var receiver = CaptionReceiver(memory: memory)
        var captions: [Caption] = []
        for picture in pictures {
            for triplet in picture.triplets { captions += receiver.take(triplet, at: picture.time) }
        }
        return captions + receiver.flush(at: end)
    }

    func cues(of channel: CaptionChannel = .cea608(1), endingAt end: MediaTime? = nil) -> [TextCue] {
        captions(endingAt: end).filter { $0.channel == channel }.map(\.cue)
    }
}

/// What a cue says and when, in frames: short enough for expectations.
struct Line: Equatable, CustomStringConvertible {
    var text: String
    var start: Int64
    var end: Int64

    init(_ text: String, _ start: Int64, _ end: Int64) { (self.text, self.start, self.end) = (text, start, end) }

    init(_ cue: TextCue) {
        self.init(cue.text.plain, cue.start.converted(to: 30).ticks, cue.end?.converted(to: 30).ticks ?? -1)
    }

    var description: String { "\(text.debugDescription) \(start)…\(end)" }
}
