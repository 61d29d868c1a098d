internal import BitsAndTime
internal import Subtitles
internal import TimedText

/// What is written of cues must be a document of as many cues, which is written the same again, whatever their text.
private func lawsOfWebVTT(_ cues: [TextCue]) {
    let written = WebVTTSegment.written(cues, origin: .zero)
    guard let read = accepted({ () throws(ParseError) in try WebVTTDocument(written) }) else { return law("a segment is a WebVTT file", false) }
    law("no block of a segment is damaged", read.skippedBlocks == 0)
    law("a segment is written the same again", WebVTTSegment.written(read.cues.map(\.cue), origin: .zero) == written)
    law("no cue is forged", read.cues.count <= cues.count && read.cues.allSatisfy { $0.identifier.isEmpty })
    law("times are in order", zip(read.cues, read.cues.dropFirst()).allSatisfy { $0.cue.start <= $1.cue.start })
}

private func cue(_ text: StyledText, _ placement: TextPlacement? = nil, _ settings: String? = nil) -> TextCue {
    TextCue(start: .zero, end: MediaTime(ticks: 1, timescale: 1), text: text, placement: placement, settings: settings)
}

@Sendable func fuzzASS(_ input: [UInt8]) {
    let script = ASSScript(input)
    let words = ASSWords(header: script.header)
    var cues: [TextCue] = []
    for event in script.events {
        guard let read = words.words(of: event.line) else { continue }
        cues.append(TextCue(start: event.start, end: event.end, text: read.text, placement: read.placement))
    }
    lawsOfWebVTT(cues)
    let written = ASSScript.written(header: script.header, events: script.events)
    law("no event is forged", ASSScript(Array(written.utf8)).events.count <= script.events.count)
    if let read = words.words(of: "0,0,Default,,0,0,0,," + String(decoding: input, as: UTF8.self)) { lawsOfWebVTT([cue(read.text, read.placement)]) }
}

@Sendable func fuzzWebVTT(_ input: [UInt8]) {
    if let document = accepted({ () throws(ParseError) in try WebVTTDocument(input) }) { lawsOfWebVTT(document.cues.map(\.cue)) }
    let text = String(decoding: input, as: UTF8.self)
    lawsOfWebVTT([cue(StyledText(text)), cue(WebVTTCueText.read(input[...])), cue(StyledText("x"), nil, text)])
    let settings = WebVTTCueSettings(parsing: input[...])
    law("settings read as they were written", WebVTTCueSettings(parsing: settings.text) == settings)
    if let placement = settings.placement { law("a place has settings", !WebVTTCueSettings(placement).isEmpty || placement.alignment == .bottom) }
}

@Sendable func fuzzTTML(_ input: [UInt8]) {
    if let document = accepted({ () throws(ParseError) in try TTMLDocument(input) }) { lawsOfWebVTT(document.cues) }
}

@Sendable func fuzzEBUSTL(_ input: [UInt8]) {
    if let document = accepted({ () throws(ParseError) in try EBUSTLDocument(input) }) { lawsOfWebVTT(document.cues) }
}

/// Whole files, through the encodings and libavformat's readers.
@Sendable func fuzzSubtitleFile(_ input: [UInt8]) {
    var options = SubtitleFile.Options(formatHint: "srt")
    options.byteLimit = 1 << 16
    if let file = accepted({ () throws(SubtitleFileError) in try SubtitleFile(bytes: input, options: options) }) {
        for track in file.tracks { lawsOfWebVTT(track.cues.map(\.cue)) }
    }
    if let times = SubRipTimes.normalised(input) { law("times are brought to one form once", SubRipTimes.normalised(times) == times) }
}
