internal import BitsAndTime
internal import TimedText

/// One text and when it is shown, for a host that draws its own.
public struct TimedTextCue: Sendable, Hashable {
    /// The stream of the source it is from.
    public let streamIndex: Int
    /// Seconds on the player's clock, whose zero is the presentation's start; the subtitle delay is in it.
    public let start: Double
    /// Above ``start``; `nil` where the source has not said yet: until the stream's next cue.
    public let end: Double?
    /// A WebVTT cue's payload: `<b>`, `<i>`, `<u>` and classes of colour, everything else escaped; lines are separated by line feeds.
    public let text: String
    /// Where the source asks for it to be; `nil` for the viewer's own place.
    public let placement: TextCuePlacement?

    public init(streamIndex: Int, start: Double, end: Double?, text: String, placement: TextCuePlacement?) {
        self.streamIndex = streamIndex
        self.start = start
        self.end = end
        self.text = text
        self.placement = placement
    }
}

/// Where on the picture a text is to be.
public struct TextCuePlacement: Sendable, Hashable {
    /// The point of the text that lies at the anchor, or at the picture's edge without one: the keys of a number pad, 1 bottom left to 9 top right.
    public let alignment: Int
    /// A point of the picture, 0…1 from its left and its top.
    public let anchorX: Double?
    public let anchorY: Double?

    public init(alignment: Int, anchorX: Double? = nil, anchorY: Double? = nil) {
        self.alignment = alignment
        self.anchorX = anchorX
        self.anchorY = anchorY
    }
}

extension TimedTextCue {
    /// - Parameter offset: From the source's axis to the player's.
    init(_ cue: TextCue, streamIndex: Int, offset: MediaTime) {
        self.init(
            streamIndex: streamIndex, start: (cue.start + offset).seconds, end: cue.end.map { ($0 + offset).seconds }, text: WebVTTCueText.written(cue.text),
            placement: cue.placement.map {
                TextCuePlacement(alignment: $0.alignment.rawValue, anchorX: $0.anchor?.x, anchorY: $0.anchor?.y)
            })
    }
}
