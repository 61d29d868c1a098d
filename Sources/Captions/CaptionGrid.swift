internal import BitsAndTime
internal import TimedText

/// Rows and columns of characters: a memory of CEA-608, or the inside of a window of CEA-708.
struct CaptionGrid: Sendable, Hashable {
    struct Cell: Sendable, Hashable {
        var scalar: Unicode.Scalar
        var style: StyledText.Style

        /// Space, and CEA-608's transparent one.
        var isBlank: Bool { scalar == " " || scalar == "\u{A0}" }
    }

    /// Rows that follow each other, as one text.
    struct Block: Sendable, Hashable {
        /// Where a row's characters lie.
        struct Line: Sendable, Hashable {
            var row: Int
            var columns: Range<Int>
        }

        var lines: [Line]
        var text: StyledText
    }

    let rowCount: Int
    let columnCount: Int
    /// A row nothing was written to is empty.
    private var rows: [[Cell?]]
    /// When each row was written to last.
    private var times: [MediaTime?]

    init(rowCount: Int, columnCount: Int) {
        (self.rowCount, self.columnCount) = (rowCount, columnCount)
        rows = Array(repeating: [], count: rowCount)
        times = Array(repeating: nil, count: rowCount)
    }

    mutating func write(_ cell: Cell, row: Int, column: Int, at time: MediaTime) {
        self[row, column] = cell
        if rows.indices.contains(row) { times[row] = time }
    }

    /// `nil` where nothing is written. Outside of the grid nothing is, and writing does nothing.
    subscript(row: Int, column: Int) -> Cell? {
        get { rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : nil }
        set {
            guard rows.indices.contains(row), (0..<columnCount).contains(column) else { return }
            if rows[row].isEmpty {
                if newValue == nil { return }
                rows[row] = Array(repeating: nil, count: columnCount)
            }
            rows[row][column] = newValue
        }
    }

    /// Whether there is nothing to see.
    var isBlank: Bool { rows.allSatisfy { $0.allSatisfy { $0?.isBlank ?? true } } }

    func isBlank(row: Int) -> Bool { !rows.indices.contains(row) || rows[row].allSatisfy { $0?.isBlank ?? true } }

    mutating func clear() { rows = Array(repeating: [], count: rowCount) }

    mutating func clear(row: Int) {
        if rows.indices.contains(row) { rows[row] = [] }
    }

    mutating func clear(row: Int, from column: Int) {
        guard rows.indices.contains(row) else { return }
        for at in rows[row].indices where at >= column { rows[row][at] = nil }
    }

    /// Moves the rows of `range` up by one; the last becomes empty.
    mutating func rollUp(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<rowCount)
        guard !range.isEmpty else { return }
        for row in range.dropLast() { (rows[row], times[row]) = (rows[row + 1], times[row + 1]) }
        rows[range.upperBound - 1] = []
    }

    /// The same downwards.
    mutating func rollDown() {
        guard rowCount > 0 else { return }
        rows.removeLast()
        rows.insert([], at: 0)
        times.removeLast()
        times.insert(nil, at: 0)
    }

    /// Moves columns: to the left drops the first, to the right the last.
    mutating func shiftColumns(left: Bool) {
        for row in rows.indices where !rows[row].isEmpty {
            if left {
                rows[row].removeFirst()
                rows[row].append(nil)
            } else {
                rows[row].removeLast()
                rows[row].insert(nil, at: 0)
            }
        }
    }

    /// Moves the rows of `range` so that they end before `end`; all others become empty.
    mutating func move(_ range: Range<Int>, toEndAt end: Int) {
        let kept = range.clamped(to: 0..<rowCount).map { (rows[$0], times[$0]) }
        clear()
        for (i, row) in kept.enumerated() {
            let target = end - kept.count + i
            if rows.indices.contains(target) { (rows[target], times[target]) = row }
        }
    }

    /// What fits of the grid into another size.
    func resized(rowCount: Int, columnCount: Int) -> CaptionGrid {
        var result = CaptionGrid(rowCount: rowCount, columnCount: columnCount)
        for row in 0..<min(rowCount, self.rowCount) {
            for column in 0..<min(columnCount, self.columnCount) { result[row, column] = self[row, column] }
            result.times[row] = times[row]
        }
        return result
    }

    /// Columns as rows and rows as columns: how vertical writing is read.
    func transposed(mirrored: Bool) -> CaptionGrid {
        var result = CaptionGrid(rowCount: columnCount, columnCount: rowCount)
        for row in 0..<rowCount {
            for column in 0..<columnCount { result[mirrored ? columnCount - 1 - column : column, row] = self[row, column] }
        }
        return result
    }

    /// The same with each row written backwards.
    func mirrored() -> CaptionGrid {
        var result = self
        for row in rows.indices { result.rows[row].reverse() }
        return result
    }

    /// The texts from the top: rows between which one is blank are texts of their own, where `splits` says so.
    ///
    /// - Parameter since: Rows that were written to before are left out.
    func blocks(splits: Bool, since: MediaTime? = nil) -> [Block] {
        var blocks: [Block] = []
        var lastRow: Int?
        for row in rows.indices where !isBlank(row: row) {
            if let since, let time = times[row], time < since { continue }
            let text = line(row)
            if let last = lastRow, !splits || last == row - 1, !blocks.isEmpty {
                blocks[blocks.count - 1].append(text.line, text.text)
            } else {
                blocks.append(Block(lines: [text.line], text: text.text))
            }
            lastRow = row
        }
        return blocks
    }

    /// A row without the blanks around it, and with one space for each gap inside.
    private func line(_ row: Int) -> (line: Block.Line, text: StyledText) {
        var text = StyledText()
        var first: Int?
        var last = 0
        var hasGap = false
        var lastStyle = StyledText.Style.plain
        for (column, cell) in rows[row].enumerated() {
            guard let cell, !cell.isBlank else {
                hasGap = true
                continue
            }
            if first == nil { first = column } else if hasGap { text.append(" ", lastStyle == cell.style ? cell.style : .plain) }
            text.append(String(cell.scalar), cell.style)
            (hasGap, last, lastStyle) = (false, column, cell.style)
        }
        return (Block.Line(row: row, columns: (first ?? 0)..<(last + 1)), text)
    }
}

extension CaptionGrid.Block {
    fileprivate mutating func append(_ line: Line, _ more: StyledText) {
        lines.append(line)
        let (above, below) = (text.runs.last?.style, more.runs.first?.style)
        text.append("\n", above == below ? above ?? .plain : .plain)
        for run in more.runs { text.append(run.text, run.style) }
    }
}
