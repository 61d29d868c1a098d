/// A Range field with one range of bytes.
///
/// Several ranges are answered with the whole, which RFC 9110 §14.2 allows: no player asks for a multipart answer.
/// RFC 9110 §14.1.2.
package enum ByteRangeRequest: Sendable, Equatable {
    /// `last` is inclusive; nil means to the end.
    case from(first: Int, last: Int?)
    /// The LAST `count` bytes.
    case suffix(count: Int)

    package enum Selection: Sendable, Equatable {
        case whole
        case part(Range<Int>)
        case unsatisfiable
    }

    /// Nil when the field is to be ignored: another unit, several ranges, or not a range at all. Numbers past Int saturate.
    package init?(_ field: String) {
        let bytes = Array(field.utf8)
        guard let equals = bytes.firstIndex(of: 0x3D),
            String(decoding: bytes[..<equals], as: UTF8.self).lowercased() == "bytes"
        else { return nil }
        var spec = bytes[(equals + 1)...]
        while spec.first == 0x20 || spec.first == 0x09 { spec.removeFirst() }
        while spec.last == 0x20 || spec.last == 0x09 { spec.removeLast() }
        guard let dash = spec.firstIndex(of: 0x2D) else { return nil }
        let (first, last) = (spec[..<dash], spec[(dash + 1)...])
        guard first.allSatisfy(Self.isDigit), last.allSatisfy(Self.isDigit) else { return nil }
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): return nil
        case (true, false): self = .suffix(count: Self.number(last))
        case (false, true): self = .from(first: Self.number(first), last: nil)
        case (false, false):
            let (lower, upper) = (Self.number(first), Self.number(last))
            guard lower <= upper else { return nil }
            self = .from(first: lower, last: upper)
        }
    }

    /// What the request selects of a representation of `byteCount` bytes.
    package func selection(of byteCount: Int) -> Selection {
        switch self {
        case .from(let first, let last):
            guard first < byteCount else { return .unsatisfiable }
            guard let last, last < byteCount else { return .part(first..<byteCount) }
            return .part(first..<(last + 1))
        case .suffix(let count):
            guard count > 0 else { return .unsatisfiable }
            // The last bytes of nothing are nothing, and Content-Range has no way to say so.
            guard byteCount > 0 else { return .whole }
            return .part(max(0, byteCount - count)..<byteCount)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in digits {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = tens.addingReportingOverflow(Int(digit - 0x30))
            if overflow || overflow2 { return .max }
            value = sum
        }
        return value
    }
}
