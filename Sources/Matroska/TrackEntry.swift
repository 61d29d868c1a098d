package import BitsAndTime

/// What a walk over blocks has to know of a track.
///
/// RFC 9559 §5.1.4.1.
package struct TrackEntry: Sendable, Equatable {
    /// TrackType, as far as it matters here.
    package enum Kind: Sendable, Equatable { case video, audio, subtitle, other }

    /// What blocks name the track by: not its place in the list.
    package let number: UInt64
    package let kind: Kind
    /// Nanoseconds a frame; nil when the file does not say.
    package let defaultDuration: Int64?
    /// Nanoseconds that are taken off every block's time.
    package let codecDelay: Int64
    /// TrackTimestampScale, deprecated: anything but 1 stretches the track's times.
    package let timestampScale: Double
    /// LanguageBCP47, which counts in place of Language where it is there (RFC 9559 §5.1.4.1.20).
    package let languageBCP47: String?

    package init(number: UInt64, kind: Kind, defaultDuration: Int64? = nil, codecDelay: Int64 = 0, timestampScale: Double = 1, languageBCP47: String? = nil) {
        self.number = number
        self.kind = kind
        self.defaultDuration = defaultDuration
        self.codecDelay = codecDelay
        self.timestampScale = timestampScale
        self.languageBCP47 = languageBCP47
    }

    /// Parses the payload of a Tracks element, in file order. Entries without a number, whose blocks nobody can find, are left out.
    ///
    /// - Throws: `.malformed`, `.truncated`.
    package static func parse(tracks payload: ArraySlice<UInt8>) throws(ParseError) -> [TrackEntry] {
        var entries: [TrackEntry] = []
        try Element.forEach(in: payload, context: "Tracks") { (element) throws(ParseError) in
            guard element.id == .trackEntry else { return }
            var number: UInt64?
            var kind = Kind.other
            var duration: Int64?
            var delay: Int64 = 0
            var scale = 1.0
            var language: String?
            try element.forEachChild("TrackEntry") { (child) throws(ParseError) in
                switch child.id {
                case .trackNumber: number = try child.unsignedInteger()
                case .trackType:
                    switch try child.unsignedInteger() {
                    case 1: kind = .video
                    case 2: kind = .audio
                    case 17: kind = .subtitle
                    default: kind = .other
                    }
                case .defaultDuration: duration = Int64(exactly: try child.unsignedInteger()).flatMap { $0 > 0 ? $0 : nil }
                case .codecDelay: delay = Int64(min(try child.unsignedInteger(), 1 << 60))
                case .trackTimestampScale: scale = try child.float()
                case .languageBCP47: language = child.string()
                default: break
                }
            }
            if let number {
                entries.append(
                    TrackEntry(number: number, kind: kind, defaultDuration: duration, codecDelay: delay, timestampScale: scale, languageBCP47: language))
            }
        }
        return entries
    }
}
