package import BitsAndTime

/// An EBU STL file: the binary exchange format of broadcasters' subtitles.
///
/// Kept: words, colour, italics and underline, the row where it is not the usual one, the column of justification, cumulative sets (each addition is
/// a cue with all that stands by then). Left out: comments, user data, flash, double height and width. Where the programme is
/// said to begin later than zero and no subtitle lies before it, times count from there.
///
/// Source: EBU Tech 3264-E (1991).
package struct EBUSTLDocument: Sendable {
    package private(set) var cues: [TextCue] = []
    /// ISO 639-1, where the file says a language this package knows the number of.
    package let language: String?
    /// Blocks whose times are none, or that end before they begin.
    package private(set) var damagedBlocks = 0

    private static let headSize = 1024
    private static let blockSize = 128

    /// Whether the bytes begin as such a file.
    package static func isOne(_ bytes: [UInt8]) -> Bool {
        bytes.count >= headSize && bytes[3..<6].elementsEqual("STL".utf8) && bytes[8] == UInt8(ascii: ".") && bytes[6..<8].decimal() != nil
    }

    /// - Throws: ``ParseError`` for a head that is none; a last block that is cut off is left out.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        guard bytes.count >= Self.headSize else { throw ParseError(.truncated, at: bytes.count, in: "EBU STL", "the head is 1024 bytes") }
        guard Self.isOne(bytes), let rate = bytes[6..<8].decimal(), rate > 0 else { throw ParseError(.malformed, at: 3, in: "EBU STL", "no disk format code") }
        let table = EBUSTLCharacters.Table(rawValue: bytes[12..<14].string) ?? .latin
        language = Int(bytes[14..<16].string, radix: 16).flatMap { Self.languages[$0] }
        let isTeletext = bytes[11] == UInt8(ascii: "1") || bytes[11] == UInt8(ascii: "2")
        let rows = isTeletext ? 23 : bytes[253..<255].decimal().flatMap { $0 > 0 ? $0 : nil } ?? 23
        let programme = Self.headTime(bytes[256..<264], rate) ?? 0

        var field: [UInt8] = []
        var set: [Subtitle] = []
        var offset = Self.headSize
        while offset + Self.blockSize <= bytes.count {
            let block = bytes[offset..<(offset + Self.blockSize)]
            offset += Self.blockSize
            func byte(_ index: Int) -> UInt8 { block[block.startIndex + index] }
            // User data and comments are nothing to read.
            if byte(3) == 0xFE || byte(15) == 1 { continue }
            field += block[(block.startIndex + 16)...].prefix { $0 != 0x8F }
            guard byte(3) == 0xFF else { continue }
            let whole = field
            field = []
            guard let begin = Self.time(block[(block.startIndex + 5)..<(block.startIndex + 9)], rate),
                let end = Self.time(block[(block.startIndex + 9)..<(block.startIndex + 13)], rate)
            else {
                damagedBlocks += 1
                continue
            }
            let text = EBUSTLText.read(whole, table, isTeletext: isTeletext)
            let subtitle = Subtitle(begin: begin, end: end, text: text, row: Int(byte(13)), justification: byte(14))
            switch byte(4) {
            case 1, 2: set.append(subtitle)
            case 3:
                set.append(subtitle)
                finish(&set, rate, rows, isTeletext)
            default:
                finish(&set, rate, rows, isTeletext)
                set = [subtitle]
                finish(&set, rate, rows, isTeletext)
            }
        }
        finish(&set, rate, rows, isTeletext)
        let shift = MediaTime(ticks: Int64(programme), timescale: Int32(rate))
        if programme > 0, cues.allSatisfy({ $0.start >= shift }) {
            for index in cues.indices {
                cues[index].start = cues[index].start - shift
                cues[index].end = cues[index].end.map { $0 - shift }
            }
        }
    }

    private struct Subtitle {
        let begin: Int
        let end: Int
        let text: StyledText
        let row: Int
        let justification: UInt8
    }

    /// Each of a set stands from its begin until the set is over; with it what came before.
    private mutating func finish(_ set: inout [Subtitle], _ rate: Int, _ rows: Int, _ isTeletext: Bool) {
        defer { set = [] }
        guard let last = set.last else { return }
        // A set without an end would pile up without bound.
        for (index, subtitle) in set.prefix(64).enumerated() {
            let end = index + 1 < set.count ? set[index + 1].begin : last.end
            guard end > subtitle.begin else {
                damagedBlocks += 1
                continue
            }
            let shown = set[...index].filter { !$0.text.isBlank }.sorted { $0.row < $1.row }
            guard let top = shown.first else { continue }
            let lines = shown.flatMap(\.text.lines)
            cues.append(
                TextCue(
                    start: MediaTime(ticks: Int64(subtitle.begin), timescale: Int32(rate)), end: MediaTime(ticks: Int64(end), timescale: Int32(rate)),
                    text: StyledText(lines: lines), placement: Self.placement(top.row, top.justification, rows, isTeletext)))
        }
    }

    /// A first row in the upper half stands where it says; below is where subtitles stand anyhow.
    private static func placement(_ row: Int, _ justification: UInt8, _ rows: Int, _ isTeletext: Bool) -> TextPlacement? {
        let column: TextPlacement.Alignment.Column = justification == 1 ? .left : justification == 3 ? .right : .middle
        let first = max(0, row - (isTeletext ? 1 : 0))
        if row > 0, first * 2 < rows {
            let x = column == .left ? 0.1 : column == .right ? 0.9 : 0.5
            return TextPlacement(.init(.top, column), anchor: TextPlacement.Anchor(x: x, y: Double(first) / Double(rows)))
        }
        return column == .middle ? nil : TextPlacement(.init(.bottom, column))
    }

    /// Frames; `nil` for what is no time of day.
    private static func time(_ bytes: ArraySlice<UInt8>, _ rate: Int) -> Int? {
        let parts = bytes.map(Int.init)
        guard parts.count == 4, parts[0] < 100, parts[1] < 60, parts[2] < 60, parts[3] < max(rate, 1) else { return nil }
        return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * rate + parts[3]
    }

    private static func headTime(_ digits: ArraySlice<UInt8>, _ rate: Int) -> Int? {
        let pairs = (0..<4).map { digits[(digits.startIndex + 2 * $0)..<(digits.startIndex + 2 * $0 + 2)].decimal().map { UInt8(clamping: $0) } }
        guard pairs.allSatisfy({ $0 != nil }) else { return nil }
        return time(pairs.compactMap { $0 }[...], rate)
    }

    private static let languages: [Int: String] = [
        0x01: "sq", 0x02: "br", 0x03: "ca", 0x04: "hr", 0x05: "cy", 0x06: "cs", 0x07: "da", 0x08: "de", 0x09: "en", 0x0A: "es", 0x0B: "eo", 0x0C: "et", 0x0D: "eu",
        0x0E: "fo", 0x0F: "fr", 0x10: "fy", 0x11: "ga", 0x12: "gd", 0x13: "gl", 0x14: "is", 0x15: "it", 0x17: "la", 0x18: "lv", 0x19: "lb", 0x1A: "lt", 0x1B: "hu",
        0x1C: "mt", 0x1D: "nl", 0x1E: "no", 0x1F: "oc", 0x20: "pl", 0x21: "pt", 0x22: "ro", 0x23: "rm", 0x24: "sr", 0x25: "sk", 0x26: "sl", 0x27: "fi", 0x28: "sv",
        0x29: "tr", 0x2A: "nl",
    ]
}
