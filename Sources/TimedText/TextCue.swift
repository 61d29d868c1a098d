package import BitsAndTime

/// One text that is shown for a span of time.
package struct TextCue: Sendable, Hashable {
    /// On the axis its source is on; below ``end``.
    package var start: MediaTime
    /// `nil`: until the source's next cue or clear, which is not known yet.
    package var end: MediaTime?
    package var text: StyledText
    /// `nil`: the viewer's own place, the bottom of the picture.
    package var placement: TextPlacement?
    /// WebVTT cue settings the source wrote itself ("line:10% align:start"), to be carried as they are; checked, without line breaks or arrows.
    package var settings: String?

    package init(start: MediaTime, end: MediaTime?, text: StyledText, placement: TextPlacement? = nil, settings: String? = nil) {
        self.start = start
        self.end = end
        self.text = text
        self.placement = placement
        self.settings = settings
    }
}
