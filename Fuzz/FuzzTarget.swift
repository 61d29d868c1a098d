/// One family of parsers. All of the family read every input, so that seeds and crashes are plain files of what is parsed.
///
/// A new one: a file in Targets, its line in ``all``, and a folder of its name in Corpus.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable (_ input: [UInt8]) -> Void

    static let all = [
        FuzzTarget(name: "boxes", run: fuzzBoxes),
        FuzzTarget(name: "init-segment", run: fuzzInitializationSegment),
        FuzzTarget(name: "fragment", run: fuzzFragment),
        FuzzTarget(name: "matroska", run: fuzzMatroska),
        FuzzTarget(name: "transport", run: fuzzTransport),
        FuzzTarget(name: "flv", run: fuzzFLV),
        FuzzTarget(name: "pgs", run: fuzzPGS),
        FuzzTarget(name: "playlist", run: fuzzPlaylist),
        FuzzTarget(name: "avc", run: fuzzAVC),
        FuzzTarget(name: "hevc", run: fuzzHEVC),
        FuzzTarget(name: "av1", run: fuzzAV1),
        FuzzTarget(name: "dolby-vision", run: fuzzDolbyVision),
        FuzzTarget(name: "audio", run: fuzzAudio),
        FuzzTarget(name: "http", run: fuzzHTTP),
        FuzzTarget(name: "captions", run: fuzzCaptions),
        FuzzTarget(name: "languages", run: fuzzLanguages),
        FuzzTarget(name: "redaction", run: fuzzRedaction),
        FuzzTarget(name: "validation", run: fuzzValidation),
    ]
}

/// What must hold of every input: when it does not, the fuzzer has found something.
func law(_ name: StaticString, _ holds: Bool, file: StaticString = #fileID, line: UInt = #line) {
    if !holds { preconditionFailure("law broken: \(name)", file: file, line: line) }
}

/// The value, or nothing for an input that is refused: refusing is what parsers may do with any input.
func accepted<Value, Failure: Error>(_ parse: () throws(Failure) -> Value) -> Value? {
    do throws(Failure) { return try parse() } catch { return nil }
}
