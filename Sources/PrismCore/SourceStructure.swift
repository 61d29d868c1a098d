/// Where things lie in a container, as read from its own framing. Nothing in it is inferred: a field that was not seen is `nil` or unknown.
public struct SourceStructure: Sendable, Equatable, Codable {
    /// How much to find out.
    public enum Detail: Sendable, Equatable {
        /// Nothing, and nothing is read for it.
        case none
        /// Offsets of the large parts: the head is read again.
        case layout
        /// The index as well, with a verdict on whether it reaches the end, and what a session would plan from: costs an index load, or
        /// a scan of the headers.
        case full
    }

    public enum IndexLocation: String, Sendable, Equatable, Codable {
        /// Before the media.
        case head
        /// Behind it.
        case tail
        /// The container says it has none.
        case none
        case unknown
    }

    public enum IndexCompleteness: String, Sendable, Equatable, Codable { case complete, partial, absent, unknown }

    /// Keyframes the container lists for the main video track.
    public struct Index: Sendable, Equatable, Codable {
        /// Seconds, on the axis the container keeps them on.
        public let keyframes: [Double]
        /// `presentation` or `decode`.
        public let axis: String
        public let completeness: IndexCompleteness
    }

    /// What a session would seek by.
    public struct Plan: Sendable, Equatable, Codable {
        public enum Evidence: String, Sendable, Equatable, Codable {
            /// The container's own keyframe index.
            case containerIndex
            /// The headers of its packets.
            case headerScan
            /// Neither: a session plays sequentially.
            case none
        }

        public let evidence: Evidence
        /// 0 without a plan.
        public let segments: Int
        /// Why there is none.
        public let reason: String?
    }

    /// Bytes from the start of the file to the end of the metadata that describes its tracks.
    public var metadataEndOffset: Int64?
    /// First Matroska cluster, MP4 `mdat` or `moof`.
    public var firstClusterOffset: Int64?
    public var indexLocation: IndexLocation
    public var index: Index?
    public var plan: Plan?

    public init(metadataEndOffset: Int64? = nil, firstClusterOffset: Int64? = nil, indexLocation: IndexLocation = .unknown, index: Index? = nil) {
        self.metadataEndOffset = metadataEndOffset
        self.firstClusterOffset = firstClusterOffset
        self.indexLocation = indexLocation
        self.index = index
    }
}
