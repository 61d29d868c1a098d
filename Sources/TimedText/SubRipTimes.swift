/// Brings the timing lines of a SubRip file to the form every reader knows: "hh:mm:ss,mmm --> hh:mm:ss,mmm".
///
/// Real files leave the hours out, write a point for the comma, one digit of milliseconds or six, or none, spaces within, or minutes alone. Lines that are no times stay as they are.
/// There is no standard; the forms are those of files that players show.
package enum SubRipTimes {
    /// - Parameter bytes: In UTF-8 with line feeds.
    /// - Returns: The same text; `nil` where no line is a timing line.
    package static func normalised(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 64)
        var found = false
        for line in TextLines(bytes[...]) {
            if let times = timing(line) {
                output += times
                found = true
            } else {
                output += line
            }
            output.append(0x0A)
        }
        return found ? output : nil
    }

    private static let arrow = Array("-->".utf8)

    private static func timing(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = line.trimmed
        guard let first = rest.first, (0x30...0x39).contains(first) || first == UInt8(ascii: "-"), let start = take(&rest) else { return nil }
        rest = rest.trimmed
        guard rest.starts(with: arrow) else { return nil }
        rest = rest.dropFirst(3).trimmed
        guard let end = take(&rest) else { return nil }
        // Behind the times only coordinates stand.
        guard rest.isEmpty || rest.first == 0x20 || rest.first == 0x09 else { return nil }
        return Array("\(text(start)) --> \(text(end))".utf8) + rest
    }

    /// Milliseconds. Those in front of the film's begin count as its begin.
    private static func take(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var numbers: [Int] = []
        var fraction = 0
        while true {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let number = digits.decimal(limit: 9_999_999) else { return nil }
            numbers.append(number)
            rest = rest[digits.endIndex...]
            if rest.first == UInt8(ascii: ":"), numbers.count < 3 {
                rest = rest.dropFirst()
                continue
            }
            if rest.first == UInt8(ascii: ",") || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ":") {
                let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
                guard !digits.isEmpty else { return nil }
                for (digit, weight) in zip(digits, [100, 10, 1]) { fraction += Int(digit - 0x30) * weight }
                rest = rest[digits.endIndex...]
            }
            break
        }
        guard numbers.count >= 2 else { return nil }
        let seconds = numbers.reduce(0) { $0 * 60 + $1 }
        guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        bytes = rest
        return isNegative ? 0 : seconds * 1000 + fraction
    }

    private static func text(_ milliseconds: Int) -> String {
        String(WebVTTTimestamp.text(milliseconds: Int64(milliseconds)).map { $0 == "." ? "," : $0 })
    }
}
