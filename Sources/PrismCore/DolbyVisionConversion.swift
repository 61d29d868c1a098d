/// What a session does to a film's Dolby Vision, and how it went so far.
public struct DolbyVisionConversion: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Equatable, Codable {
        /// The base layer with its units rewritten for a single layer; the enhancement layer is left out.
        case profile7ToProfile81
    }

    public let conversion: Kind
    /// Units rewritten, each time a segment was produced.
    public let convertedUnits: Int
    /// Pictures whose unit was missing, or could not be read or rewritten: they show as their base layer.
    public let failedUnits: Int
    /// Units of the enhancement layer left out.
    public let enhancementUnitsLeftOut: Int
}
