package import BitsAndTime

/// The times of WebVTT: milliseconds, written as hours, minutes, seconds and three digits.
///
/// Source: W3C WebVTT, clauses 4.1 and 6.3.
package enum WebVTTTimestamp {
    /// Hours at most: a thousand years are no film.
    private static let hourLimit = 9_999_999
    /// The latest time that is read, and so the latest that may be written.
    static let limit = Int64(hourLimit) * 3_600_000

    /// "01:02:03.004". - Parameter milliseconds: Not below zero.
    package static func text(milliseconds: Int64) -> String {
        let value = max(0, milliseconds)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(value / 3_600_000, 2)):\(padded(value / 60_000 % 60, 2)):\(padded(value / 1000 % 60, 2)).\(padded(value % 1000, 3))"
    }

    /// Reads one at the front and takes it off: "mm:ss.mmm" or "h…h:mm:ss.mmm".
    static func take(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var rest = bytes
        func digits() -> ArraySlice<UInt8> {
            let run = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[run.endIndex...]
            return run
        }
        func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }
        let colon = UInt8(ascii: ":")
        let first = digits()
        guard let one = first.decimal(limit: hourLimit), take(colon), case let second = digits(), second.count == 2, let two = second.decimal() else { return nil }
        var (hours, minutes, seconds) = (0, one, two)
        if rest.first == colon {
            rest.removeFirst()
            guard case let third = digits(), third.count == 2, let three = third.decimal() else { return nil }
            (hours, minutes, seconds) = (one, two, three)
        } else if first.count != 2 {
            return nil
        }
        guard take(UInt8(ascii: ".")), case let fraction = digits(), fraction.count == 3, let thousandths = fraction.decimal(), minutes <= 59, seconds <= 59 else { return nil }
        bytes = rest
        return Int64(((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths)
    }

    /// The nearest millisecond, none below zero.
    package static func milliseconds(_ time: MediaTime) -> Int64 { max(0, time.converted(to: 1000).ticks) }
}
