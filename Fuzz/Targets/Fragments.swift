internal import BitsAndTime
internal import ISOBMFF

/// Media segments, alone or behind the init segment that gives their defaults.
@Sendable func fuzzFragment(_ input: [UInt8]) {
    let defaults = accepted { () throws(ParseError) in try TrackExtends.defaults(initialization: input) } ?? [:]
    for box in accepted({ () throws(ParseError) in try Box.sequence(in: input[...]) }) ?? [] where box.type == "moof" {
        let whole = Array(input[box.offset..<(box.offset + box.headerByteCount + box.payload.count)])
        _ = accepted { () throws(ParseError) in try FragmentIndexEntry.entries(moof: whole, defaults: defaults) }
    }
    guard let found = accepted({ () throws(ParseError) in try MovieFragment.parse(segment: input, defaults: defaults) }) else { return }
    law("samples are bounded by the segment", found.reduce(0) { $0 + $1.sampleRanges.count } <= input.count)
    for parsed in found {
        law("one range a sample", parsed.sampleRanges.count == parsed.fragment.samples.count)
        law("samples lie in the segment", parsed.sampleRanges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= input.count })
        rewrite(parsed.fragment)
    }
}

private func rewrite(_ fragment: MovieFragment) {
    // Runs may overlap: what they would be when written one behind the other has no bound.
    let payload = fragment.samples.reduce(0) { $0 + Int($1.byteCount) }
    guard payload <= 1 << 20 else { return }
    let segment = fragment.serializedHeader() + [UInt8](repeating: 0, count: payload)
    // Samples without bytes are written shorter than they were, and there may be no more of them than bytes.
    guard fragment.samples.count <= segment.count else { return }
    let again = accepted { () throws(ParseError) in try MovieFragment.parse(segment: segment) }
    law("a fragment reads as it was written", again?.map(\.fragment) == [fragment])
    let entry = accepted { () throws(ParseError) in try FragmentIndexEntry.entries(moof: fragment.serializedHeader().dropLastMediaHeader) }?.first
    law("the index agrees", entry?.sampleCount == fragment.samples.count && entry?.firstDecodeTimeTicks == fragment.baseMediaDecodeTime)
    law("the index agrees on sync", entry?.startsWithSync == fragment.samples.first.map(\.flags.isSync) ?? false)
}

extension [UInt8] {
    /// Without the header of `mdat`, whose payload is elsewhere.
    fileprivate var dropLastMediaHeader: [UInt8] { dropLast(8) }
}
