/// Why bytes from outside could not be read, and where.
///
/// Thrown by every format room. `Kind` separates input that breaks its standard from input that is legal
/// but outside what this package handles, since a host does different things with the two.
public struct ParseError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The input ended before the value did.
        case truncated
        /// The input contradicts its standard.
        case malformed
        /// The input is legal; this package does not handle it.
        case unsupported
        /// A named bound of this package was passed (a count, a size, a depth).
        case limitExceeded
    }

    public let kind: Kind
    /// Byte offset from the start of the input handed to the parser.
    public let offset: Int
    /// What was being read, outermost first, in the standard's words: `moov/trak/mdia`, `sps.log2_max_poc`.
    public let context: String
    /// Expected and found.
    public let reason: String

    public init(_ kind: Kind, at offset: Int, in context: String, _ reason: String) {
        self.kind = kind
        self.offset = offset
        self.context = context
        self.reason = reason
    }

    public var description: String { "\(context): \(reason) (\(kind) at byte \(offset))" }

    /// The same error seen from an enclosing structure that starts at `base`.
    package func nested(in outer: String, base: Int) -> ParseError {
        ParseError(kind, at: base + offset, in: context.isEmpty ? outer : "\(outer)/\(context)", reason)
    }
}
