package import BitsAndTime

/// A picture of palette entries with its place on its stream's canvas.
package struct PictureObject: Sendable, Hashable {
    /// On the canvas, in its pixels.
    package let x, y, width, height: Int
    /// Palette indices, rows from the top without padding: `width * height` of them.
    package let pixels: [UInt8]
    /// 0xAARRGGBB in sRGB, not multiplied by alpha; an index beyond it is transparent.
    package let palette: [UInt32]
    /// To be shown even where the viewer has chosen no subtitles.
    package let isForced: Bool

    package init(x: Int, y: Int, width: Int, height: Int, pixels: [UInt8], palette: [UInt32], isForced: Bool) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        (self.pixels, self.palette, self.isForced) = (pixels, palette, isForced)
    }

    /// Red, green, blue, alpha of 8 bits each, rows from the top without padding.
    package var rgba: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count * 4)
        for index in pixels {
            let colour = Int(index) < palette.count ? palette[Int(index)] : 0
            bytes.append(UInt8(truncatingIfNeeded: colour >> 16))
            bytes.append(UInt8(truncatingIfNeeded: colour >> 8))
            bytes.append(UInt8(truncatingIfNeeded: colour))
            bytes.append(UInt8(truncatingIfNeeded: colour >> 24))
        }
        return bytes
    }
}

/// Pictures that are shown together for a span of time.
package struct PictureCue: Sendable, Hashable {
    /// Where an end is from.
    package enum Ending: Sendable, Hashable {
        /// The next set or clear of the stream took it from the screen.
        case replaced
        /// The stream said so: a stop command, a page's time-out, a duration.
        case authored
        /// Nothing in what was read says; one of ``PictureTimeline``'s bounds stands in. A later read may shorten it.
        case assumed
    }

    /// On the axis the packets' times are on; below ``end``.
    package var start: MediaTime
    package var end: MediaTime
    package var ending: Ending
    /// In the order they are drawn; never empty.
    package var objects: [PictureObject]
    package var canvas: PictureCanvas
    /// False where reading may have begun after the cue did: the set it came from repeats what an earlier one may have begun.
    package var isStartCertain: Bool

    package init(start: MediaTime, end: MediaTime, ending: Ending, objects: [PictureObject], canvas: PictureCanvas, isStartCertain: Bool = true) {
        (self.start, self.end, self.ending) = (start, end, ending)
        (self.objects, self.canvas, self.isStartCertain) = (objects, canvas, isStartCertain)
    }

    /// The cue with an end no later than `span` after its start.
    ///
    /// A reader that begins at place P can show what is on the screen there only if it finds the set that put it there. With cues bounded to a span, and reading
    /// begun that span before P (at a self-contained set), what is shown at P is the same as from the head of the film, however long an author left a
    /// picture standing.
    package func bounded(to span: MediaTime = PictureTimeline.longestSpan) -> PictureCue {
        guard start + span < end else { return self }
        var bounded = self
        (bounded.end, bounded.ending) = (start + span, .assumed)
        return bounded
    }

    /// The same cue read again: an end that is known better may only be earlier.
    package func shortened(by other: PictureCue) -> PictureCue {
        guard other.start == start, other.end < end || (ending == .assumed && other.ending != .assumed && other.end == end) else { return self }
        var shorter = self
        (shorter.end, shorter.ending) = (other.end, other.ending)
        return shorter
    }
}
