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
    fuzzMetadata(input, codec: codec)
    fuzzParameterSets(input, codec: codec)
    let protected = RBSP.insertingEmulationPrevention(input[...])
    law("emulation prevention comes out as it went in", RBSP.removingEmulationPrevention(protected[...]) == input)
    law("no start code in a protected payload", !holdsStartCode(protected))
}

/// SEI messages, and what they hold.
private func fuzzMetadata(_ input: [UInt8], codec: RandomAccess.Codec) {
    let header: [UInt8] = codec == .avc ? [0x06] : [0x4E, 0x01]
    let read = SEIMessage.messages(in: input[...], headerByteCount: header.count)
    if !read.messages.isEmpty {
        let again = SEIMessage.messages(in: SEIMessage.unit(header: header, messages: read.messages)[...], headerByteCount: header.count)
        law("messages read as they were written", again.messages == read.messages && again.isWhole)
    }
    for framing in nalFramings { _ = VideoMetadata(sample: input[...], codec: codec, framing: framing) }
    fuzzUserData(input)
}

/// T.35 messages, shared with AV1.
func fuzzUserData(_ input: [UInt8]) {
    _ = accepted { () throws(ParseError) in try RegisteredUserData(parsing: input[...]) }?.content
    if let metadata = accepted({ () throws(ParseError) in try HDR10PlusMetadata(parsing: input[...]) }) {
        law("HDR10+ has windows and three components", (1...3).contains(metadata.windowCount) && metadata.maxSCL.count == 3)
    }
    if let metadata = accepted({ () throws(ParseError) in try HDRVividMetadata(parsing: input[...]) }) {
        law("HDR Vivid has a start code", (1...7).contains(metadata.systemStartCode))
    }
    if let display = accepted({ () throws(ParseError) in try MasteringDisplayColourVolume(seiPayload: input[...]) }) {
        law("a mastering display is kept", input.starts(with: display.serialized()))
    }
}

private func fuzzParameterSets(_ input: [UInt8], codec: RandomAccess.Codec) {
    input.withUnsafeBytes { sample in
        for framing in nalFramings {
            let found = NALUnitFraming.ofSample(sample, expected: framing, codec: codec)
            if case .lengthPrefixed(let size) = found {
                let whole = NALUnitSequence.wholeByteCount(sample, lengthSize: size)
                law("whole units lie in the sample", whole <= sample.count)
                let cut = UnsafeRawBufferPointer(rebasing: sample[..<whole])
                law("what was cut is whole", NALUnitSequence.wholeByteCount(cut, lengthSize: size) == whole)
            }
            var sets = ParameterSets(codec: codec)
            sets.insert(from: sample, framing: framing)
            let first = sets
            sets.insert(from: sample, framing: framing)
            law("a set has one place", first.all.count == sets.all.count)
            var watch = ParameterSetWatch(record: sets)
            _ = watch.look(at: sample, framing: framing)
        }
    }
}

private func holdsStartCode(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(2).contains { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] <= 2 }
}
