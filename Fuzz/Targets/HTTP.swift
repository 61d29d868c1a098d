internal import LoopbackHTTP

/// Requests as a client sends them, whole and in pieces, and the fields the server acts on.
@Sendable func fuzzHTTP(_ input: [UInt8]) {
    let whole = steps(input, pieces: input.count)
    for pieces in [1, 3, 61] { law("in pieces it is the same", steps(input, pieces: pieces) == whole) }
    for case .head(let head) in whole {
        _ = RequestVerdict(head)
        _ = RequestTarget(head.target)
        _ = head.wantsPersistence
        for range in head.values(of: "range") { selections(range) }
        for field in head.values(of: "if-none-match") + head.values(of: "if-range") { tags(field) }
    }
    let text = String(decoding: input, as: UTF8.self)
    if let target = RequestTarget(text) { law("a name holds no NUL", !target.name.utf8.contains(0)) }
    _ = LoopbackAuthority.isLoopback(text)
    selections(text)
    tags(text)
    let seconds = input.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    law("a date has 29 characters", HTTPDate.string(unixSeconds: seconds).utf8.count == 29)
}

/// What the parser makes of the stream up to its first refusal. Limits are low, to be within reach of small inputs.
private func steps(_ input: [UInt8], pieces: Int) -> [RequestHeadParser.Step] {
    var parser = RequestHeadParser(requestLineBytes: 200, headBytes: 600)
    var found: [RequestHeadParser.Step] = []
    var rest = input[...]
    while !rest.isEmpty {
        parser.append(rest.prefix(max(1, pieces)))
        rest = rest.dropFirst(max(1, pieces))
        while true {
            let step = parser.next()
            if step == .needsMore { break }
            found.append(step)
            if case .refused = step { return found }
        }
    }
    return found
}

private func selections(_ field: String) {
    guard let range = ByteRangeRequest(field) else { return }
    for count in [0, 1, 1000, Int.max] {
        if case .part(let part) = range.selection(of: count) { law("a part lies in the whole", part.lowerBound >= 0 && !part.isEmpty && part.upperBound <= count) }
    }
}

private func tags(_ field: String) {
    _ = EntityTagCondition.lists("\"a\"", in: field)
    _ = EntityTagCondition.lists("W/\"a\"", in: field)
    law("a weak tag is no ground for a part", !EntityTagCondition.allowsRange("W/\"a\"", ifRange: field))
}
