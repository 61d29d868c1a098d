package import BitsAndTime

/// Seconds as HLS writes them: a decimal with at most six digits behind the point, worked out in whole numbers.
package enum DecimalSeconds {
    /// To the nearest microsecond; trailing zeros are left out down to three digits.
    package static func text(_ time: MediaTime) -> String {
        let micros = time.converted(to: 1_000_000).ticks
        let (whole, rest) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var (fraction, count) = (rest, 6)
        while count > 3, fraction % 10 == 0 { (fraction, count) = (fraction / 10, count - 1) }
        // Short strings need no memory of their own, and a film has thousands of these.
        let digits = String(fraction)
        var text = micros < 0 ? "-" : ""
        text += String(whole)
        text += "."
        for _ in digits.utf8.count..<count { text += "0" }
        return text + digits
    }

    /// Reads an unsigned decimal (RFC 8216 §4.2), digits past the ninth behind the point cut off; `nil` for anything else.
    package static func time(_ text: some StringProtocol) -> MediaTime? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        guard let whole = parts.first.flatMap({ Int64($0) }) else { return nil }
        guard parts.count == 2 else { return MediaTime(ticks: whole, timescale: 1) }
        let digits = parts[1].prefix(9)
        guard let fraction = Int64(digits) else { return nil }
        var scale: Int64 = 1
        for _ in digits { scale *= 10 }
        let (scaled, overflow) = whole.multipliedReportingOverflow(by: scale)
        let (ticks, carry) = scaled.addingReportingOverflow(fraction)
        guard !overflow, !carry else { return nil }
        return MediaTime(ticks: ticks, timescale: Int32(scale))
    }
}
