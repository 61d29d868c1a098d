/// IMF-fixdate, always in GMT: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// RFC 9110 §5.6.7.
package enum HTTPDate {
    /// - Parameter seconds: since 1970-01-01T00:00:00Z, leap seconds not counted.
    package static func string(unixSeconds seconds: Int64) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)  // years 1970…9999: four digits
        let day = seconds / 86_400
        let time = seconds % 86_400
        // Days to a date in the proleptic Gregorian calendar, counting years from March so that the leap day comes last.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(dayNames[Int(day % 7)]), \(padded(dayOfMonth)) \(monthNames[Int(month - 1)]) \(year) "
            + "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
