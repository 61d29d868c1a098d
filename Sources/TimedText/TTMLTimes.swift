internal import BitsAndTime

/// The time expressions of a TTML document, by the rates its root declares.
///
/// Source: W3C TTML2, clauses 7.2 (parameters) and 12.3.1 (expressions); EBU Tech 3380.
struct TTMLTimes {
    /// All times of a document are given in this; it divides the usual frame rates and milliseconds.
    static let timescale: Int32 = 1_000_000

    private var frames = 30.0
    private var subFrames = 1.0
    private var ticks = 1.0
    private var dropsFrames = false

    init(_ root: XMLEvents.Attributes) {
        let rate = root["frameRate"].flatMap { Double($0) }.flatMap { $0 > 0 && $0 <= 1000 ? $0 : nil }
        var multiplier = 1.0
        if let pair = root["frameRateMultiplier"] {
            let parts = pair.split { $0 == " " || $0 == ":" }.map { Double($0) }
            if parts.count == 2, let above = parts[0], let below = parts[1], above > 0, below > 0 { multiplier = above / below }
        }
        frames = (rate ?? 30) * multiplier
        subFrames = root["subFrameRate"].flatMap { Double($0) }.flatMap { $0 >= 1 && $0 <= 1000 ? $0 : nil } ?? 1
        let declared = root["tickRate"].flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
        ticks = declared ?? (rate == nil ? 1 : frames * subFrames)
        dropsFrames = root["timeBase"] == "smpte" && root["dropMode"] == "dropNTSC"
    }

    /// - Returns: Seconds; `nil` for what is no time.
    func seconds(_ text: String?) -> Double? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)[...].trimmed
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count > 1 else { return offset(bytes) }
        guard (3...4).contains(parts.count), let hours = parts[0].decimal(), let minutes = parts[1].decimal(limit: 59) else { return nil }
        let whole = Double(hours * 3600 + minutes * 60)
        if parts.count == 3 { return parts[2].unsignedNumber.map { whole + $0 } }
        // A frame count may have sub-frames behind a point.
        let frame = parts[3].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let seconds = parts[2].decimal(limit: 60), (1...2).contains(frame.count), let number = frame[0].decimal(limit: 9999) else { return nil }
        let sub = frame.count == 2 ? frame[1].decimal().map(Double.init) ?? 0 : 0
        if dropsFrames {
            // Two numbers are left out in every minute but the tenths; what is counted are frames.
            let total = hours * 60 + minutes
            let nominal = frames.rounded()
            let count = (whole + Double(seconds)) * nominal + Double(number) - 2 * Double(total - total / 10)
            return count / frames
        }
        return whole + Double(seconds) + (Double(number) + sub / subFrames) / frames
    }

    private func offset(_ bytes: ArraySlice<UInt8>) -> Double? {
        let digits = bytes.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard let value = digits.unsignedNumber else { return nil }
        switch bytes[digits.endIndex...].string {
        case "h": return value * 3600
        case "m": return value * 60
        case "s": return value
        case "ms": return value / 1000
        case "f": return value / frames
        case "t": return value / ticks
        default: return nil
        }
    }

    static func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, timescale: timescale) }
}

extension ArraySlice<UInt8> {
    fileprivate var unsignedNumber: Double? {
        guard let first, (0x30...0x39).contains(first) else { return nil }
        return number
    }
}
