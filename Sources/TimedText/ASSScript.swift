package import BitsAndTime

/// A whole ASS or SSA file: its head, and its events as a container would store them; and such a file put together again.
///
/// Columns stand as the file's own Format line says. Times are read with a point or a colon in front of the hundredths; a line without usable ones
/// is counted and left out, comments are left out.
///
/// Source: the SSA v4.00+ specification.
package struct ASSScript: Sendable {
    package struct Event: Sendable, Hashable {
        package let start: MediaTime
        package let end: MediaTime
        /// ``ASSEvent``'s form; the read order is the place in the file.
        package let line: String

        package init(start: MediaTime, end: MediaTime, line: String) {
            (self.start, self.end, self.line) = (start, end, line)
        }
    }

    /// All that stands in front of the events' section.
    package let header: String
    /// In the order of the file.
    package private(set) var events: [Event] = []
    package private(set) var damagedLines = 0

    /// Whether a text begins as such a file, or with its lines of events at once.
    package static func isOne(_ bytes: [UInt8]) -> Bool {
        var lines = TextLines(bytes[...])
        for _ in 0..<64 {
            guard let line = lines.next()?.trimmed else { return false }
            if line.isEmpty || line.first == UInt8(ascii: ";") { continue }
            return line.isWord("[Script Info]") || line.isWord("[Events]") || line.isWord("[V4+ Styles]") || line.isWord("[V4 Styles]") || line.starts(with: "Dialogue:".utf8)
        }
        return false
    }

    /// - Parameter bytes: In UTF-8, with or without a byte order mark.
    package init(_ bytes: [UInt8]) {
        // A zero byte would hide a line from one reader and not from the next.
        let bytes = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
        var head: [UInt8] = []
        var columns = Self.columns
        var isInEvents = false
        var order = 0
        for line in TextLines(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]) {
            let trimmed = line.trimmed
            if trimmed.first == UInt8(ascii: "[") { isInEvents = trimmed.isWord("[Events]") }
            let isDialogue = trimmed.starts(with: "Dialogue:".utf8)
            guard isInEvents || isDialogue else {
                head += line
                head.append(0x0A)
                continue
            }
            if trimmed.starts(with: "Format:".utf8) {
                columns = trimmed.dropFirst(7).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { $0.trimmed.string.lowercased() }
            } else if isDialogue {
                if let event = Self.event(line.drop { $0 == 0x20 || $0 == 0x09 }.dropFirst(9), columns, order) { events.append(event) } else { damagedLines += 1 }
                order += 1
            }
        }
        header = String(decoding: head, as: UTF8.self)
    }

    private static let columns = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]

    private static func event(_ line: ArraySlice<UInt8>, _ columns: [String], _ order: Int) -> Event? {
        guard columns.count >= 3 else { return nil }
        // The text is the last column and may hold commas.
        let fields = line.split(separator: UInt8(ascii: ","), maxSplits: columns.count - 1, omittingEmptySubsequences: false)
        guard fields.count == columns.count, columns.last == "text", let text = fields.last else { return nil }
        func field(_ name: String) -> ArraySlice<UInt8>? { columns.firstIndex(of: name).map { fields[$0].trimmed } }
        guard let start = field("start").flatMap(time), let end = field("end").flatMap(time) else { return nil }
        func written(_ name: String, or other: String) -> String { field(name).flatMap { $0.isEmpty ? nil : $0.string } ?? other }
        let layer = field("layer")?.decimal() ?? 0
        let head = [
            String(order), String(layer), written("style", or: "Default"), written("name", or: written("actor", or: "")), written("marginl", or: "0"), written("marginr", or: "0"),
            written("marginv", or: "0"), written("effect", or: ""),
        ].joined(separator: ",")
        return Event(start: start, end: end, line: head + "," + text.string)
    }

    /// "h:mm:ss.cc".
    private static func time(_ bytes: ArraySlice<UInt8>) -> MediaTime? {
        let parts = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        guard parts.count == 3 || parts.count == 4 else { return nil }
        let numbers = parts.map { $0.decimal(limit: 9_999_999) }
        guard let hours = numbers[0], let minutes = numbers[1], let seconds = numbers[2] else { return nil }
        var hundredths = 0
        if parts.count == 4 {
            guard let fraction = numbers[3], parts[3].count <= 3 else { return nil }
            hundredths = parts[3].count == 1 ? fraction * 10 : parts[3].count == 3 ? fraction / 10 : fraction
        }
        return MediaTime(ticks: Int64((hours * 60 + minutes) * 60 + seconds) * 100 + Int64(hundredths), timescale: 100)
    }

    // MARK: Writing

    /// A complete script of a track's header and events, for renderers that take whole files. What has no events' section gets one, zero bytes go, and an
    /// event that came twice (after a seek; real files have the same read order at every line) stands once.
    package static func written(header: String, events: [Event]) -> String {
        var script = ""
        for line in TextLines(String(String.UnicodeScalarView(header.unicodeScalars.filter { $0 != "\0" }))) where !line.trimmed.starts(with: "Dialogue:".utf8) {
            script += line.string + "\n"
        }
        // What stands behind the section's name in a header is a Format line, or nothing.
        if !TextLines(script).contains(where: { $0.trimmed.isWord("[Events]") }) {
            script += "\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        }
        var seen: Set<String> = []
        for event in events {
            guard let read = ASSEvent(event.line) else { continue }
            let words = read.fields.unicodeScalars.filter { $0 != "\0" && $0 != "\n" && $0 != "\r" }
            let line = "Dialogue: \(read.layer ?? 0),\(text(event.start)),\(text(event.end)),\(String(String.UnicodeScalarView(words)))"
            if seen.insert(line).inserted { script += line + "\n" }
        }
        return script
    }

    private static func text(_ time: MediaTime) -> String {
        let value = max(0, time.converted(to: 100).ticks)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(value / 360_000):\(two(value / 6000 % 60)):\(two(value / 100 % 60)).\(two(value % 100))"
    }
}
