internal import BitsAndTime
internal import FLV

/// A file's keyframes, read at once and in drops, and the bare input as a tag.
@Sendable func fuzzFLV(_ input: [UInt8]) {
    let rule = SegmentOpenings(first: 80, later: 200, largestGap: 5000)
    let whole = try? FLVScanner(window: ByteWindow(input), rule: rule)
    let drops = try? FLVScanner(window: ByteWindow(input, atMost: 7), rule: rule)
    law("read in drops it is the same file", drops?.openings == whole?.openings && drops?.end == whole?.end)
    if let whole { check(whole.openings, end: whole.end, rule: rule, byteCount: input.count) }
    input.withUnsafeBytes {
        guard let tag = FLVTag($0) else { return }
        law("a tag has a length", tag.byteCount >= FLVTag.headerByteCount + 4 && tag.byteCount < 1 << 25)
    }
}

/// What holds of openings, whoever found them.
func check(_ openings: [SegmentOpenings.Opening], end: Int64, rule: SegmentOpenings, byteCount: Int) {
    law("openings lie in the file", openings.allSatisfy { $0.position >= 0 && $0.position < Int64(byteCount) })
    for (index, pair) in zip(openings, openings.dropFirst()).enumerated() {
        law("openings follow by the rule", pair.1.time - pair.0.time >= (index == 0 ? rule.first : rule.later) && pair.1.position > pair.0.position)
    }
    if let last = openings.last { law("the end is behind the last", end > last.time) }
}

extension ByteWindow {
    /// A file in memory that gives at most `atMost` bytes a read.
    convenience init(_ bytes: [UInt8], atMost: Int) {
        self.init(byteCount: Int64(bytes.count)) { offset, buffer in
            guard offset >= 0, offset < Int64(bytes.count) else { return 0 }
            let from = Int(offset)
            let taken = min(atMost, buffer.count, bytes.count - from)
            bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[from..<(from + taken)])) }
            return taken
        }
    }
}
