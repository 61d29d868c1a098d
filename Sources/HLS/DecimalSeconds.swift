package import BitsAndTime

/// Seconds as HLS writes them: a decimal with at most six digits behind the point, worked out in whole numbers.
package enum DecimalSeconds {
    /// To the nearest microsecond; trailing zeros are left out down to three digits.
    package static func text(_ time: MediaTime) -> String {
        let micros = time.converted(to: 1_000_000).ticks
        let magnitude = micros.magnitude
        var fraction = String(magnitude % 1_000_000)
        fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
        while fraction.count > 3, fraction.last == "0" { fraction.removeLast() }
        return (micros < 0 ? "-" : "") + "\(magnitude / 1_000_000).\(fraction)"
    }

    /// Reads a decimal exactly, up to nine digits behind the point; `nil` for anything else.
    package static func time(_ text: some StringProtocol) -> MediaTime? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int64($0) }), whole >= 0 else { return nil }
        guard parts.count == 2 else { return MediaTime(ticks: whole, timescale: 1) }
        let digits = parts[1].prefix(9)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let fraction = Int64(digits) else { return nil }
        var scale: Int64 = 1
        for _ in digits { scale *= 10 }
        let (scaled, overflow) = whole.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        return MediaTime(ticks: scaled &+ fraction, timescale: Int32(scale))
    }
}
