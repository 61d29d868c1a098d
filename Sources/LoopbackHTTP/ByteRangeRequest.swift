/// A Range field in bytes.
///
/// One range is served as a part. Several are answered with that part if only one of them can be satisfied, and else with the whole, which
/// RFC 9110 §14.2 allows: no player asks for several, a multipart answer would have to be assembled around the bytes, and overlapping
/// ranges in it are a known way to make a server send a resource many times over. RFC 9110 §14.1.1, §14.1.2.
package struct ByteRangeRequest: Sendable, Equatable {
    private enum Spec: Sendable, Equatable {
        /// `last` is inclusive; nil means to the end.
        case from(first: Int, last: Int?)
        /// The LAST `count` bytes.
        case suffix(count: Int)
    }

    package enum Selection: Sendable, Equatable {
        case whole
        case part(Range<Int>)
        case unsatisfiable
    }

    /// More in one field are not read, and the field is ignored.
    private static let mostSpecs = 32

    private let specs: [Spec]

    /// Nil when the field is to be ignored: another unit, or not a set of ranges. Numbers past Int saturate.
    package init?(_ field: String) {
        let bytes = Array(field.utf8)
        guard let equals = bytes.firstIndex(of: 0x3D), Self.isBytesUnit(bytes[..<equals]) else { return nil }
        var specs: [Spec] = []
        for element in bytes[(equals + 1)...].split(separator: 0x2C, maxSplits: Self.mostSpecs, omittingEmptySubsequences: false) {
            let text = Self.trimmed(element)
            if text.isEmpty { continue }  // Empty list elements count as absent (RFC 9110 §5.6.1.2).
            guard specs.count < Self.mostSpecs, let spec = Self.spec(text) else { return nil }
            specs.append(spec)
        }
        if specs.isEmpty { return nil }
        self.specs = specs
    }

    /// What the request selects of a representation of `byteCount` bytes.
    package func selection(of byteCount: Int) -> Selection {
        var found: Selection = .unsatisfiable
        for spec in specs {
            let selection = Self.selection(spec, of: byteCount)
            if selection == .unsatisfiable { continue }
            if found != .unsatisfiable, found != selection { return .whole }
            found = selection
        }
        return found
    }

    private static func selection(_ spec: Spec, of byteCount: Int) -> Selection {
        switch spec {
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

    private static func spec(_ text: ArraySlice<UInt8>) -> Spec? {
        guard let dash = text.firstIndex(of: 0x2D) else { return nil }
        let (first, last) = (text[..<dash], text[(dash + 1)...])
        guard first.allSatisfy(isDigit), last.allSatisfy(isDigit) else { return nil }
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): return nil
        case (true, false): return .suffix(count: number(last))
        case (false, true): return .from(first: number(first), last: nil)
        case (false, false):
            let (lower, upper) = (number(first), number(last))
            return lower <= upper ? .from(first: lower, last: upper) : nil
        }
    }

    /// Range units are case-insensitive (RFC 9110 §14.1).
    private static func isBytesUnit(_ unit: ArraySlice<UInt8>) -> Bool { unit.map { $0 | 0x20 }.elementsEqual("bytes".utf8) }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while text.first == 0x20 || text.first == 0x09 { text.removeFirst() }
        while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
        return text
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
