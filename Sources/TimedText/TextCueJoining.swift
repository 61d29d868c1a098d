extension TextCue {
    /// Cues that say the same in the same place, each beginning where the one before it ends, as one; the others as they are, in their order.
    ///
    /// - Parameter cues: By their begin.
    package static func joined(_ cues: [TextCue]) -> [TextCue] {
        var result: [TextCue] = []
        for cue in cues {
            if let last = result.last, last.end == cue.start, last.text == cue.text, last.placement == cue.placement, last.settings == cue.settings {
                result[result.count - 1].end = cue.end
            } else {
                result.append(cue)
            }
        }
        return result
    }
}
