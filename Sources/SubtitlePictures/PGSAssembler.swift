package import BitsAndTime

/// Puts display sets together from packets: whole ones as Matroska keeps them, a segment each as `.sup` does, or several as in transport streams,
/// where only some packets of a set have a time and the composition's is the set's.
package struct PGSAssembler: Sendable {
    /// Of one set. A decoder of the format has 1 MiB for a whole epoch's coded objects, 4 on UHD discs.
    package static let byteLimit = 8 << 20

    private var begun: PGSDisplaySet?
    private var byteCount = 0
    /// The first time any packet of the set had: where the composition's own has none.
    private var firstTime: MediaTime?

    package init() {}

    /// Between sets: the next packet begins one.
    package var isEmpty: Bool { begun == nil }

    /// - Returns: The sets this packet completes. A set that its successor cuts short is one of them.
    package mutating func add(_ bytes: ArraySlice<UInt8>, presentation: MediaTime?) -> [PGSDisplaySet] {
        var complete: [PGSDisplaySet] = []
        let (segments, finding) = PGSSegment.walk(bytes)
        for segment in segments {
            if segment.kind == .composition {
                if let cut = finish() { complete.append(cut) }
                begin(presentation)
            } else if begun == nil {
                begin(presentation)
                begun?.findings.append(.noComposition)
            }
            take(segment, presentation)
            if segment.kind == .end, let whole = close() { complete.append(whole) }
        }
        if let finding {
            // Too damaged to say which set it is a part of: what is open, or one of its own, so that it ends what is shown.
            if begun == nil { begin(presentation) }
            begun?.findings.append(finding)
        }
        return complete
    }

    /// What was begun and not ended: at the end of a stream, and before reading goes on elsewhere.
    package mutating func finish() -> PGSDisplaySet? {
        guard begun != nil else { return nil }
        begun?.findings.append(.noEnd)
        return close()
    }

    private mutating func begin(_ presentation: MediaTime?) {
        begun = PGSDisplaySet(presentation: presentation, composition: nil)
        (byteCount, firstTime) = (0, nil)
    }

    private mutating func close() -> PGSDisplaySet? {
        defer { begun = nil }
        guard var closed = begun else { return nil }
        closed.presentation = closed.presentation ?? firstTime
        if closed.presentation == nil { closed.findings.append(.noTime) }
        return closed
    }

    private mutating func take(_ segment: PGSSegment, _ presentation: MediaTime?) {
        guard var current = begun else { return }
        defer { begun = current }
        firstTime = firstTime ?? presentation
        byteCount += segment.payload.count + PGSSegment.headerByteCount
        guard byteCount <= Self.byteLimit else {
            if current.findings.last != .tooLarge { current.findings.append(.tooLarge) }
            return
        }
        do throws(ParseError) {
            switch segment.kind {
            case .composition: current.composition = try PGSComposition(segment.payload)
            case .windows: current.windows = try PGSWindows(segment.payload)
            case .palette: current.palettes.append(try PGSPalette(segment.payload))
            case .object: current.fragments.append(try PGSObjectFragment(segment.payload))
            case .end: break
            case nil: current.findings.append(.unknownSegment(segment.type))
            }
        } catch {
            current.findings.append(.malformed(error))
        }
    }
}
