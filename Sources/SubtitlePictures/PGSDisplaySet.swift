package import BitsAndTime

/// All segments from a composition to its end: what one instant changes on the screen.
package struct PGSDisplaySet: Sendable, Equatable {
    /// The composition's presentation time; `nil` where no packet of the set had one.
    package var presentation: MediaTime?
    /// `nil` where it was damaged or reading began behind it.
    package var composition: PGSComposition?
    package var windows: PGSWindows?
    package var palettes: [PGSPalette] = []
    package var fragments: [PGSObjectFragment] = []
    /// What was wrong with its segments.
    package var findings: [PGSFinding] = []

    package init(presentation: MediaTime?, composition: PGSComposition?) {
        self.presentation = presentation
        self.composition = composition
    }

    /// The set as the one packet Matroska keeps it in.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        for segment in segments { segment.write(to: &writer) }
        return writer.bytes
    }

    /// A segment as a packet of its own, as transport streams keep it.
    package static func bytes(of segment: PGSSegment) -> [UInt8] {
        var writer = ByteWriter()
        segment.write(to: &writer)
        return writer.bytes
    }

    package var segments: [PGSSegment] {
        [composition?.segment, windows?.segment].compactMap { $0 } + palettes.map(\.segment) + fragments.map(\.segment) + [PGSSegment(.end, [])]
    }
}
