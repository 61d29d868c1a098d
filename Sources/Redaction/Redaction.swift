/// Takes what may be secret out of text that is to be shown or kept: user information, queries and fragments of the addresses in it.
package enum Redaction {
    private static let mark = Array("…".utf8)
    private static let closers = Array("'\",.;:)>]!".utf8)

    /// `text` without, of each `scheme://` address in it, everything to the last `@` of the authority, and everything from `?` or `#` up to
    /// white space. Punctuation that closes the address is kept. What is redacted already stays as it is.
    ///
    /// Bytes are looked at and not characters: to whoever opens the address an accent does not make another sign of a question mark before it.
    /// RFC 3986 §3.2–§3.5.
    package static func addresses(in text: String) -> String {
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        var at = 0
        // An address inside another's path, as proxies write them, is found in its turn.
        while let authority = endOfScheme(in: bytes[at...]) {
            out += bytes[at..<authority]
            let end: Int = bytes[authority...].firstIndex(where: isSpace) ?? bytes.count
            let authorityEnd: Int = bytes[authority..<end].firstIndex(where: { $0 == 0x2F || isSecretMark($0) }) ?? end
            at = authority
            if let sign = bytes[authority..<authorityEnd].lastIndex(of: 0x40) {
                out += mark
                at = sign
            }
            let secret = bytes[at..<end].firstIndex(where: isSecretMark)
            if endOfScheme(in: bytes[at..<(secret ?? end)]) != nil { continue }
            if let secret {
                out += bytes[at...secret]
                out += mark
                let closing = bytes[(secret + 1)..<end].reversed().prefix { closers.contains($0) }.count
                out += bytes[(end - closing)..<end]
            } else {
                out += bytes[at..<end]
            }
            at = end
        }
        return String(decoding: out + bytes[at...], as: UTF8.self)
    }

    /// Behind the first `://`.
    private static func endOfScheme(in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 3 else { return nil }
        for index in bytes.startIndex...(bytes.endIndex - 3) where bytes[index] == 0x3A && bytes[index + 1] == 0x2F && bytes[index + 2] == 0x2F {
            return index + 3
        }
        return nil
    }

    private static func isSecretMark(_ byte: UInt8) -> Bool { byte == 0x3F || byte == 0x23 }

    /// Of ASCII only: no other can stand in a request line's place of the space that ends an address.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
}
