import BitsAndTime
import Subtitles
import TimedText

/// Cues as short lines to compare: times in milliseconds, place, words with their marks.
enum CueTable {
    static func milliseconds(_ time: MediaTime) -> String { String(Int((time.seconds * 1000).rounded())) }

    static func show(_ cue: TextCue) -> String {
        var line = "\(milliseconds(cue.start))-\(cue.end.map(milliseconds) ?? "?") "
        if let placement = cue.placement {
            line += "\(placement.alignment.rawValue)"
            if let anchor = placement.anchor { line += "@\(percent(anchor.x)),\(percent(anchor.y))" }
            line += " "
        }
        return line + "|" + show(cue.text)
    }

    private static func percent(_ value: Double) -> Int { Int((value * 100).rounded()) }

    static func show(_ text: StyledText) -> String {
        text.runs.map { run in
            let style = run.style
            var marks = (style.isBold ? "b" : "") + (style.isItalic ? "i" : "") + (style.isUnderlined ? "u" : "") + (style.isStruckThrough ? "s" : "")
            if let colour = style.colour { marks += "#\(colour.red).\(colour.green).\(colour.blue)" }
            let words = String(run.text.unicodeScalars.map { $0 == "\n" ? "/" : Character($0) })
            return marks.isEmpty ? words : "[\(marks)]\(words)[]"
        }.joined()
    }

    static func show(_ track: SubtitleFile.Track) -> [String] { track.cues.map { show($0.cue) } }

    static func show(_ bytes: [UInt8], _ options: SubtitleFile.Options = .init()) -> [String] {
        do throws(SubtitleFileError) { return try SubtitleFile(bytes: bytes, options: options).tracks.flatMap { show($0) } } catch { return ["\(error)"] }
    }
}
