/// What is done to a reader's words before anyone sees them.
package enum RecognisedText {
    /// Characters of one line at most: more than a canvas holds.
    private static let characterLimit = 1000

    /// One line: runs of white space and control characters become a space, and what lay outside is cut off. Signs that readers of print put where
    /// subtitles have letters are set right: a bar is an I, but not between spaces of a table, which subtitles have none of.
    package static func tidied(_ raw: String) -> String {
        var text = ""
        var count = 0
        for character in raw {
            let isSpace = character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control || $0.properties.generalCategory == .format }
            if isSpace {
                if !text.isEmpty, text.last != " " { text.append(" ") }
            } else {
                text.append(character == "|" ? "I" : character)
            }
            count += 1
            if count == characterLimit { break }
        }
        if text.last == " " { text.removeLast() }
        return text
    }
}
