extension StyledText {
    /// Cut at its line feeds; an empty text is one empty line.
    package var lines: [StyledText] {
        var lines = [StyledText()]
        for run in runs {
            for (index, piece) in run.text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { lines.append(StyledText()) }
                lines[lines.count - 1].append(String(Substring(piece)), run.style)
            }
        }
        return lines
    }

    /// Lines put below each other.
    package init(lines: [StyledText]) {
        self.init()
        for (index, line) in lines.enumerated() {
            // The feed takes the style of what stands before it, so that a style over two lines stays one run.
            if index > 0 { append("\n", line.runs.first?.style == runs.last?.style ? runs.last?.style ?? .plain : .plain) }
            append(line)
        }
    }
}
