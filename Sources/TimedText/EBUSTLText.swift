/// The text field of an EBU STL subtitle as styled lines.
///
/// Source: EBU Tech 3264-E, clause 5 (control codes); ETSI EN 300 706, clause 12.2, for the spacing attributes of teletext.
enum EBUSTLText {
    private static let colours: [StyledText.Colour?] = [
        .init(red: 0, green: 0, blue: 0), .init(red: 255, green: 0, blue: 0), .init(red: 0, green: 255, blue: 0), .init(red: 255, green: 255, blue: 0),
        .init(red: 0, green: 0, blue: 255), .init(red: 255, green: 0, blue: 255), .init(red: 0, green: 255, blue: 255), nil,
    ]

    static func read(_ field: [UInt8], _ table: EBUSTLCharacters.Table, isTeletext: Bool) -> StyledText {
        // On a teletext page only what is boxed lies over the picture.
        let hasBoxes = isTeletext && field.contains(0x0B)
        var lines: [StyledText] = []
        var line = StyledText()
        var style = StyledText.Style.plain
        var isBoxed = !hasBoxes
        var characters = EBUSTLCharacters(table)
        func finishLine() {
            let trimmed = line.trimmed
            // Rows that double height takes up stand empty.
            if !trimmed.isBlank { lines.append(trimmed) }
            line = StyledText()
            // Attributes of teletext end with their row.
            if isTeletext {
                style.colour = nil
                isBoxed = !hasBoxes
            }
        }
        for byte in field {
            switch byte {
            case 0x8A: finishLine()
            case 0x80: style.isItalic = true
            case 0x81: style.isItalic = false
            case 0x82: style.isUnderlined = true
            case 0x83: style.isUnderlined = false
            case 0x00...0x1F:
                // A spacing attribute fills a cell.
                if isBoxed, let last = line.runs.last?.text.unicodeScalars.last, last != " " { line.append(" ", style) }
                if byte < 8 { style.colour = colours[Int(byte)] }
                if hasBoxes, byte == 0x0B { isBoxed = true } else if hasBoxes, byte == 0x0A { isBoxed = false }
            case 0x20...0x7E, 0xA0...0xFF:
                if let character = characters.character(byte), isBoxed { line.append(character, style) }
            default: break
            }
        }
        finishLine()
        return StyledText(lines: lines)
    }
}
