internal import BitsAndTime
internal import ISOBMFF

/// Boxes side by side and in each other, the small ones that have a type of their own, and the layout of a file.
@Sendable func fuzzBoxes(_ input: [UInt8]) {
    if let boxes = accepted({ () throws(ParseError) in try Box.sequence(in: input[...]) }) {
        law("boxes side by side fill their container", boxes.reduce(0) { $0 + $1.headerByteCount + $1.payload.count } == input.count)
        for box in boxes { visit(box, depth: 0) }
        _ = accepted { () throws(ParseError) in try FragmentIndexEntry.entries(moof: input) }
    }
    if let descriptor = accepted({ () throws(ParseError) in try ElementaryStreamDescriptor(parsing: input) }) {
        law("esds", accepted { () throws(ParseError) in try ElementaryStreamDescriptor(parsing: descriptor.serialized()) } == descriptor)
    }
    for stopsAtMedia in [false, true] { layout(input, stopsAtMedia: stopsAtMedia) }
}

private let containers: Set<FourCharacterCode> = ["moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf", "edts", "dinf"]

private func visit(_ box: Box, depth: Int) {
    var kept = ByteWriter()
    RawBox(box).serialize(into: &kept)
    let again = accepted { () throws(ParseError) in try Box.sequence(in: kept.bytes[...]) }
    law("a raw box is kept", again?.count == 1 && again?.first.map(RawBox.init) == RawBox(box))
    switch box.type {
    case "sidx": roundTrip(box, { b throws(ParseError) in try SegmentIndex(parsing: b) }, { $0.serialize(into: &$1) })
    case "trex": roundTrip(box, { b throws(ParseError) in try TrackExtends(parsing: b) }, { $0.serialize(into: &$1) })
    case "pasp": roundTrip(box, { b throws(ParseError) in try PixelAspectRatio(parsing: b) }, { $0.serialize(into: &$1) })
    case "btrt": roundTrip(box, { b throws(ParseError) in try BitRateBox(parsing: b) }, { $0.serialize(into: &$1) })
    case "clli": roundTrip(box, { b throws(ParseError) in try ContentLightLevel(parsing: b) }, { $0.serialize(into: &$1) })
    case "mdcv": roundTrip(box, { b throws(ParseError) in try MasteringDisplay(parsing: b) }, { $0.serialize(into: &$1) })
    case "colr": roundTrip(box, { b throws(ParseError) in try ColourInformation(parsing: b) }, { $0?.serialize(into: &$1) })
    default:
        guard containers.contains(box.type), depth < 8 else { return }
        for child in accepted({ () throws(ParseError) in try box.children(context: "\(box.type)") }) ?? [] { visit(child, depth: depth + 1) }
    }
}

private func roundTrip<Value: Equatable>(_ box: Box, _ parse: (Box) throws(ParseError) -> Value, _ serialize: (Value, inout ByteWriter) -> Void) {
    guard let value = accepted({ () throws(ParseError) in try parse(box) }) else { return }
    var writer = ByteWriter()
    serialize(value, &writer)
    guard !writer.bytes.isEmpty else { return }  // another kind of colr
    let again = accepted { () throws(ParseError) in try Box.sequence(in: writer.bytes[...]).required(box.type, in: "") }
    law("a box reads as it was written", again.flatMap { b in accepted { () throws(ParseError) in try parse(b) } } == value)
}

private func layout(_ input: [UInt8], stopsAtMedia: Bool) {
    func read(_ offset: Int64, _ count: Int) -> [UInt8] {
        guard offset >= 0, offset < Int64(input.count) else { return [] }
        return Array(input[Int(offset)...].prefix(count))
    }
    guard let found = try? TopLevelLayout(stopsAtMedia: stopsAtMedia, read: read) else { return }
    for offset in [found.moovOffset, found.firstMediaOffset, found.sidxOffset, found.mfraOffset].compactMap(\.self) {
        law("what was found lies in the file", (0..<Int64(input.count)).contains(offset))
    }
}
