internal import BitsAndTime
internal import Bitstreams

/// hvcC, parameter sets, samples of H.265.
@Sendable func fuzzHEVC(_ input: [UInt8]) {
    if let record = accepted({ () throws(ParseError) in try HEVCDecoderConfigurationRecord(parsing: input) }) {
        law("hvcC reads as it was written", accepted { () throws(ParseError) in try HEVCDecoderConfigurationRecord(parsing: record.serialized()) } == record)
        let normal = record.normalized()
        law("a normal record stays as it is", normal.normalized() == normal)
        law("a normal record lacks no set", normal.hasParameterSets == record.hasParameterSets)
        law("a record that agrees with its sets stays as it is", record.agreeingWithItsSets().agreeingWithItsSets() == record.agreeingWithItsSets())
        _ = CodecString.hevc(record)
        _ = record.firstSequenceParameterSet
    }
    if let record = accepted({ () throws(ParseError) in try HEVCDecoderConfigurationRecord(annexB: input[...]) }) {
        law("a record made of parameter sets has them", record.hasParameterSets)
        law("and reads back", accepted { () throws(ParseError) in try HEVCDecoderConfigurationRecord(parsing: record.serialized()) } == record)
    }
    if let set = accepted({ () throws(ParseError) in try HEVCSequenceParameterSet(parsing: input[...]) }) {
        law("a picture has a size", set.width > 0 && set.height > 0)
    }
    _ = accepted { () throws(ParseError) in try HEVCPictureParameterSet(parsing: input[...]) }?.parallelismType
    _ = NALUnitFraming.detect(extradata: input, lengthSizeOffset: NALUnitFraming.hevcLengthSizeOffset)
    fuzzNALUnits(input, codec: .hevc)
}
