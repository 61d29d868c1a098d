package import BitsAndTime

/// Where the parts of a Matroska or WebM file lie, read from its headers alone. What was not seen is nil or `.unknown`.
///
/// RFC 9559 §4, §5.1, §6 (layout of the Segment).
package struct MatroskaLayout: Sendable, Equatable {
    /// Where the Cues are.
    package enum IndexLocation: Sendable, Equatable {
        /// Seen before the first Cluster.
        case head
        /// Seen behind the first Cluster.
        case tail
        /// The whole Segment was walked, element by element, to its end: it has none.
        case none
        /// Not seen, and the walk did not reach the end; also when a SeekHead names a place where no Cues lie.
        case unknown
    }

    /// What ended the walk over the Segment's children.
    package enum Ending: Sendable, Equatable {
        /// Everything asked for was found.
        case found
        /// The Segment's last child, or the end of a file whose Segment has no declared size.
        case endOfSegment
        /// The file ends inside the Segment's declared size or inside an element: it was cut short.
        case truncated
        case budgetExhausted
        /// A Cluster of unknown size hides what follows it.
        case unsizedCluster
        case malformed(ParseError)
    }

    /// Bounds on a scan. Over a network each read is a round trip.
    package struct Budget: Sendable, Equatable {
        package var reads: Int
        /// Bytes read in all; an element that does not fit is not read.
        package var bytes: Int
        /// Bytes a read asks for at least. Small for walks over Clusters, which use only the first bytes of each.
        package var blockByteCount: Int

        /// The head, and the Cues a SeekHead names. 32 reads pass every header seen so far; a Segment of up to about 25 Clusters is walked whole.
        package static let head = Budget(reads: 32, bytes: 2 << 20, blockByteCount: 8 * 1024)

        package init(reads: Int, bytes: Int, blockByteCount: Int) {
            self.reads = reads
            self.bytes = bytes
            self.blockByteCount = blockByteCount
        }
    }

    /// Bytes of an element, header included, from the start of the file.
    package struct Place: Sendable, Equatable {
        package let offset: Int64
        package let headerByteCount: Int
        package let payloadByteCount: Int64

        package var payloadOffset: Int64 { offset + Int64(headerByteCount) }
        package var end: Int64 { payloadOffset + payloadByteCount }
    }

    /// `matroska` or `webm`, as written; empty when absent.
    package internal(set) var docType: String
    /// The Segment's header, and where its payload begins: the zero of SeekHead and Cues positions.
    package internal(set) var segmentOffset: Int64
    package internal(set) var segmentPayloadOffset: Int64
    /// Nil when unknown, as in live streams.
    package internal(set) var segmentPayloadByteCount: Int64?
    package internal(set) var seekEntries: [SeekEntry] = []
    /// True where a SeekHead, or one it names, could not be read: the silence of the others then says nothing.
    package internal(set) var hasUnreadSeekHeads = false
    package internal(set) var information: SegmentInformation?
    package internal(set) var tracks: Place?
    package internal(set) var cues: Place?
    /// End of the last element before the first Cluster that is not padding; nil until the first Cluster was seen.
    package internal(set) var metadataEnd: Int64?
    package internal(set) var firstClusterOffset: Int64?
    package internal(set) var indexLocation: IndexLocation = .unknown
    package internal(set) var ending: Ending = .found

    /// End of the Segment's payload from the start of the file, when it is declared.
    package var segmentEnd: Int64? { segmentPayloadByteCount.map { segmentPayloadOffset + $0 } }

    /// Whether the file's SeekHeads were read, all of them, and name no Cues. Weaker than ``IndexLocation/none``: a writer may have left
    /// Cues unnamed.
    package var declaresNoCues: Bool { !seekEntries.isEmpty && !hasUnreadSeekHeads && !seekEntries.contains { $0.id == .cues } }

    /// Offset in the file of a position counted from the Segment's payload; nil when it is past every file.
    package func fileOffset(ofPosition position: Int64) -> Int64? {
        let (offset, overflow) = segmentPayloadOffset.addingReportingOverflow(position)
        return overflow || position < 0 ? nil : offset
    }

    /// Walks the headers of a file.
    ///
    /// - Parameter stopsAtMedia: ends at the first Cluster, and looks for no Cues behind it.
    /// - Parameter read: bytes from an offset, at most as many as asked for; fewer are allowed, none means the end of the file.
    /// - Throws: `ParseError` when the file does not begin as Matroska (`.malformed`; `.truncated` when it or the budget ends before
    ///   the Segment begins), and what `read` throws.
    package static func scan(
        budget: Budget = .head, stopsAtMedia: Bool = false, read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
    ) throws -> MatroskaLayout {
        try withoutActuallyEscaping(read) { read in
            var scanner = try LayoutScanner(source: BoundedSource(budget: budget, read: read))
            return try scanner.scan(stopsAtMedia: stopsAtMedia)
        }
    }
}
