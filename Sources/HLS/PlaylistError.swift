/// Why text is not the playlist it should be.
package struct PlaylistError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Line number, from 1.
    package let line: Int
    package let reason: String

    package init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "playlist line \(line): \(reason)" }
}
