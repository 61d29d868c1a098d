/// IMF-fixdate, always in GMT: `Sun, 06 Nov 1994 08:49:37 GMT`. The two obsolete forms are read as well.
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
        return "\(dayNames[Int(day % 7)]), \(padded(dayOfMonth)) \(monthNames[Int(month - 1)]) \(year) "
            + "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    /// Nil for what is no date. The name of the day is not compared with the date; years of two digits are 1970…2069.
    package static func unixSeconds(_ text: String) -> Int64? {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x2D }
        let date: (day: Substring.UTF8View, month: Substring.UTF8View, year: Substring.UTF8View, time: Substring.UTF8View)
        if words.count == 6, words[0].last == 0x2C, words[5].elementsEqual("GMT".utf8) {
            date = (words[1], words[2], words[3], words[4])
        } else if words.count == 5 {  // asctime
            date = (words[2], words[1], words[4], words[3])
        } else {
            return nil
        }
        let time = date.time.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard date.time.count == 8, time.count == 3, let hour = number(time[0]), let minute = number(time[1]), let second = number(time[2]), let day = number(date.day),
            let month = monthNames.firstIndex(where: { date.month.elementsEqual($0.utf8) }), var year = number(date.year),
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        if date.year.count == 2 { year += year < 70 ? 2000 : 1900 }
        guard year >= 1970 else { return nil }
        let monthFromMarch = Int64((month + 10) % 12)
        let shiftedYear = year - (month < 2 ? 1 : 0)
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (shiftedYear / 400 * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard (1...4).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return value
    }

    private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
