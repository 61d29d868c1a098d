/// Where on the picture a cue asks to be.
package struct TextPlacement: Sendable, Hashable {
    /// Which point of the text lies at the anchor, or at the edge of the picture without one: the keys of a number pad, as in `\an` of ASS,
    /// 1 bottom left, 5 the middle, 9 top right.
    package enum Alignment: Int, Sendable, Hashable, CaseIterable {
        case bottomLeft = 1, bottom, bottomRight, left, centre, right, topLeft, top, topRight

        package enum Row: Int, Sendable { case bottom, middle, top }
        package enum Column: Int, Sendable { case left, middle, right }

        package var row: Row { rawValue <= 3 ? .bottom : rawValue <= 6 ? .middle : .top }
        package var column: Column { rawValue % 3 == 1 ? .left : rawValue % 3 == 2 ? .middle : .right }

        package init(_ row: Row, _ column: Column) { self = Alignment(rawValue: row.rawValue * 3 + column.rawValue + 1) ?? .bottom }
    }

    /// A point of the picture: 0…1 from its left and its top.
    package struct Anchor: Sendable, Hashable {
        package let x: Double
        package let y: Double

        /// - Returns: `nil` for what is no number; what lies outside the picture is moved to its edge.
        package init?(x: Double, y: Double) {
            guard x.isFinite, y.isFinite else { return nil }
            self.x = min(max(x, 0), 1)
            self.y = min(max(y, 0), 1)
        }
    }

    package var alignment: Alignment
    package var anchor: Anchor?

    package init(_ alignment: Alignment, anchor: Anchor? = nil) {
        self.alignment = alignment
        self.anchor = anchor
    }
}
