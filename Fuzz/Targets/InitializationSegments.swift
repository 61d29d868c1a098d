internal import BitsAndTime
internal import Bitstreams
internal import ISOBMFF

/// Init segments, with what their sample entries hold.
@Sendable func fuzzInitializationSegment(_ input: [UInt8]) {
    _ = accepted { () throws(ParseError) in try TrackExtends.defaults(initialization: input) }
    guard let segment = accepted({ () throws(ParseError) in try InitializationSegment(parsing: input) }) else { return }
    var written = segment
    // Three letters that are none are written as `und`.
    if !segment.language.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) { written.language = "und" }
    law("an init segment reads as it was written", accepted { () throws(ParseError) in try InitializationSegment(parsing: segment.serialized()) } == written)
    let boxes: [RawBox] =
        switch segment.sampleEntry {
        case .visual(let entry): entry.configurationBoxes
        case .audio(let entry): entry.configurationBoxes
        }
    for box in boxes {
        switch box.type {
        case "avcC": fuzzAVC(box.payload)
        case "hvcC": fuzzHEVC(box.payload)
        case "av1C": fuzzAV1(box.payload)
        case "esds":
            let descriptor = accepted { () throws(ParseError) in try ElementaryStreamDescriptor(parsing: box.payload) }
            if let descriptor { fuzzAudio(descriptor.decoderSpecificInfo) }
        default: break
        }
    }
}
