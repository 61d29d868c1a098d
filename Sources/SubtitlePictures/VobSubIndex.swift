package import BitsAndTime

/// The `.idx` half of a VobSub pair: canvas, palette, and per language where in the `.sub` each subpicture begins and when it is shown.
///
/// There is no standard; the keys are those VobSub's own writer puts out, with its comments and settings of other programs passed over.
package struct VobSubIndex: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        /// Milliseconds, with the delays before it in the file.
        package var time: Int64
        /// In bytes from the start of the `.sub`.
        package var position: Int64

        package init(time: Int64, position: Int64) {
            self.time = time
            self.position = position
        }
    }

    package struct Track: Sendable, Equatable {
        /// The language as written, two letters ("en"), or "--"; the writer's own name of the track where it has one ("alt").
        package var language: String
        package var name: String?
        /// Of the substream: 0 to 31.
        package var index: Int
        package var entries: [Entry]
    }

    /// The canvas, in pixels; `nil` where the file does not say.
    package private(set) var width: Int?
    package private(set) var height: Int?
    /// 0xRRGGBB, sixteen of them; empty where the file does not say.
    package private(set) var palette: [UInt32] = []
    /// Four colours in place of the palette's, and which of them are transparent; `nil` unless they are switched on.
    package private(set) var customColours: [UInt32]?
    package private(set) var customTransparency: [Bool] = []
    /// Per cent; 100 where the file does not say.
    package private(set) var alpha = 100
    /// langidx: the track to begin with.
    package private(set) var preferredIndex: Int?
    package private(set) var tracks: [Track] = []
    /// Lines with a key of this format whose value could not be read.
    package private(set) var unreadableLineCount = 0

    /// Entries of all tracks at most.
    private static let entryLimit = 1 << 20

    /// - Throws: `.malformed` for a text without the first line every writer puts there, or without any track.
    package init(_ text: String) throws(ParseError) {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let first = lines.first, first.lowercased().contains("vobsub index file") else {
            throw ParseError(.malformed, at: 0, in: "idx", "no VobSub index")
        }
        var offset: Int64 = 0
        var delay: Int64 = 0
        var count = 0
        for line in lines {
            let line = line.drop(while: \.isWhitespace)
            let isComment = line.first == "#"
            guard let colon = line.firstIndex(of: ":") else { continue }
            let key = line[..<colon].drop { $0 == "#" || $0.isWhitespace }.lowercased()
            let value = Self.trimmed(line[line.index(after: colon)...])
            if isComment {
                // "# alt: English" names the track above it.
                if key == "alt", !tracks.isEmpty { tracks[tracks.count - 1].name = String(value) }
                continue
            }
            switch key {
            case "size": readSize(value)
            case "palette": palette = Self.colours(value)
            case "custom colors": readCustomColours(value)
            case "alpha": alpha = Int(value.prefix { $0.isNumber }).map { min($0, 100) } ?? note(100)
            case "langidx": preferredIndex = Int(value)
            case "time offset": offset = Int64(value) ?? Self.milliseconds(value) ?? note(0)
            case "id":
                // "en, index: 0"
                let parts = value.split(separator: ",", maxSplits: 1).map(Self.trimmed)
                let index = parts.count == 2 ? Int(Self.trimmed(parts[1].drop { $0 != ":" }.dropFirst())) : nil
                tracks.append(Track(language: String(parts.first ?? "--"), name: nil, index: index ?? note(tracks.count), entries: []))
                delay = 0
            case "delay": delay = Self.sum(delay, Self.milliseconds(value) ?? note(0))
            case "timestamp":
                // "00:00:01:234, filepos: 00000a800"
                let parts = value.split(separator: ",", maxSplits: 1).map(Self.trimmed)
                guard !tracks.isEmpty, count < Self.entryLimit, parts.count == 2, let time = Self.milliseconds(parts[0]),
                    let position = Int64(Self.trimmed(parts[1].drop { $0 != ":" }.dropFirst()), radix: 16), position >= 0
                else {
                    unreadableLineCount += 1
                    continue
                }
                count += 1
                tracks[tracks.count - 1].entries.append(Entry(time: Self.sum(Self.sum(time, delay), offset), position: position))
            default: break
            }
        }
        guard !tracks.isEmpty else { throw ParseError(.malformed, at: 0, in: "idx", "no track") }
    }

    /// What decoders of subpictures are set up with: the size and the palette as text.
    package var configuration: [UInt8] {
        var lines = ""
        if let width, let height { lines += "size: \(width)x\(height)\n" }
        if !palette.isEmpty { lines += "palette: " + palette.map { Self.hexadecimal($0) }.joined(separator: ", ") + "\n" }
        return Array(lines.utf8)
    }

    private mutating func note<Value>(_ fallback: Value) -> Value {
        unreadableLineCount += 1
        return fallback
    }

    private mutating func readSize(_ value: Substring) {
        let parts = value.split(separator: "x").compactMap { Int(Self.trimmed($0)) }
        guard parts.count == 2, parts.allSatisfy({ (1...1 << 14).contains($0) }) else {
            unreadableLineCount += 1
            return
        }
        (width, height) = (parts[0], parts[1])
    }

    /// "OFF, tridx: 1000, colors: 000000, 444444, 888888, cccccc"
    private mutating func readCustomColours(_ value: Substring) {
        guard value.lowercased().hasPrefix("on"), let marker = value.range(of: "colors:"), let transparency = value.range(of: "tridx:") else { return }
        let colours = Self.colours(value[marker.upperBound...])
        guard colours.count == 4 else {
            unreadableLineCount += 1
            return
        }
        customColours = colours
        customTransparency = Self.trimmed(value[transparency.upperBound...]).prefix(4).map { $0 == "1" }
    }

    private static func colours(_ value: Substring) -> [UInt32] { value.split(separator: ",").prefix(16).compactMap { UInt32(trimmed($0), radix: 16).map { $0 & 0xFF_FFFF } } }

    private static func hexadecimal(_ colour: UInt32) -> String {
        let digits = String(colour, radix: 16)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// "-00:00:01:234": hours, minutes, seconds, milliseconds; the sign stands before the whole.
    private static func milliseconds(_ value: Substring) -> Int64? {
        let isNegative = value.first == "-"
        let parts = value.drop { $0 == "-" || $0 == "+" }.split(whereSeparator: { $0 == ":" || $0 == "." }).map { Int64(trimmed($0)) }
        guard parts.count == 4, let hours = parts[0], let minutes = parts[1], let seconds = parts[2], let milliseconds = parts[3],
            (0..<1 << 20).contains(hours), (0..<1 << 20).contains(minutes), (0..<1 << 20).contains(seconds), (0..<1 << 20).contains(milliseconds)
        else { return nil }
        let total = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
        return isNegative ? -total : total
    }

    private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? a : sum
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension Substring {
    /// Where `other` first stands, in lower case; the standard library's own search needs newer systems or Foundation.
    fileprivate func range(of other: String) -> Range<Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].lowercased().hasPrefix(other) {
                let end = index(at, offsetBy: other.count, limitedBy: endIndex) ?? endIndex
                return at..<end
            }
            at = index(after: at)
        }
        return nil
    }
}
