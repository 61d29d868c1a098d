internal import BitsAndTime
internal import Bitstreams

/// av1C, sequence headers, temporal units of AV1; frame headers of VP9, and vpcC.
@Sendable func fuzzAV1(_ input: [UInt8]) {
    if let record = accepted({ () throws(ParseError) in try AV1CodecConfigurationRecord(parsing: input) }) {
        law("av1C is written as it was but for reserved bits", record.serialized().count == input.count)
        law("av1C reads as it was written", accepted { () throws(ParseError) in try AV1CodecConfigurationRecord(parsing: record.serialized()) } == record)
        law("a normal record stays as it is", record.normalized().normalized() == record.normalized())
        law("and reads back", accepted { () throws(ParseError) in try AV1CodecConfigurationRecord(parsing: record.normalized().serialized()) } == record.normalized())
        _ = CodecString.av1(record)
    }
    if let record = accepted({ () throws(ParseError) in try AV1CodecConfigurationRecord(sequenceHeaderIn: input) }) {
        law("a record made of a sample reads back", accepted { () throws(ParseError) in try AV1CodecConfigurationRecord(parsing: record.serialized()) } == record)
        law("and holds its sequence header", record.sequenceHeader != nil)
    }
    if let header = accepted({ () throws(ParseError) in try AV1SequenceHeader(parsing: input[...]) }) {
        law("a picture has a size", header.width > 0 && header.height > 0)
    }
    if let header = accepted({ () throws(ParseError) in try VP9FrameHeader(parsing: input[...]) }), let record = VP9CodecConfigurationRecord(header) {
        law("vpcC reads as it was written", accepted { () throws(ParseError) in try VP9CodecConfigurationRecord(parsing: record.serialized()) } == record)
        _ = CodecString.vp9(record)
    }
    if let record = accepted({ () throws(ParseError) in try VP9CodecConfigurationRecord(parsing: input) }) {
        law("vpcC is kept", accepted { () throws(ParseError) in try VP9CodecConfigurationRecord(parsing: record.serialized()) } == record)
    }
    let (units, dropped) = AV1OpenBitstreamUnit.units(in: input[...])
    law("units and the rest are the sample", units.reduce(0) { $0 + $1.range.count } + dropped == input.count)
    law("a payload lies in its unit", units.allSatisfy { $0.payload.lowerBound > $0.range.lowerBound && $0.payload.upperBound == $0.range.upperBound })
    if let cleaned = input.withUnsafeBytes({ AV1TemporalUnit.cleaned($0) }) {
        law("what is clean stays as it is", cleaned.withUnsafeBytes { AV1TemporalUnit.cleaned($0) } == nil)
    }
    _ = accepted { () throws(ParseError) in try AV1Metadata(parsing: input[...]) }
    _ = accepted { () throws(ParseError) in try MasteringDisplayColourVolume(av1Metadata: input[...]) }
    _ = VideoMetadata(sample: input[...], codec: .av1, framing: .annexB)
    fuzzUserData(input)
    _ = RandomAccess.classify(sample: input[...], codec: .av1, framing: .annexB)
}
