/// Reads the words off pictures of them.
///
/// Calls block, from tens to hundreds of milliseconds; one at a time is made.
package protocol TextRecogniser: Sendable {
    /// What does the reading, with its version where it says: "Tesseract 5.3.0".
    var name: String { get }

    /// - Parameter language: A language as tracks say it (a BCP 47 tag, or a code of ISO 639); `nil` for unknown.
    /// - Returns: `nil` when it can be read.
    func absence(of language: String?) -> RecognitionAbsence?

    /// - Parameters:
    ///   - lines: From the top, dark on white.
    ///   - isCancelled: Asked now and then, on any thread; reading ends soon after it says so.
    /// - Returns: A line of text for each one that has any.
    func read(_ lines: [InkPicture], language: String?, isCancelled: @escaping @Sendable () -> Bool) throws(RecognitionError) -> [RecognisedLine]
}

package struct RecognisedLine: Sendable, Hashable {
    /// One line without control characters, never empty.
    package let text: String
    /// The reader's own measure, 0 to 1.
    package let confidence: Double

    package init(text: String, confidence: Double) {
        self.text = text
        self.confidence = confidence
    }
}

/// Why pictures cannot be read here, and what would change it. A capability that is missing, not a failure.
package enum RecognitionAbsence: Error, Sendable, Hashable, CustomStringConvertible {
    /// No reader is there at all.
    case noEngine(remedy: String)
    /// It has not learned the language, which is named in English.
    case noData(language: String, remedy: String)

    package var description: String {
        switch self {
        case .noEngine(let remedy): "pictures of subtitles cannot be read: Tesseract is not installed (\(remedy))"
        case .noData(let language, let remedy): "pictures of subtitles cannot be read: Tesseract has no data for \(language) (\(remedy))"
        }
    }
}

package enum RecognitionError: Error, Sendable, Hashable {
    case absent(RecognitionAbsence)
    case cancelled
    /// More was asked for than is kept waiting; what lies furthest from the viewer goes first.
    case displaced
    /// What the reader says, or nothing.
    case failed(String)
}
