internal import BitsAndTime
internal import TimedText

/// The decoder of one DTVCC service: eight windows, the current one, and the codes that wait (CTA-708-E §8).
struct CEA708Service: Sendable {
    static let windowCount = 8
    /// Bytes of codes a delay may hold back (§8.6.3): more end it.
    private static let delayByteLimit = 128
    /// No code is longer than this: a variable one of C3.
    private static let longestCode = 34

    /// Characters to be seen that were written, those for windows that nobody defined included.
    private(set) var writtenCount = 0
    private var windows: [CEA708Window?] = Array(repeating: nil, count: windowCount)
    private var current: Int?
    /// The front of a code whose parameters are in the next block.
    private var begun: [UInt8] = []
    private var highSurrogate: UInt16?
    private var waiting: [(code: CEA708Code, byteCount: Int)] = []
    private var delayEnd: MediaTime?
    private let isWide: Bool
    private let memory: MediaTime?

    init(isWide: Bool, memory: MediaTime?) { (self.isWide, self.memory) = (isWide, memory) }

    /// When each caption began that is shown and has no end yet.
    var openSince: [MediaTime] { windows.compactMap { $0?.openSince } }

    /// The windows that are there, the foremost first: lower priority numbers, then lower window numbers (§8.4.3).
    private var order: [Int] {
        windows.indices.filter { windows[$0] != nil }.sorted { (windows[$0]?.definition.priority ?? 0, $0) < (windows[$1]?.definition.priority ?? 0, $1) }
    }

    // MARK: Time

    mutating func advance(to time: MediaTime) -> [TextCue] {
        var cues: [TextCue] = []
        while let end = delayEnd, end <= time {
            cues += expire(by: end)
            delayEnd = nil
            cues += runWaiting(at: end)
        }
        return cues + expire(by: time)
    }

    private mutating func expire(by time: MediaTime) -> [TextCue] {
        order.flatMap { windows[$0]?.expire(by: time) ?? [] }
    }

    mutating func flush(at time: MediaTime?) -> [TextCue] {
        defer { self = CEA708Service(isWide: isWide, memory: memory, writtenCount: writtenCount) }
        return order.flatMap { windows[$0]?.flush(at: time) ?? [] }
    }

    private init(isWide: Bool, memory: MediaTime?, writtenCount: Int) { (self.isWide, self.memory, self.writtenCount) = (isWide, memory, writtenCount) }

    // MARK: Codes

    /// Packets are missing: the rest of a code will not come. The windows stay, since some encoders number their packets wrong all the way.
    mutating func noteGap() { (begun, highSurrogate) = ([], nil) }

    mutating func take(_ block: [UInt8], at time: MediaTime) -> [TextCue] {
        let bytes = begun + block
        var rest = bytes[...]
        var cues: [TextCue] = []
        while let (code, count) = CEA708Code.read(rest) {
            rest = rest.dropFirst(count)
            cues += schedule(code, byteCount: count, at: time)
        }
        begun = Array(rest.suffix(Self.longestCode))
        return cues
    }

    private mutating func schedule(_ code: CEA708Code, byteCount: Int, at time: MediaTime) -> [TextCue] {
        guard delayEnd != nil else { return execute(code, at: time) }
        switch code {
        case .reset:
            waiting = []
            delayEnd = nil
            return execute(code, at: time)
        case .delayCancel:
            delayEnd = nil
            return runWaiting(at: time)
        default:
            waiting.append((code, byteCount))
            guard waiting.reduce(0, { $0 + $1.byteCount }) >= Self.delayByteLimit else { return [] }
            delayEnd = nil
            return runWaiting(at: time)
        }
    }

    /// Up to another delay.
    private mutating func runWaiting(at time: MediaTime) -> [TextCue] {
        var cues: [TextCue] = []
        var codes = waiting[...]
        waiting = []
        while delayEnd == nil, let next = codes.popFirst() { cues += execute(next.code, at: time) }
        waiting = Array(codes)
        return cues
    }

    private mutating func execute(_ code: CEA708Code, at time: MediaTime) -> [TextCue] {
        switch code {
        case .character(let scalar): return write(scalar, at: time)
        case .surrogate(let unit): return write(unit, at: time)
        case .backspace: return inCurrent { $0.backspace(at: time) }
        case .formFeed: return inCurrent { $0.clear(at: time) }
        case .carriageReturn: return inCurrent { $0.carriageReturn(at: time) }
        case .horizontalCarriageReturn: return inCurrent { $0.horizontalCarriageReturn(at: time) }
        case .setCurrentWindow(let number):
            // A window that is not there does not become the current one (§8.10.5.1).
            if windows[number] != nil { current = number }
        case .clearWindows(let map): return forEach(map) { $0.clear(at: time) }
        case .displayWindows(let map): return forEach(map) { $0.setVisible(true, at: time) }
        case .hideWindows(let map): return forEach(map) { $0.setVisible(false, at: time) }
        case .toggleWindows(let map): return forEach(map) { $0.setVisible(!$0.isVisible, at: time) }
        case .deleteWindows(let map): return delete(map, at: time)
        case .delay(let tenths): if tenths > 0 { delayEnd = time + MediaTime(ticks: Int64(tenths), timescale: 10) }
        case .reset:
            let cues = delete(0xFF, at: time)
            (begun, highSurrogate) = ([], nil)
            return cues
        case .setPenAttributes(let isItalic, let isUnderlined):
            return inCurrent {
                ($0.pen.isItalic, $0.pen.isUnderlined) = (isItalic, isUnderlined)
                return []
            }
        case .setPenColour(let colour):
            return inCurrent {
                $0.pen.colour = colour
                return []
            }
        case .setPenLocation(let row, let column):
            return inCurrent {
                $0.setPenLocation(row: row, column: column)
                return []
            }
        case .setWindowAttributes(let attributes): return inCurrent { $0.setAttributes(attributes, at: time) }
        case .defineWindow(let number, let definition): return define(number, definition, at: time)
        case .endOfText, .delayCancel, .other: break
        }
        return []
    }

    private mutating func write(_ scalar: Unicode.Scalar, at time: MediaTime) -> [TextCue] {
        highSurrogate = nil
        if scalar != " " && scalar != "\u{A0}" { writtenCount += 1 }
        return inCurrent { $0.write(scalar, at: time) }
    }

    /// Both halves make a character; one alone makes none.
    private mutating func write(_ unit: UInt16, at time: MediaTime) -> [TextCue] {
        guard unit & 0xFC00 == 0xDC00, let high = highSurrogate else {
            highSurrogate = unit & 0xFC00 == 0xD800 ? unit : nil
            return []
        }
        highSurrogate = nil
        guard let scalar = Unicode.Scalar(0x10000 + UInt32(high & 0x3FF) << 10 + UInt32(unit & 0x3FF)), CEA708Characters.isText(scalar) else { return [] }
        return write(scalar, at: time)
    }

    private mutating func inCurrent(_ body: (inout CEA708Window) -> [TextCue]) -> [TextCue] {
        guard let current else { return [] }
        return change(current, body)
    }

    private mutating func change(_ number: Int, _ body: (inout CEA708Window) -> [TextCue]) -> [TextCue] {
        guard var window = windows[number] else { return [] }
        // One owner, or each character copies the grid.
        windows[number] = nil
        defer { windows[number] = window }
        return body(&window)
    }

    private mutating func forEach(_ map: UInt8, _ body: (inout CEA708Window) -> [TextCue]) -> [TextCue] {
        order.filter { map >> UInt8($0) & 1 == 1 }.flatMap { change($0, body) }
    }

    private mutating func delete(_ map: UInt8, at time: MediaTime) -> [TextCue] {
        let cues = forEach(map) { $0.setVisible(false, at: time) }
        for number in windows.indices where map >> UInt8(number) & 1 == 1 { windows[number] = nil }
        if let number = current, windows[number] == nil { current = nil }
        return cues
    }

    private mutating func define(_ number: Int, _ definition: CEA708WindowDefinition, at time: MediaTime) -> [TextCue] {
        current = number
        if windows[number] != nil { return change(number) { $0.redefine(definition, at: time) } }
        windows[number] = CEA708Window(definition, isWide: isWide, memory: memory)
        return []
    }
}
