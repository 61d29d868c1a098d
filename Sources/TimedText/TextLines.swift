/// Text in UTF-8 taken line by line: CR, LF and CR LF end a line each, whatever mixture a file has of them.
package struct TextLines: Sequence, IteratorProtocol, Sendable {
    private var rest: ArraySlice<UInt8>
    private var isOver: Bool

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
        isOver = bytes.isEmpty
    }

    package init(_ text: String) { self.init(Array(text.utf8)[...]) }

    /// The next line without its end; an end of line at the end of the text begins no further one.
    package mutating func next() -> ArraySlice<UInt8>? {
        guard !isOver else { return nil }
        guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
            isOver = true
            return rest
        }
        let line = rest[..<end]
        let following = end + 1
        let isPair = rest[end] == 0x0D && following < rest.endIndex && rest[following] == 0x0A
        rest = rest[(isPair ? following + 1 : following)...]
        isOver = rest.isEmpty
        return line
    }
}

extension ArraySlice<UInt8> {
    /// Without the spaces and tabs at both ends.
    var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let byte = slice.first, byte == 0x20 || byte == 0x09 { slice.removeFirst() }
        while let byte = slice.last, byte == 0x20 || byte == 0x09 { slice.removeLast() }
        return slice
    }

    var string: String { String(decoding: self, as: UTF8.self) }

    /// Whether it is these letters, in capitals or not.
    func isWord(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && zip(self, UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    /// An unsigned decimal number that fills it; `nil` for anything else, and above `limit`.
    func decimal(limit: Int = 999_999_999) -> Int? {
        guard !isEmpty else { return nil }
        var value = 0
        for byte in self {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
            guard value <= limit else { return nil }
        }
        return value
    }

    /// A decimal number with a sign and a fraction or without.
    var number: Double? {
        guard !isEmpty, count <= 24, allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2B || $0 == 0x2D }) else { return nil }
        return Double(string)
    }
}
