package import BitsAndTime

/// A TTML document (IMSC text profile, EBU-TT-D, DFXP) as cues: one for each paragraph and span of time over which its words stay the same.
///
/// Kept: times in every form, nested and in sequence; styles by reference, in line and from the region; the region's place; ruby text in
/// parentheses behind its base. Left out: pictures, metadata, animation. Source: W3C TTML2, IMSC 1.1, EBU Tech 3380.
package struct TTMLDocument: Sendable {
    /// By their begin; times are the document's own. `nil` at the end: the document does not say.
    package let cues: [TextCue]

    /// Elements that are kept at most, and cues that are made.
    private static let elementLimit = 2_000_000

    /// - Parameter bytes: In UTF-8.
    /// - Throws: ``ParseError``, for what is no XML or no TTML.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        var events = XMLEvents(bytes)
        guard case .begin(let name, let attributes)? = try events.next(), name == "tt" else { throw ParseError(.malformed, at: 0, in: "TTML", "the root element is not tt") }
        var builder = TTMLBuilder(root: attributes)
        var count = 0
        while let event = try events.next() {
            count += 1
            guard count < Self.elementLimit else { throw ParseError(.limitExceeded, at: 0, in: "TTML", "more than \(Self.elementLimit) elements") }
            switch event {
            case .begin(let name, let attributes): builder.begin(name, attributes)
            case .text(let text): builder.text(text)
            case .end: builder.end()
            }
        }
        cues = builder.finished()
    }
}
