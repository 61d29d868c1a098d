package import BitsAndTime

/// A WebVTT file: its cues in the order they stand in.
///
/// Notes, styles and regions are passed over; a block that is no cue is left out and the next one read, as the standard's parser does.
///
/// Source: W3C WebVTT, clause 6.1; RFC 8216, clause 3.5, for the map of times.
package struct WebVTTDocument: Sendable {
    package struct Cue: Sendable, Hashable {
        package var identifier: String
        package var cue: TextCue
    }

    /// X-TIMESTAMP-MAP: these ticks of a 90 kHz clock are that local time.
    package struct TimestampMap: Sendable, Hashable {
        package let ticks: UInt64
        package let milliseconds: Int64
    }

    /// Times in milliseconds on the file's own axis.
    package private(set) var cues: [Cue] = []
    package private(set) var timestampMap: TimestampMap?
    /// Cues that end before they begin and so never show, and blocks with an arrow that are no cues.
    package private(set) var skippedBlocks = 0

    /// - Parameter bytes: In UTF-8, with or without a byte order mark.
    /// - Throws: ``ParseError`` for a file that does not begin as one.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var lines = TextLines(bytes)
        let first = lines.next() ?? []
        guard first.starts(with: "WEBVTT".utf8), first.count == 6 || first[first.startIndex + 6] == 0x20 || first[first.startIndex + 6] == 0x09 else {
            throw ParseError(.malformed, at: 0, in: "WebVTT", "the file does not begin with WEBVTT")
        }
        var block: [ArraySlice<UInt8>] = []
        var isHeader = true
        while let line = lines.next() {
            if !line.isEmpty {
                // A timing line ends the header, and a block that has one already.
                if Self.hasArrow(line), isHeader || block.contains(where: Self.hasArrow) {
                    finish(&block, &isHeader)
                    isHeader = false
                }
                block.append(line)
            } else {
                finish(&block, &isHeader)
            }
        }
        finish(&block, &isHeader)
    }

    private static let arrow = Array("-->".utf8)

    private static func hasArrow(_ line: ArraySlice<UInt8>) -> Bool {
        var rest = line
        while let start = rest.firstIndex(of: UInt8(ascii: "-")) {
            rest = rest[start...]
            if rest.starts(with: arrow) { return true }
            rest.removeFirst()
        }
        return false
    }

    private mutating func finish(_ block: inout [ArraySlice<UInt8>], _ isHeader: inout Bool) {
        defer {
            block.removeAll(keepingCapacity: true)
            isHeader = false
        }
        if isHeader {
            for line in block where line.starts(with: "X-TIMESTAMP-MAP=".utf8) { timestampMap = Self.map(line.dropFirst(16)) }
            return
        }
        // The times stand in the first line or behind one line of identifier; further on an arrow is garbage.
        guard let timing = block.prefix(2).firstIndex(where: Self.hasArrow) else {
            if block.contains(where: Self.hasArrow) { skippedBlocks += 1 }
            return
        }
        guard let (start, end, settings) = Self.timing(block[timing]), end > start else {
            skippedBlocks += 1
            return
        }
        var payload: [UInt8] = []
        for (index, line) in block[(timing + 1)...].enumerated() {
            if index > 0 { payload.append(0x0A) }
            for byte in line { if byte == 0 { payload += [0xEF, 0xBF, 0xBD] } else { payload.append(byte) } }
        }
        let cue = TextCue(
            start: MediaTime(ticks: start, timescale: 1000), end: MediaTime(ticks: end, timescale: 1000), text: WebVTTCueText.read(payload[...]),
            placement: settings.placement, settings: settings.isEmpty ? nil : settings.text)
        cues.append(Cue(identifier: timing == 0 ? "" : block[0].string, cue: cue))
    }

    private static func timing(_ line: ArraySlice<UInt8>) -> (Int64, Int64, WebVTTCueSettings)? {
        var rest = line
        func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0C } }
        skipSpace()
        guard let start = WebVTTTimestamp.take(&rest) else { return nil }
        skipSpace()
        guard rest.starts(with: arrow) else { return nil }
        rest = rest.dropFirst(3)
        skipSpace()
        guard let end = WebVTTTimestamp.take(&rest) else { return nil }
        return (start, end, WebVTTCueSettings(parsing: rest))
    }

    private static func map(_ value: ArraySlice<UInt8>) -> TimestampMap? {
        var (ticks, local): (UInt64?, Int64?)
        for part in value.split(separator: UInt8(ascii: ",")) {
            if part.starts(with: "MPEGTS:".utf8) { ticks = UInt64(part.dropFirst(7).trimmed.string) }
            if part.starts(with: "LOCAL:".utf8) {
                var time = part.dropFirst(6).trimmed
                local = WebVTTTimestamp.take(&time)
            }
        }
        guard let ticks, let local else { return nil }
        return TimestampMap(ticks: ticks, milliseconds: local)
    }
}
