internal import BitsAndTime
internal import TimedText

/// The decoder of one caption channel of CEA-608: two memories, a cursor and a mode (47 CFR 15.119, CTA-608-E §7 and Annexes B, C).
struct CEA608Channel: Sendable {
    enum Mode: Sendable, Hashable {
        case popOn
        /// Rows of the window, 2…4.
        case rollUp(Int)
        case paintOn
    }

    static let rowCount = 15
    static let columnCount = 32

    /// `nil` until a command says it. What is written before is loaded as if for pop-on: of a stream that begins behind that command the
    /// first caption is shown at its end, and roll-up begins with an empty screen.
    private(set) var mode: Mode?
    /// What comes now is of the channel's text service, which is no caption: passed over until a mode of captions is named.
    private var isInText = false
    /// Characters to be seen that were written, apart from those of the text service; those of an unknown mode count.
    private(set) var writtenCount = 0
    private var displayed = CaptionGrid(rowCount: rowCount, columnCount: columnCount)
    private var nondisplayed = CaptionGrid(rowCount: rowCount, columnCount: columnCount)
    private var row = rowCount - 1
    private var column = 0
    /// The last column was written: the cursor has nowhere to go, and stays on it.
    private var isPastLastColumn = false
    private var style = StyledText.Style.plain
    private var span: CaptionSpan

    init(memory: MediaTime?) { span = CaptionSpan(memory: memory) }

    /// When the caption began that is shown and has no end yet.
    var openSince: MediaTime? { displayed.isBlank ? nil : span.start }

    // MARK: Time

    mutating func advance(to time: MediaTime) -> [TextCue] {
        guard let cues = span.expire(by: time, { [self] in shown(since: $0) }) else { return [] }
        displayed.clear()
        return cues
    }

    mutating func flush(at time: MediaTime?) -> [TextCue] {
        defer { displayed.clear() }
        return span.flush(at: time) { [self] in shown(since: $0) }
    }

    /// What is on the screen.
    private func shown(since: MediaTime?) -> [CaptionSpan.Shown] {
        var isRollUp = false
        if case .rollUp = mode { isRollUp = true }
        return displayed.blocks(splits: !isRollUp, since: since).map { block in
            let (column, horizontal) = CaptionPlacement.horizontal(of: block.lines, columnCount: Self.columnCount)
            let x = CaptionPlacement.margin + CaptionPlacement.area * column / Double(Self.columnCount)
            let height = CaptionPlacement.area / Double(Self.rowCount)
            let top = CaptionPlacement.margin + height * Double(block.lines.first?.row ?? 0)
            let bottom = CaptionPlacement.margin + height * Double((block.lines.last?.row ?? 0) + 1)
            return (block.text, CaptionPlacement.place(x: x, horizontal, top: top, bottom: bottom))
        }
    }

    private mutating func replace(at time: MediaTime) -> [TextCue] { span.willReplace(at: time) { [self] in shown(since: $0) } }

    // MARK: Characters

    /// A byte of 20…7F.
    mutating func write(_ code: UInt8, at time: MediaTime) -> [TextCue] {
        guard let scalar = CEA608Characters.basic(code) else { return [] }
        return write(scalar, at: time)
    }

    private mutating func write(_ scalar: Unicode.Scalar, at time: MediaTime) -> [TextCue] {
        let cell = CaptionGrid.Cell(scalar: scalar, style: style)
        if !isInText, !cell.isBlank { writtenCount += 1 }
        return change(at: time) { grid, channel in
            grid.write(cell, row: channel.row, column: channel.column, at: time)
            if channel.column == Self.columnCount - 1 { channel.isPastLastColumn = true } else { channel.column += 1 }
        }
    }

    /// Changes the memory that is written to in this mode.
    private mutating func change(at time: MediaTime, _ body: (inout CaptionGrid, inout CEA608Channel) -> Void) -> [TextCue] {
        guard !isInText else { return [] }
        switch mode {
        case .popOn, nil:
            var grid = nondisplayed
            body(&grid, &self)
            nondisplayed = grid
            return []
        case .paintOn, .rollUp:
            let cues = span.willWrite(at: time, isBlank: displayed.isBlank) { [self] in shown(since: $0) }
            var grid = displayed
            body(&grid, &self)
            displayed = grid
            return cues
        }
    }

    private mutating func moveBack() {
        if isPastLastColumn { isPastLastColumn = false } else { column = max(column - 1, 0) }
    }

    private mutating func backspace(at time: MediaTime) -> [TextCue] {
        guard column > 0 else { return [] }
        return change(at: time) { grid, channel in
            channel.moveBack()
            grid[channel.row, channel.column] = nil
        }
    }

    // MARK: Codes

    mutating func execute(_ code: CEA608Code, at time: MediaTime) -> [TextCue] {
        switch code {
        case .command(let command): return execute(command, at: time)
        case .preamble(let row, let indent, let colour, let isItalic, let isUnderlined):
            guard !isInText else { return [] }
            style = StyledText.Style(isItalic: isItalic, isUnderlined: isUnderlined, colour: colour.colour)
            let cues = moveCursor(toRow: row, at: time)
            (column, isPastLastColumn) = (indent, false)
            return cues
        case .midRow(let colour, let isUnderlined):
            guard !isInText else { return [] }
            // A colour ends italics; italics keep the colour.
            if let colour { (style.isItalic, style.colour) = (false, colour.colour) } else { style.isItalic = true }
            style.isUnderlined = isUnderlined
            return write(" ", at: time)
        case .background: return []
        case .blackForeground(let isUnderlined):
            guard !isInText else { return [] }
            (style.colour, style.isUnderlined, style.isItalic) = (nil, isUnderlined, false)
            return []
        case .tabOffset(let count):
            guard !isInText else { return [] }
            column = min(column + count, Self.columnCount - 1)
            isPastLastColumn = false
            return []
        case .special(let scalar): return write(scalar, at: time)
        case .extended(let scalar): return backspace(at: time) + write(scalar, at: time)
        case .unknown: return []
        }
    }

    /// In roll-up the row is where the window's lowest goes, text and all.
    private mutating func moveCursor(toRow newRow: Int, at time: MediaTime) -> [TextCue] {
        guard case .rollUp(let depth) = mode else {
            row = newRow
            return []
        }
        // A window that would reach over the top ends as high as it can.
        let base = max(newRow, depth - 1)
        guard base != row else { return [] }
        let cues = displayed.isBlank ? [] : replace(at: time)
        displayed.move((row + 1 - depth)..<(row + 1), toEndAt: base + 1)
        row = base
        return cues
    }

    private mutating func execute(_ command: CEA608Code.Command, at time: MediaTime) -> [TextCue] {
        switch command {
        case .resumeCaptionLoading: (mode, isInText) = (.popOn, false)
        case .backspace: return backspace(at: time)
        case .deleteToEndOfRow:
            return change(at: time) { grid, channel in grid.clear(row: channel.row, from: channel.column + (channel.isPastLastColumn ? 1 : 0)) }
        case .rollUp2: return rollUp(2, at: time)
        case .rollUp3: return rollUp(3, at: time)
        case .rollUp4: return rollUp(4, at: time)
        case .flashOn:
            // As other attributes within a row it takes a column.
            return write(" ", at: time)
        case .resumeDirectCaptioning: (mode, isInText) = (.paintOn, false)
        case .textRestart, .resumeTextDisplay: isInText = true
        case .eraseDisplayedMemory:
            let cues = replace(at: time)
            displayed.clear()
            return cues
        case .carriageReturn: return carriageReturn(at: time)
        case .eraseNondisplayedMemory: nondisplayed.clear()
        case .endOfCaption:
            let cues = replace(at: time)
            (mode, isInText) = (.popOn, false)
            swap(&displayed, &nondisplayed)
            return cues
        case .alarmOff, .alarmOn: break
        }
        return []
    }

    private mutating func rollUp(_ depth: Int, at time: MediaTime) -> [TextCue] {
        isInText = false
        guard case .rollUp(let old) = mode else {
            // Coming from another mode both memories are erased, and the window is at the bottom (15.119 (f)(1)(ii)).
            let cues = replace(at: time)
            (mode, style) = (.rollUp(depth), .plain)
            displayed.clear()
            nondisplayed.clear()
            (row, column, isPastLastColumn) = (Self.rowCount - 1, 0, false)
            return cues
        }
        guard old != depth else { return [] }
        let kept = max(0, row + 1 - depth)..<(row + 1)
        var cues: [TextCue] = []
        if (0..<kept.lowerBound).contains(where: { !displayed.isBlank(row: $0) }) { cues = replace(at: time) }
        let base = max(row, depth - 1)
        if base != row, !displayed.isBlank { cues += replace(at: time) }
        mode = .rollUp(depth)
        displayed.move(kept, toEndAt: base + 1)
        row = base
        return cues
    }

    private mutating func carriageReturn(at time: MediaTime) -> [TextCue] {
        guard !isInText, case .rollUp(let depth) = mode else { return [] }
        let cues = span.willReplaceAndWrite(at: time) { [self] in shown(since: $0) }
        displayed.rollUp((row + 1 - depth)..<(row + 1))
        (column, isPastLastColumn, style) = (0, false, .plain)
        return cues
    }
}
