internal import BitsAndTime
internal import Captions
internal import TimedText

/// Everything captions come in, and a script: each four bytes are frames that pass and a triplet. Wherever decoding begins, the cues are the same.
@Sendable func fuzzCaptions(_ input: [UInt8]) {
    readCaptionData(input)
    let pictures = captionScript(input)
    let whole = captions(of: pictures, from: nil)
    for caption in whole { checkCue(caption.cue) }
    guard pictures.count > 2 else { return }
    let joining = pictures[pictures.count / 3].time
    let exact = CaptionDecoder(joiningAt: joining).exactFrom ?? joining
    law("cues do not depend on where decoding began", captions(of: pictures, from: joining) == whole.filter { $0.cue.start >= exact })
    var scout = CaptionScout()
    for picture in pictures { scout.look(at: [picture.triplet]) }
    law("a channel is found once", Set(scout.channels).count == scout.channels.count)
}

private typealias CaptionPicture = (time: MediaTime, triplet: CaptionTriplet)

private func captionScript(_ input: [UInt8]) -> [CaptionPicture] {
    var frame: Int64 = 0
    return stride(from: 0, to: min(input.count, 16_384) - 3, by: 4).map { at in
        frame += Int64(input[at])
        let triplet = CaptionTriplet(CaptionTriplet.Kind(rawValue: input[at + 1] & 3) ?? .field1, input[at + 2], input[at + 3], isValid: input[at + 1] & 4 != 0)
        return (MediaTime(ticks: frame, timescale: 30), triplet)
    }
}

private func captions(of pictures: [CaptionPicture], from joining: MediaTime?) -> [Caption] {
    var decoder = CaptionDecoder(joiningAt: joining)
    var captions: [Caption] = []
    for picture in pictures where joining.map({ picture.time >= $0 }) ?? true {
        let complete = decoder.completeBefore
        let found = decoder.decode([picture.triplet], at: picture.time)
        law("what was complete stays so", found.allSatisfy { $0.cue.start >= complete ?? $0.cue.start })
        captions += found
    }
    captions += decoder.flush(at: pictures.last?.time)
    return captions.enumerated().sorted { ($0.element.cue.start, $0.element.channel, $0.offset) < ($1.element.cue.start, $1.element.channel, $1.offset) }.map(\.element)
}

private func checkCue(_ cue: TextCue) {
    guard let end = cue.end else { return law("a cue has an end", false) }
    law("a cue has a duration of 10 s at most", cue.start < end && end - cue.start <= CaptionDecoder.longestCue)
    law("a cue says something", !cue.text.isEmpty && cue.settings == nil)
    law("a cue has lines and no other controls", cue.text.plain.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    law("no line is empty", cue.text.plain.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty })
}

private func readCaptionData(_ input: [UInt8]) {
    _ = CaptionUserData.triplets(countryCode: 0xB5, payload: input[...])
    _ = CaptionUserData.triplets(pictureUserData: [input[...]])
    _ = QuickTimeCaptionSample.triplets(input[...])
    _ = CaptionData.triplets(raw: input[...])
    if let packet = accepted({ () throws(ParseError) in try CaptionDistributionPacket(parsing: input[...]) }), packet.serialized().count < 256 {
        let again = accepted { () throws(ParseError) in try CaptionDistributionPacket(parsing: packet.serialized()[...]) }
        law("cdp reads as it was written", again == packet)
    }
    if let data = accepted({ () throws(ParseError) in
        var reader = ByteReader(input)
        return try CaptionData(parsing: &reader)
    }) {
        var writer = ByteWriter()
        data.serialize(to: &writer)
        var reader = ByteReader(writer.bytes)
        law("cc_data reads as it was written", accepted { () throws(ParseError) in try CaptionData(parsing: &reader) } == data)
    }
    if let file = accepted({ () throws(ParseError) in try ScenaristFile(String(decoding: input, as: UTF8.self)) }) {
        for caption in file.captions() { checkCue(caption.cue) }
    }
    var buffer = CaptionReorderBuffer()
    var count = 0
    for at in stride(from: 0, to: min(input.count, 4096) - 1, by: 2) {
        let (shown, decoded) = (MediaTime(ticks: Int64(input[at]), timescale: 25), MediaTime(ticks: Int64(at), timescale: 25))
        count += buffer.take(presentationTime: shown, decodeTime: input[at + 1] & 1 == 0 ? decoded : nil, triplets: []).count
    }
    law("every picture comes out once", count + buffer.flush().count == max(0, min(input.count, 4096)) / 2)
}
