package import BitsAndTime
package import TimedText
package enum WebVTTPayload { package static func text(of t: StyledText) -> String { t.plain.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;") } }
package enum WebVTTSegment {
    package static func written(_ cues: [TextCue], origin: MediaTime) -> [UInt8] {
        func stamp(_ t: MediaTime) -> String {
            let ms = max(0, t.converted(to: 1000).ticks)
            func p(_ n: Int64, _ w: Int) -> String { let s = String(n); return String(repeating: "0", count: max(0, w - s.count)) + s }
            return "\(p(ms/3600000,2)):\(p(ms/60000%60,2)):\(p(ms/1000%60,2)).\(p(ms%1000,3))"
        }
        var out = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(max(0, origin.converted(to: 90000).ticks)),LOCAL:00:00:00.000\n\n"
        for c in cues { out += "\(stamp(c.start)) --> \(stamp(c.end ?? c.start))\n\(WebVTTPayload.text(of: c.text))\n\n" }
        return Array(out.utf8)
    }
}
