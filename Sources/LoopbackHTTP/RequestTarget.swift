/// The target of a request: the authority when it is given (absolute form) and the resource's name.
///
/// RFC 9112 §3.2; percent-encoding RFC 3986 §2.1.
package struct RequestTarget: Sendable, Equatable {
    /// Host and port of an absolute target; it then counts in place of Host.
    package var authority: String?
    /// Percent-decoded once, without the leading slash and the query. Dots and encoded slashes stay what they are: a name, not a path.
    package var name: String

    /// Nil for the forms this server has no use for (authority form, `*`) and for encodings that are broken, not UTF-8 or hold NUL.
    package init?(_ target: String) {
        var rest = target.utf8[...]
        if rest.first != 0x2F {
            guard rest.prefix(7).map({ $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }).elementsEqual("http://".utf8) else { return nil }
            rest = rest.dropFirst(7)
            let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
            authority = String(Substring(rest[..<end]))
            rest = rest[end...]
        }
        if let end = rest.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) { rest = rest[..<end] }
        if rest.first == 0x2F { rest = rest.dropFirst() }
        guard let name = Self.percentDecoded(rest) else { return nil }
        self.name = name
    }

    private static func percentDecoded(_ encoded: Substring.UTF8View) -> String? {
        guard encoded.contains(0x25) else { return encoded.contains(0) ? nil : String(Substring(encoded)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var iterator = encoded.makeIterator()
        while let byte = iterator.next() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue) else { return nil }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
