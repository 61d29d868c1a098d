internal import BitsAndTime
internal import Bitstreams

/// AudioSpecificConfig, ADTS, AC-3, E-AC-3 and their boxes, TrueHD, FLAC and its frames, ALAC, Opus.
@Sendable func fuzzAudio(_ input: [UInt8]) {
    if let config = accepted({ () throws(ParseError) in try AudioSpecificConfig(parsing: input) }) {
        law("a config is kept", config.serialized() == input)
        _ = CodecString.aac(config)
        _ = AACSilence.frame(for: config)
        law("an output has a rate", config.outputSamplingFrequency >= 0 && config.outputChannelCount >= 0)
    }
    if let header = accepted({ () throws(ParseError) in try ADTSHeader(parsing: input[...]) }) {
        law("a frame holds its header", header.frameByteCount >= header.headerByteCount)
        if let config = accepted({ () throws(ParseError) in try header.audioSpecificConfig(frame: input[...]) }) {
            law("the rate is the header's", config.samplingFrequency == header.samplingFrequency)
        }
    }
    if let frame = accepted({ () throws(ParseError) in try AC3Syncframe(parsing: input[...]) }) {
        law("a frame has a length, a rate and channels", frame.frameByteCount > 0 && frame.sampleRate > 0 && frame.channelCount > 0)
        _ = frame.bitRate
        law("dac3 is three bytes", frame.ac3SpecificBox.count == 3)
    }
    if let unit = accepted({ () throws(ParseError) in try EAC3AccessUnit(parsing: input) }) {
        law("an access unit lies in its input", unit.byteCount > 0 && unit.byteCount <= input.count)
        let box = accepted { () throws(ParseError) in try EC3SpecificBox(parsing: unit.specificBox) }
        law("dec3 reads as it was written", box == EC3SpecificBox(unit))
        law("an access unit has channels", unit.channelCount > 0 && unit.sampleRate > 0 && unit.sampleCount > 0)
    }
    if let box = accepted({ () throws(ParseError) in try AC3SpecificBox(parsing: input) }) {
        law("dac3 reads as it was written", accepted { () throws(ParseError) in try AC3SpecificBox(parsing: box.serialized()) } == box)
    }
    if let box = accepted({ () throws(ParseError) in try EC3SpecificBox(parsing: input) }) {
        law("dec3 reads as it was written", accepted { () throws(ParseError) in try EC3SpecificBox(parsing: box.serialized()) } == box)
        law("substreams have channels", box.substreams.allSatisfy { $0.channelCount > 0 })
    }
    if let sync = accepted({ () throws(ParseError) in try MLPMajorSync(accessUnit: input[...]) }) {
        law("a presentation has elements", (1...16).contains(sync.objectPresentationElementCount ?? 1) && sync.substreamCount > 0)
    }
    if let info = accepted({ () throws(ParseError) in try FLACStreamInfo(parsing: input) }) {
        law("STREAMINFO is kept", accepted { () throws(ParseError) in try FLACStreamInfo(parsing: info.serialized()) } == info)
        law("dfLa has one block", info.specificBox.count == 42)
    }
    if let head = accepted({ () throws(ParseError) in try OpusHead(parsing: input) }) {
        law("OpusHead reads as it was written", accepted { () throws(ParseError) in try OpusHead(parsing: head.serialized()) } == head)
        law("and so does dOps", accepted { () throws(ParseError) in try OpusHead(parsingSpecificBox: head.specificBox) } == head)
    }
    if let head = accepted({ () throws(ParseError) in try OpusHead(parsingSpecificBox: input) }) {
        law("dOps is kept", input.starts(with: head.specificBox))
    }
    law("an Opus packet lasts 120 ms at most", (OpusPacket.sampleCount(input) ?? OpusPacket.quantum) % OpusPacket.quantum == 0 && OpusPacket.sampleCount(input) ?? 0 <= OpusPacket.longest)
    if let frame = accepted({ () throws(ParseError) in try FLACFrame.renumbered(input, as: 0x1234_5678) }) {
        law("a frame has the number it was given", accepted { () throws(ParseError) in try FLACFrame.number(of: frame) } == 0x1234_5678)
        law("nothing else of it changes", accepted { () throws(ParseError) in try FLACFrame.renumbered(frame, as: 0x1234_5678) } == frame)
    }
    if let config = accepted({ () throws(ParseError) in try ALACSpecificConfig(parsing: input) }) {
        law("a magic cookie is kept", accepted { () throws(ParseError) in try ALACSpecificConfig(parsing: config.specificBox) } == config)
    }
}
