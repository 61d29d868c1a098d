internal import Redaction

/// Text with addresses in it: no user information, query or fragment is left of them, as told by another way of looking.
@Sendable func fuzzRedaction(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let shown = Redaction.addresses(in: text)
    law("what is redacted stays as it is", Redaction.addresses(in: shown) == shown)
    if !text.utf8.elementsEqual(shown.utf8) { law("only addresses are touched", contains(Array(text.utf8), "://")) }
    for word in shown.utf8.split(whereSeparator: { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }) { check(Array(word)) }
    // The same with a secret that can be looked for.
    let path = String(decoding: text.utf8.prefix { $0 > 0x20 && $0 != 0x3F && $0 != 0x23 }, as: UTF8.self)
    let hidden = Array(Redaction.addresses(in: "x://k33p:s3cr3t@h/\(path)?t0k3n=\(text.filter { !$0.isWhitespace })\n").utf8)
    for secret in ["k33p", "s3cr3t", "t0k3n"] where !contains(Array(text.utf8), secret) { law("no secret survives", !contains(hidden, secret)) }
}

/// One word of redacted text.
private func check(_ word: [UInt8]) {
    let mark = Array("…".utf8)
    var rest = word[...]
    guard split(&rest, behind: "://") else { return }
    // Up to the query there may be addresses in addresses.
    let path = rest.prefix { $0 != 0x3F && $0 != 0x23 }
    let query = rest.dropFirst(path.count).dropFirst()
    if path.count < rest.count {
        law("nothing is left of a query", query.starts(with: mark) && query.dropFirst(mark.count).allSatisfy { "'\",.;:)>]!".utf8.contains($0) })
    }
    var inner = path
    repeat {
        let authority = inner.prefix { $0 != 0x2F }
        if let sign = authority.lastIndex(of: 0x40) { law("nothing is left of user information", authority[..<sign].elementsEqual(mark)) }
    } while split(&inner, behind: "://")
}

/// Drops all up to the end of the first `separator`; false, and all stays, without one.
private func split(_ bytes: inout ArraySlice<UInt8>, behind separator: String) -> Bool {
    let wanted = Array(separator.utf8)
    var index = bytes.startIndex
    while index + wanted.count <= bytes.endIndex {
        if bytes[index..<(index + wanted.count)].elementsEqual(wanted) {
            bytes = bytes[(index + wanted.count)...]
            return true
        }
        index += 1
    }
    return false
}

private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    var rest = bytes[...]
    return split(&rest, behind: text)
}
