internal import BitsAndTime
internal import TimedText

/// One of the eight windows of a service: its text, its pen, and where it stands (CTA-708-E §8.4).
struct CEA708Window: Sendable {
    private(set) var definition: CEA708WindowDefinition
    private(set) var attributes: CEA708WindowAttributes
    private(set) var isVisible: Bool
    var pen = CEA708Pen.standard
    private var grid: CaptionGrid
    private var row = 0
    private var column = 0
    private var span: CaptionSpan
    private let isWide: Bool

    init(_ definition: CEA708WindowDefinition, isWide: Bool, memory: MediaTime?) {
        span = CaptionSpan(memory: memory)
        (self.definition, self.isWide, isVisible) = (definition, isWide, definition.isVisible)
        attributes = .style(definition.windowStyle)
        grid = Self.emptyGrid(definition, attributes)
        goHome()
    }

    /// Horizontal text may go on past its window's last column, up to the most a window can have: receivers widen windows as fonts
    /// need (§8.4.7), and words that were sent are not to be lost.
    private static func emptyGrid(_ definition: CEA708WindowDefinition, _ attributes: CEA708WindowAttributes) -> CaptionGrid {
        let columnCount = attributes.printDirection == .leftToRight ? CEA708WindowDefinition.columnLimit : definition.columnCount
        return CaptionGrid(rowCount: definition.rowCount, columnCount: columnCount)
    }

    /// When the caption began that is shown and has no end yet.
    var openSince: MediaTime? { isVisible && !grid.isBlank ? span.start : nil }
    var deadline: MediaTime? { isVisible ? span.deadline : nil }

    // MARK: Time

    mutating func expire(by time: MediaTime) -> [TextCue] {
        guard isVisible, let cues = span.expire(by: time, { [self] in shown(since: $0) }) else { return [] }
        grid.clear()
        return cues
    }

    mutating func flush(at time: MediaTime?) -> [TextCue] { isVisible ? span.flush(at: time) { [self] in shown(since: $0) } : [] }

    private mutating func replace(at time: MediaTime) -> [TextCue] { isVisible ? span.willReplace(at: time) { [self] in shown(since: $0) } : [] }

    private mutating func willWrite(at time: MediaTime) -> [TextCue] { isVisible ? span.willWrite(at: time, isBlank: grid.isBlank) { [self] in shown(since: $0) } : [] }

    // MARK: The window

    /// DefineWindow of a window that is there: the same again changes nothing, else the text stays as far as it fits.
    mutating func redefine(_ new: CEA708WindowDefinition, at time: MediaTime) -> [TextCue] {
        var cues: [TextCue] = []
        if new.windowStyle != 0 { cues += setAttributes(.style(new.windowStyle), at: time) }
        if new.penStyle != 0 { pen = .standard }
        if new != definition {
            if isVisible { cues += replace(at: time) }
            definition = new
            let empty = Self.emptyGrid(new, attributes)
            grid = grid.resized(rowCount: empty.rowCount, columnCount: empty.columnCount)
            (row, column) = (min(row, grid.rowCount - 1), min(column, grid.columnCount))
        }
        return cues + setVisible(new.isVisible, at: time)
    }

    mutating func setVisible(_ visible: Bool, at time: MediaTime) -> [TextCue] {
        guard visible != isVisible else { return [] }
        guard visible else {
            defer { isVisible = false }
            return replace(at: time)
        }
        isVisible = true
        span = CaptionSpan(memory: span.memory)
        // Nothing was shown: this only says since when something is.
        return span.willReplace(at: time) { _ in [] }
    }

    mutating func clear(at time: MediaTime) -> [TextCue] {
        let cues = replace(at: time)
        grid.clear()
        goHome()
        return cues
    }

    mutating func setAttributes(_ new: CEA708WindowAttributes, at time: MediaTime) -> [TextCue] {
        guard new != attributes else { return [] }
        let cues = grid.isBlank ? [] : replace(at: time)
        attributes = new
        if grid.isBlank {
            grid = Self.emptyGrid(definition, attributes)
            goHome()
        }
        return cues
    }

    mutating func setPenLocation(row: Int, column: Int) {
        (self.row, self.column) = (min(row, definition.rowCount - 1), min(column, grid.columnCount - 1))
    }

    // MARK: Writing

    private mutating func goHome() {
        row = attributes.printDirection == .bottomToTop ? definition.rowCount - 1 : 0
        column = attributes.printDirection == .rightToLeft ? definition.columnCount - 1 : 0
    }

    /// Behind the last place of a line the pen stands outside, and what is written is lost.
    mutating func write(_ scalar: Unicode.Scalar, at time: MediaTime) -> [TextCue] {
        let cues = willWrite(at: time)
        // What is not to be seen takes its place, but is nothing.
        grid.write(CaptionGrid.Cell(scalar: pen.colour.isTransparent ? " " : scalar, style: pen.style), row: row, column: column, at: time)
        step(1)
        return cues
    }

    mutating func backspace(at time: MediaTime) -> [TextCue] {
        let cues = willWrite(at: time)
        step(-1)
        grid[row, column] = nil
        return cues
    }

    private mutating func step(_ count: Int) {
        switch attributes.printDirection {
        case .leftToRight: column = min(max(column + count, 0), grid.columnCount)
        case .rightToLeft: column = min(max(column - count, -1), grid.columnCount - 1)
        case .topToBottom: row = min(max(row + count, 0), grid.rowCount)
        case .bottomToTop: row = min(max(row - count, -1), grid.rowCount - 1)
        }
    }

    /// To the beginning of the next line; where there is none the text moves.
    mutating func carriageReturn(at time: MediaTime) -> [TextCue] {
        let scroll = attributes.scrollDirection
        if attributes.isVertical {
            row = attributes.printDirection == .bottomToTop ? grid.rowCount - 1 : 0
            let goesLeft = scroll == .leftToRight
            let hasNext = goesLeft ? column > 0 : column < definition.columnCount - 1
            if hasNext {
                column += goesLeft ? -1 : 1
                return []
            }
            let cues = willScroll(at: time)
            grid.shiftColumns(left: !goesLeft)
            return cues
        }
        column = attributes.printDirection == .rightToLeft ? grid.columnCount - 1 : 0
        if scroll == .topToBottom {
            if row > 0 {
                row -= 1
                return []
            }
            let cues = willScroll(at: time)
            grid.rollDown()
            return cues
        }
        if row < grid.rowCount - 1 {
            row += 1
            return []
        }
        let cues = willScroll(at: time)
        grid.rollUp(0..<grid.rowCount)
        return cues
    }

    private mutating func willScroll(at time: MediaTime) -> [TextCue] {
        isVisible ? span.willReplaceAndWrite(at: time) { [self] in shown(since: $0) } : []
    }

    /// Takes back the line the pen is on.
    mutating func horizontalCarriageReturn(at time: MediaTime) -> [TextCue] {
        let cues = replace(at: time)
        if attributes.isVertical {
            for row in 0..<grid.rowCount { grid[row, column] = nil }
            row = attributes.printDirection == .bottomToTop ? grid.rowCount - 1 : 0
        } else {
            grid.clear(row: row)
            column = attributes.printDirection == .rightToLeft ? grid.columnCount - 1 : 0
        }
        return cues
    }

    // MARK: What is to be seen

    private func shown(since: MediaTime?) -> [CaptionSpan.Shown] {
        switch attributes.printDirection {
        case .leftToRight: grid.blocks(splits: true, since: since).map { ($0.text, placement(of: $0.lines)) }
        case .rightToLeft: grid.mirrored().blocks(splits: true, since: since).map { ($0.text, placement(of: $0.lines)) }
        case .topToBottom, .bottomToTop:
            // Columns are lines: from the left, or from the right where text moves to there.
            upright.blocks(splits: false).map { ($0.text, placement(of: [])) }
        }
    }

    private var upright: CaptionGrid {
        let lines = grid.transposed(mirrored: attributes.scrollDirection == .leftToRight)
        return attributes.printDirection == .bottomToTop ? lines.mirrored() : lines
    }

    /// Where lines of the window lie: its anchor says where the window is, its size how far a line is from there.
    private func placement(of lines: [CaptionGrid.Block.Line]) -> TextPlacement? {
        let (area, margin) = (CaptionPlacement.area, CaptionPlacement.margin)
        let height = area / Double(CEA708WindowDefinition.rowLimit) * Double(definition.rowCount)
        let width = area / Double(isWide ? CEA708WindowDefinition.columnLimit : 32) * Double(definition.columnCount)
        let down = Double(definition.anchorVertical) / (definition.isRelative ? 100 : 75)
        let across = Double(definition.anchorHorizontal) / (definition.isRelative ? 100 : isWide ? 210 : 160)
        let left = margin + area * across - width / 2 * Double(definition.anchorPoint % 3)
        let top = margin + area * down - height / 2 * Double(definition.anchorPoint / 3)
        let (first, last) = (Double(lines.first?.row ?? 0), Double((lines.last?.row ?? definition.rowCount - 1) + 1))
        let rowHeight = height / Double(definition.rowCount)
        let (blockTop, blockBottom) = (top + first * rowHeight, top + last * rowHeight)
        switch attributes.justification {
        case .right: return CaptionPlacement.place(x: left + width, .right, top: blockTop, bottom: blockBottom)
        case .centre: return CaptionPlacement.place(x: left + width / 2, .centre, top: blockTop, bottom: blockBottom)
        case .left, .full:
            let (column, horizontal) = lines.isEmpty ? (0, .left) : CaptionPlacement.horizontal(of: lines, columnCount: definition.columnCount)
            let x = left + width * column / Double(definition.columnCount)
            return CaptionPlacement.place(x: x, horizontal, top: blockTop, bottom: blockBottom)
        }
    }
}
