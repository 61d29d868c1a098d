internal import BitsAndTime
internal import Bitstreams

/// avcC, parameter sets, slice headers, samples of H.264.
@Sendable func fuzzAVC(_ input: [UInt8]) {
    if let record = accepted({ () throws(ParseError) in try AVCDecoderConfigurationRecord(parsing: input) }) {
        law("avcC reads as it was written", accepted { () throws(ParseError) in try AVCDecoderConfigurationRecord(parsing: record.serialized()) } == record)
        _ = CodecString.avc(record)
        _ = record.highProfileExtension
        _ = record.firstSequenceParameterSet
    }
    if let record = accepted({ () throws(ParseError) in try AVCDecoderConfigurationRecord(annexB: input[...]) }) {
        let again = accepted { () throws(ParseError) in try AVCDecoderConfigurationRecord(parsing: record.serialized()) }
        law("a record made of parameter sets reads back", again?.firstSequenceParameterSet == record.firstSequenceParameterSet)
    }
    if let set = accepted({ () throws(ParseError) in try AVCSequenceParameterSet(parsing: input[...]) }) {
        law("a picture has a size", set.width > 0 && set.height > 0)
        orders(input, set)
    }
    _ = accepted { () throws(ParseError) in try AVCSliceHeaderPrefix(parsing: input[...]) }
    fuzzNALUnits(input, codec: .avc)
}

/// Picture order of the sample behind the set: both are cut from one Annex B stream.
private func orders(_ input: [UInt8], _ set: AVCSequenceParameterSet) {
    guard var order = AVCPictureOrder(set) else { return }
    input.withUnsafeBytes { sample in
        for framing in nalFramings { _ = order.order(of: sample, framing: framing) }
    }
}

let nalFramings: [NALUnitFraming] = [.annexB] + (1...4).map { .lengthPrefixed(lengthSize: $0) }

/// The ways to cut a sample into units, shared by both codecs.
func fuzzNALUnits(_ input: [UInt8], codec: RandomAccess.Codec) {
    for framing in nalFramings {
        let (units, dropped) = NALUnitSequence.wholeUnits(in: input[...], framing: framing)
        law("units lie in the sample", units.reduce(0) { $0 + $1.count } + dropped <= input.count)
        law("units are not empty", units.allSatisfy { !$0.isEmpty })
        let joined = NALUnitSequence.lengthPrefixed(units)
        law("units joined are the units", NALUnitSequence.units(in: joined, framing: .lengthPrefixed(lengthSize: 4)).elementsEqual(units) { $0.elementsEqual($1) })
        if framing == .annexB { law("both ways to convert agree", NALUnitSequence.convertToLengthPrefixed(input[...]) == joined) }
        _ = RandomAccess.classify(sample: input[...], codec: codec, framing: framing)
        _ = RandomAccess.leadingPicture(sample: input[...], framing: framing)
    }
    _ = NALUnitFraming.detect(extradata: input, lengthSizeOffset: NALUnitFraming.avcLengthSizeOffset)
    let protected = RBSP.insertingEmulationPrevention(input[...])
    law("emulation prevention comes out as it went in", RBSP.removingEmulationPrevention(protected[...]) == input)
    law("no start code in a protected payload", !holdsStartCode(protected))
}

private func holdsStartCode(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(2).contains { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] <= 2 }
}
