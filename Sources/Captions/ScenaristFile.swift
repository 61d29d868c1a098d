package import BitsAndTime
internal import TimedText

/// A Scenarist closed caption file (.scc): lines of a time code and the byte pairs of the first field that are sent from it on, one a frame.
package struct ScenaristFile: Sendable, Hashable {
    package struct Line: Sendable, Hashable {
        /// In frames of 30000/1001 a second from 00:00:00:00.
        package var frame: Int64
        package var pairs: [[UInt8]]
    }

    package private(set) var lines: [Line] = []
    /// Lines that are no captions, and words that are no pairs.
    package private(set) var damagedCount = 0

    private static let header = "Scenarist_SCC V1.0"
    /// 8 hours of a pair a frame.
    private static let pairLimit = 1_000_000

    /// - Throws: `.malformed` without the header; `.limitExceeded` for a file with more than a million pairs.
    package init(_ text: String) throws(ParseError) {
        var rows = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)[...]
        guard let first = rows.popFirst(), first.drop(while: { $0 == "\u{FEFF}" || $0.isWhitespace }).lowercased().hasPrefix(Self.header.lowercased()) else {
            throw ParseError(.malformed, at: 0, in: "scc", "no \(Self.header)")
        }
        var count = 0
        for row in rows {
            var words = row.split(whereSeparator: \.isWhitespace)[...]
            guard let code = words.popFirst() else { continue }
            guard let frame = Self.frame(code) else {
                damagedCount += 1
                continue
            }
            var pairs: [[UInt8]] = []
            for word in words {
                guard word.utf8.count == 4, let value = UInt16(word, radix: 16), word.first != "+" else {
                    damagedCount += 1
                    continue
                }
                pairs.append([UInt8(value >> 8), UInt8(value & 0xFF)])
            }
            count += pairs.count
            guard count <= Self.pairLimit else { throw ParseError(.limitExceeded, at: 0, in: "scc", "more than \(Self.pairLimit) pairs") }
            lines.append(Line(frame: frame, pairs: pairs))
        }
    }

    /// `HH:MM:SS:FF` counts all frames; with a `;` or `,` or `.` before the frames the code leaves out 0 and 1 of each minute that is no tenth (SMPTE ST 12-1 §5.2.2).
    static func frame(_ code: Substring) -> Int64? {
        let marks = code.filter { !$0.isASCII || !$0.isNumber }
        let fields = code.split(omittingEmptySubsequences: false) { ":;,.".contains($0) }
        guard fields.count == 4, marks.count == 3, fields.allSatisfy({ (1...2).contains($0.utf8.count) }) else { return nil }
        let numbers = fields.compactMap { Int64($0) }
        guard numbers.count == 4, numbers[1] < 60, numbers[2] < 60, numbers[3] < 30 else { return nil }
        let minutes = numbers[0] * 60 + numbers[1]
        let frames = (minutes * 60 + numbers[2]) * 30 + numbers[3]
        return marks.last == ":" ? frames : frames - 2 * (minutes - minutes / 10)
    }

    /// The captions of all channels of the first field. A line that begins before the one above it is sent goes on behind it.
    package func captions() -> [Caption] {
        var receiver = CaptionReceiver()
        var captions: [Caption] = []
        var next: Int64 = .min
        for line in lines {
            var frame = max(line.frame, next)
            for pair in line.pairs {
                let bytes = pair.map(Self.withParity)
                let time = MediaTime(ticks: frame * 1001, timescale: 30_000)
                captions += receiver.take(CaptionTriplet(.field1, bytes[0], bytes[1]), at: time)
                frame += 1
            }
            next = frame
        }
        captions += receiver.flush(at: nil)
        return captions.enumerated().sorted { ($0.element.cue.start, $0.offset) < ($1.element.cue.start, $1.offset) }.map(\.element)
    }

    /// Many tools write seven bits, of the text or of everything; a file is not noisy, so parity says nothing here.
    private static func withParity(_ byte: UInt8) -> UInt8 {
        let bits = byte & 0x7F
        return bits.nonzeroBitCount & 1 == 1 ? bits : bits | 0x80
    }
}
