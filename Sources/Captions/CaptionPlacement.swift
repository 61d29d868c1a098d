internal import TimedText

/// Places text by where its rows lie on the picture.
enum CaptionPlacement {
    /// Captions lie within the middle 80 % of the picture, both ways (the safe title area).
    static let margin = 0.1
    static let area = 0.8

    /// Text whose left, middle or right lies at `x` (0…1 of the picture), and which reaches from `top` to `bottom`.
    ///
    /// In the lower half it stands on its lower edge, in the upper half it hangs from its upper one: what a viewer's larger letters need more
    /// goes to the middle. At the bottom and in the middle it is where viewers have captions anyway: no placement.
    static func place(x: Double, _ horizontal: Horizontal, top: Double, bottom: Double) -> TextPlacement? {
        let isLow = top + bottom > 1
        if isLow, horizontal == .centre, abs(x - 0.5) < 0.05, bottom > 0.8 { return nil }
        let alignment: TextPlacement.Alignment =
            switch horizontal {
            case .left: isLow ? .bottomLeft : .topLeft
            case .centre: isLow ? .bottom : .top
            case .right: isLow ? .bottomRight : .topRight
            }
        return TextPlacement(alignment, anchor: .init(x: x, y: isLow ? bottom : top))
    }

    enum Horizontal: Sendable, Hashable { case left, centre, right }

    /// How rows of cells are set: centred where each has its middle in that of the grid, give or take what indents of four columns and
    /// three tabs leave; else from the left, where the leftmost begins.
    ///
    /// - Returns: Where, in columns.
    static func horizontal(of lines: [CaptionGrid.Block.Line], columnCount: Int) -> (column: Double, Horizontal) {
        let middle = Double(columnCount) / 2
        let isCentred = lines.allSatisfy { abs(Double($0.columns.lowerBound + $0.columns.upperBound) / 2 - middle) <= 2 }
        // Rows that all begin at the edge are set from it, however long they are.
        let isAtEdge = lines.allSatisfy { $0.columns.lowerBound == 0 }
        return isCentred && !isAtEdge ? (middle, .centre) : (Double(lines.map(\.columns.lowerBound).min() ?? 0), .left)
    }
}
