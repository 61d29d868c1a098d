internal import BitsAndTime
internal import HLS

/// A WebVTT segment (W3C WebVTT §4.1, RFC 8216 §3.5).
enum WebVTTCheck {
    struct Context {
        let resource: String
        /// When the segment is shown, on the timeline of the media it goes with; `nil` where that is not known.
        let window: (start: MediaTime, end: MediaTime)?
    }

    static func check(_ bytes: [UInt8], _ context: Context, into findings: inout Findings) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            findings.add(.textEncoding, Place(context.resource), "not UTF-8")
            return
        }
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
        if let first = lines.first, first.hasPrefix("\u{FEFF}") { lines[0] = String(first.dropFirst()) }
        func place(_ index: Int) -> Place { Place(context.resource, line: index + 1) }
        let signature = lines.first ?? ""
        guard signature == "WEBVTT" || signature.hasPrefix("WEBVTT ") || signature.hasPrefix("WEBVTT\t") else {
            findings.add(.signature, place(0), "the first line is \"\(signature.prefix(30))\"")
            return
        }
        let end = lines.firstIndex(of: "") ?? lines.count
        // A file whose last line ends with a line feed has an empty last element here, which is no empty line.
        if end >= lines.count - 1 { findings.add(.headerOpen, place(max(0, end - 1)), "no empty line ends the header") }
        let header = lines[..<end]
        var offset: MediaTime?
        if let at = header.firstIndex(where: { $0.hasPrefix("X-TIMESTAMP-MAP") }) {
            offset = timestampMap(header[at])
            if offset == nil { findings.add(.mapSyntax, place(at), "\"\(header[at])\" cannot be read") }
        } else if let late = lines.firstIndex(where: { $0.hasPrefix("X-TIMESTAMP-MAP") }) {
            findings.add(.mapPlace, place(late), "X-TIMESTAMP-MAP behind the header's end")
        } else {
            findings.add(.mapMissing, place(0), "no X-TIMESTAMP-MAP")
            offset = .zero
        }
        checkCues(Array(lines), from: end, offset: offset, context, into: &findings)
    }

    private static func checkCues(_ lines: [String], from start: Int, offset: MediaTime?, _ context: Context, into findings: inout Findings) {
        var previous: MediaTime?
        var index = start
        while index < lines.count {
            guard !lines[index].isEmpty else {
                index += 1
                continue
            }
            let block = index..<(lines[index...].firstIndex(of: "") ?? lines.count)
            index = block.upperBound
            let first = lines[block.lowerBound]
            if first.hasPrefix("NOTE") || first == "STYLE" || first == "REGION" || first.hasPrefix("X-TIMESTAMP-MAP") { continue }
            let at = first.contains("-->") ? block.lowerBound : block.lowerBound + 1
            let place = Place(context.resource, line: at + 1)
            guard block.contains(at), lines[at].contains("-->") else {
                findings.add(.cueSyntax, Place(context.resource, line: block.lowerBound + 1), "\"\(first.prefix(40))\" is no cue")
                continue
            }
            if let stray = block.dropFirst(at - block.lowerBound + 1).first(where: { lines[$0].contains("-->") }) {
                findings.add(.arrow, Place(context.resource, line: stray + 1), "an arrow in a cue's text begins another cue")
            }
            guard let (from, to) = timing(lines[at]) else {
                findings.add(.cueSyntax, place, "\"\(lines[at].prefix(40))\" is no cue timing")
                continue
            }
            if to <= from { findings.add(.cueEnd, place, "a cue ends at \(MediaPlaylistCheck.seconds(to)) and begins at \(MediaPlaylistCheck.seconds(from))") }
            if let previous, from < previous {
                findings.add(.cueOrder, place, "a cue begins at \(MediaPlaylistCheck.seconds(from)), the one before at \(MediaPlaylistCheck.seconds(previous))")
            }
            previous = from
            guard let window = context.window, let offset else { continue }
            let slack = MediaTime(ticks: 20, timescale: 1000)
            if to + offset < window.start - slack || from + offset > window.end + slack {
                findings.add(
                    .cueOutside, place,
                    "a cue of \(MediaPlaylistCheck.seconds(from + offset)) to \(MediaPlaylistCheck.seconds(to + offset)) in the segment from "
                        + "\(MediaPlaylistCheck.seconds(window.start)) to \(MediaPlaylistCheck.seconds(window.end))")
            }
        }
    }

    /// What to add to a cue's time to get to the media's; `nil` for a map that cannot be read.
    static func timestampMap(_ line: String) -> MediaTime? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        var (local, ticks): (MediaTime?, Int64?) = (nil, nil)
        for part in line[line.index(after: equals)...].split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            if trimmed.hasPrefix("LOCAL:") {
                local = timestamp(trimmed.dropFirst(6))
            } else if trimmed.hasPrefix("MPEGTS:") {
                ticks = Int64(trimmed.dropFirst(7))
            }
        }
        guard let local, let ticks, ticks >= 0, ticks < 1 << 33 else { return nil }
        return MediaTime(ticks: ticks, timescale: 90_000) - local
    }

    private static func timing(_ line: String) -> (MediaTime, MediaTime)? {
        guard let arrow = line.firstRange(ofText: "-->") else { return nil }
        let left = line[..<arrow.lowerBound], right = line[arrow.upperBound...]
        guard left.last == " " || left.last == "\t", right.first == " " || right.first == "\t" else { return nil }
        let start = left.filter { $0 != " " && $0 != "\t" }
        let end = right.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        guard let from = timestamp(start[...]), let to = timestamp(end) else { return nil }
        return (from, to)
    }

    /// `[hh:]mm:ss.ttt` (WebVTT §3.3).
    private static func timestamp(_ text: Substring) -> MediaTime? {
        let point = text.split(separator: ".", omittingEmptySubsequences: false)
        guard point.count == 2, point[1].count == 3, point[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let milli = Int64(point[1]) else { return nil }
        let parts = point[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        guard parts.suffix(2).allSatisfy({ $0.count == 2 }), parts.count == 2 || (2...9).contains(parts[0].count) else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == parts.count, numbers.suffix(2).allSatisfy({ $0 < 60 }) else { return nil }
        let whole = numbers.reduce(0) { $0 * 60 + $1 }
        return MediaTime(ticks: whole * 1000 + milli, timescale: 1000)
    }
}

extension StringProtocol {
    /// Where ASCII text first stands.
    func firstRange(ofText text: String) -> Range<Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return at..<index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}

extension Rule {
    static let textEncoding = Rule("webvtt.encoding", .must, "WebVTT §4.1", fix: "Write UTF-8.")
    static let signature = Rule("webvtt.signature", .must, "WebVTT §4.1, RFC 8216 §3.5", fix: "Begin with a line WEBVTT.")
    static let headerOpen = Rule("webvtt.header", .must, "WebVTT §4.1", fix: "End the header with an empty line, also where no cue follows.")
    static let mapSyntax = Rule("webvtt.map", .must, "RFC 8216 §3.5", fix: "Write X-TIMESTAMP-MAP=LOCAL:hh:mm:ss.ttt,MPEGTS:ticks of 90 kHz.")
    static let mapPlace = Rule("webvtt.map-place", .must, "RFC 8216 §3.5", fix: "Put the map into the header.")
    static let mapMissing = Rule("webvtt.map-missing", .should, "RFC 8216 §3.5, Apple HLS Authoring 5.3", fix: "Add X-TIMESTAMP-MAP.")
    static let cueSyntax = Rule("webvtt.cue", .must, "WebVTT §4.1", fix: "Write hh:mm:ss.ttt --> hh:mm:ss.ttt before the text.")
    static let arrow = Rule("webvtt.arrow", .must, "WebVTT §4.1", fix: "Write &gt; for > in text.")
    static let cueEnd = Rule("webvtt.cue-end", .must, "WebVTT §4.1", fix: "End a cue after its start.")
    static let cueOrder = Rule("webvtt.cue-order", .must, "WebVTT §4.1", fix: "Sort cues by their start.")
    static let cueOutside = Rule("webvtt.cue-outside", .should, "RFC 8216 §3.5", fix: "Put a cue into the segments it is shown in, and check X-TIMESTAMP-MAP.")
}
