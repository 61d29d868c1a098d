package import TimedText

extension PictureCue {
    /// A cue of words for each object that has any: a sign at the top and what is said below stay apart.
    ///
    /// - Parameters:
    ///   - readings: Of the objects, in their order; none for what could not be read.
    ///   - video: The film's picture.
    package func textCues(_ readings: [[RecognisedLine]], on video: VideoFrame?) -> [(cue: TextCue, isForced: Bool)] {
        zip(objects, readings).compactMap { object, lines in
            guard !lines.isEmpty else { return nil }
            let text = StyledText(lines.map(\.text).joined(separator: "\n"))
            return (TextCue(start: start, end: end, text: text, placement: placement(of: object, on: video)), object.isForced)
        }
    }

    /// At the top for what stands in the upper half; nothing for what stands where subtitles do.
    private func placement(of object: PictureObject, on video: VideoFrame?) -> TextPlacement? {
        let middle = canvas.place(x: Double(object.x) + Double(object.width) / 2, y: Double(object.y) + Double(object.height) / 2, on: video)
        return middle.y < 0.5 ? TextPlacement(.top) : nil
    }
}

extension TextCue {
    /// Neighbours that say the same become one cue: a fade is a row of pictures, each a little brighter, of the same words.
    package static func joiningRepeats(_ cues: [TextCue]) -> [TextCue] {
        var joined: [TextCue] = []
        for cue in cues {
            if let at = joined.lastIndex(where: { $0.end == cue.start && $0.text == cue.text && $0.placement == cue.placement }) {
                joined[at].end = cue.end
            } else {
                joined.append(cue)
            }
        }
        return joined
    }
}
