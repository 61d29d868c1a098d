/// What a bounded look into a source's first pictures found of metadata no container declares.
public struct DynamicMetadataFinding: Sendable, Equatable, Codable {
    public enum Verdict: Sendable, Equatable, Codable {
        /// A message was found whose whole structure is right.
        case seen
        /// None in the pictures looked at. The film may have some further on: this is never said as "absent".
        case notSeenWithinBudget
        /// Nothing can be said, and why.
        case unknown(reason: String)
    }

    public var verdict: Verdict
    /// HDR10+: application_version of SMPTE ST 2094-40, 0 or 1; `nil` where none was seen.
    public var applicationVersion: Int?
    /// Packets looked at.
    public var packetsScanned: Int

    public init(verdict: Verdict, applicationVersion: Int? = nil, packetsScanned: Int = 0) {
        self.verdict = verdict
        self.applicationVersion = applicationVersion
        self.packetsScanned = packetsScanned
    }
}

/// Whether a probe looks for HDR10+ and HDR Vivid, which costs reads: it is asked for, and no routing depends on it.
public enum HDR10PlusScan: Sendable, Equatable {
    /// The first 24 video packets.
    case standard
}
