internal import BitsAndTime
internal import Matroska

/// The layout of a file as a whole and read in drops, its index, and each element's payload parser on the bare input.
@Sendable func fuzzMatroska(_ input: [UInt8]) {
    func reader(_ atMost: Int) -> (Int64, Int) -> [UInt8] {
        { offset, count in
            guard offset >= 0, offset < Int64(input.count) else { return [] }
            return Array(input[Int(offset)...].prefix(min(count, atMost)))
        }
    }
    let wide = MatroskaLayout.Budget(reads: 1 << 20, bytes: 1 << 30, blockByteCount: 64)
    let layout = try? MatroskaLayout.scan(budget: wide, read: reader(.max))
    law("read in drops it is the same file", (try? MatroskaLayout.scan(budget: wide, read: reader(7))) == layout)
    _ = try? MatroskaLayout.scan(budget: .head, read: reader(.max))
    _ = try? MatroskaLayout.scan(budget: MatroskaLayout.Budget(reads: 5, bytes: 300, blockByteCount: 16), read: reader(.max))
    if let layout {
        var points: [CuePoint]?
        if let cues = layout.cues, cues.payloadOffset >= 0, cues.end <= Int64(input.count), cues.payloadByteCount >= 0 {
            points = accepted { () throws(ParseError) in try CuePoint.parse(cues: input[Int(cues.payloadOffset)..<Int(cues.end)]) }
        }
        _ = try? layout.indexCompleteness(of: points, read: reader(.max))
        for entry in layout.seekEntries { _ = layout.fileOffset(ofPosition: entry.position) }
        _ = layout.information?.duration
        _ = layout.information?.time(ticks: .max)
    }
    _ = accepted { () throws(ParseError) in try CuePoint.parse(cues: input[...]) }
    _ = accepted { () throws(ParseError) in try SeekEntry.parse(seekHead: input[...]) }
    _ = accepted { () throws(ParseError) in try SegmentInformation(parsing: input[...]) }?.duration
    elements(input[...], depth: 0)
}

private func elements(_ bytes: ArraySlice<UInt8>, depth: Int) {
    _ = accepted { () throws(ParseError) in
        try Element.forEach(in: bytes, context: "") { (element) throws(ParseError) in
            var writer = ByteWriter()
            element.header.serialize(into: &writer)
            let start = bytes.startIndex + element.offset
            law("a header is written as it was", writer.bytes.elementsEqual(bytes[start..<(start + element.header.byteCount)]))
            _ = accepted { () throws(ParseError) in try element.unsignedInteger() }
            _ = accepted { () throws(ParseError) in try element.float() }
            if element.payload.count < 256 { _ = element.string() }
            if depth < 4 { elements(element.payload, depth: depth + 1) }
        }
    }
}
