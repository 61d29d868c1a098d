/// The bytes of a representation, by reference: pieces in memory and regions of open files, sent in order and never joined.
package struct ResourceBody: Sendable {
    package enum Piece: Sendable {
        case bytes([UInt8])
        case shared(any SharedBytes)
        case file(FileRegion)

        package var byteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .shared(let bytes): bytes.byteCount
            case .file(let region): region.byteCount
            }
        }
    }

    package let pieces: [Piece]
    /// Sum of the pieces.
    package let byteCount: Int

    package init(pieces: [Piece]) {
        self.pieces = pieces
        // Regions are the provider's numbers; a sum past Int is its bug, and a saturated length makes the send fail, not the process.
        byteCount = pieces.reduce(0) { sum, piece in
            let (next, overflow) = sum.addingReportingOverflow(piece.byteCount)
            return overflow ? .max : next
        }
    }

    package init(_ bytes: [UInt8]) { self.init(pieces: [.bytes(bytes)]) }
    package init(_ region: FileRegion) { self.init(pieces: [.file(region)]) }

    /// The parts of pieces that `range` covers, in order; offsets inside each piece. Empty pieces are left out.
    ///
    /// - Parameter lead: What comes before them, whole.
    package func parts(in range: Range<Int>, after lead: [UInt8]? = nil) -> [(piece: Piece, range: Range<Int>)] {
        var parts: [(piece: Piece, range: Range<Int>)] = []
        parts.reserveCapacity(pieces.count + 2)
        if let lead { parts.append((.bytes(lead), lead.indices)) }
        var start = 0
        for piece in pieces {
            let lower = max(range.lowerBound, start)
            let (end, overflow) = start.addingReportingOverflow(piece.byteCount)
            let upper = min(range.upperBound, overflow ? .max : end)
            if lower < upper { parts.append((piece, (lower - start)..<(upper - start))) }
            if overflow || end >= range.upperBound { break }
            start = end
        }
        return parts
    }
}
