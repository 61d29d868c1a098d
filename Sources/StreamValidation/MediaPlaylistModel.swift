internal import BitsAndTime
internal import HLS

/// A media playlist with the lines its parts stand on. Broken parts are left out here and told of by the checks.
struct MediaPlaylistModel: Sendable, Equatable {
    struct ByteRange: Sendable, Equatable {
        let length: Int
        /// `nil`: from where the one before ended.
        let offset: Int?

        /// `length[@offset]` (RFC 8216 §4.3.2.2).
        init?(_ text: String) {
            let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
            guard (1...2).contains(parts.count), parts.allSatisfy(AttributeDefinition.isInteger), let length = Int(parts[0]) else { return nil }
            self.length = length
            offset = parts.count == 2 ? Int(parts[1]) : nil
        }
    }

    struct Map: Sendable, Equatable {
        let uri: String
        let range: Range<Int>?
        let line: Int
    }

    struct Segment: Sendable, Equatable {
        let uri: String
        let line: Int
        /// `nil` where no EXTINF that can be read comes before.
        let duration: MediaTime?
        /// Resolved; `nil`: the whole resource.
        let range: Range<Int>?
        let isDiscontinuity: Bool
        let isGap: Bool
        /// Number of the map in ``maps``.
        let map: Int?
        let isEncrypted: Bool

        /// The same media, wherever it stands.
        func isSame(as other: Segment) -> Bool {
            uri == other.uri && duration == other.duration && range == other.range && isGap == other.isGap
        }
    }

    private(set) var target: Int?
    private(set) var mediaSequence = 0
    private(set) var discontinuitySequence: Int?
    private(set) var type: String?
    private(set) var isEnded = false
    private(set) var isIndependent = false
    private(set) var isFramesOnly = false
    private(set) var hasDates = false
    private(set) var maps: [Map] = []
    private(set) var segments: [Segment] = []
    /// Faults of structure, found on the way.
    private(set) var faults: [Fault] = []

    struct Fault: Sendable, Equatable {
        enum Kind: Sendable { case extinf, missingDuration, byteRange, byteRangeStart, dangling, date }
        let kind: Kind
        let line: Int
        let text: String
    }

    init(_ document: PlaylistDocument) {
        var reader = Reader()
        for content in document.contents {
            switch content {
            case .tag(let tag): reader.take(tag, into: &self)
            case .uri(let uri, let line): reader.take(uri, line: line, into: &self)
            }
        }
        reader.finish(into: &self)
    }

    /// What the tags before a URI have said so far.
    private struct Reader {
        var duration: MediaTime?
        var range: ByteRange?
        var discontinuity = false
        var gap = false
        var map: Int?
        var encrypted = false
        var openLine: Int?
        var ends: [String: Int] = [:]

        mutating func take(_ tag: PlaylistDocument.Tag, into model: inout MediaPlaylistModel) {
            let value = tag.value ?? ""
            switch tag.name {
            case "#EXT-X-TARGETDURATION": model.target = model.target ?? Int(value)
            case "#EXT-X-MEDIA-SEQUENCE": model.mediaSequence = Int(value) ?? 0
            case "#EXT-X-DISCONTINUITY-SEQUENCE": model.discontinuitySequence = Int(value)
            case "#EXT-X-PLAYLIST-TYPE": model.type = value
            case "#EXT-X-ENDLIST": model.isEnded = true
            case "#EXT-X-INDEPENDENT-SEGMENTS": model.isIndependent = true
            case "#EXT-X-I-FRAMES-ONLY": model.isFramesOnly = true
            case "#EXTINF":
                openLine = tag.line
                let comma = value.firstIndex(of: ",")
                duration = DecimalSeconds.time(value[..<(comma ?? value.endIndex)])
                if duration == nil { model.faults.append(Fault(kind: .extinf, line: tag.line, text: "\"\(value)\" does not begin with a duration")) }
                if comma == nil { model.faults.append(Fault(kind: .extinf, line: tag.line, text: "no comma after the duration")) }
            case "#EXT-X-BYTERANGE":
                openLine = tag.line
                range = ByteRange(value)
                if range == nil { model.faults.append(Fault(kind: .byteRange, line: tag.line, text: "\"\(value)\" is no length[@offset]")) }
            case "#EXT-X-DISCONTINUITY": discontinuity = true
            case "#EXT-X-GAP": gap = true
            case "#EXT-X-KEY": encrypted = (StrictAttributeList(parsing: value)["METHOD"] ?? "NONE") != "NONE"
            case "#EXT-X-MAP": takeMap(StrictAttributeList(parsing: value), line: tag.line, into: &model)
            case "#EXT-X-PROGRAM-DATE-TIME":
                model.hasDates = true
                if !Self.isDate(value) { model.faults.append(Fault(kind: .date, line: tag.line, text: "\"\(value)\" is no date and time of ISO 8601")) }
            default: break
            }
        }

        private mutating func takeMap(_ list: StrictAttributeList, line: Int, into model: inout MediaPlaylistModel) {
            guard let uri = list["URI"] else { return }
            var found: Range<Int>?
            if let text = list["BYTERANGE"] {
                guard let range = ByteRange(text), let end = (range.offset ?? 0).adding(range.length) else {
                    model.faults.append(Fault(kind: .byteRange, line: line, text: "BYTERANGE \"\(text)\" is no length[@offset]"))
                    return
                }
                found = (range.offset ?? 0)..<end
            }
            model.maps.append(Map(uri: uri, range: found, line: line))
            map = model.maps.count - 1
        }

        mutating func take(_ uri: String, line: Int, into model: inout MediaPlaylistModel) {
            if duration == nil, !model.faults.contains(where: { $0.kind == .extinf && $0.line == openLine }) {
                model.faults.append(Fault(kind: .missingDuration, line: line, text: "\(uri) has no EXTINF before it"))
            }
            var resolved: Range<Int>?
            if let range {
                if range.offset == nil, ends[uri] == nil {
                    model.faults.append(Fault(kind: .byteRangeStart, line: line, text: "the byte range says no offset, and the segment before is not a range of \(uri)"))
                }
                let start = range.offset ?? ends[uri] ?? 0
                if let end = start.adding(range.length) {
                    resolved = start..<end
                    ends = [uri: end]
                }
            } else {
                ends = [:]
            }
            model.segments.append(
                Segment(
                    uri: uri, line: line, duration: duration, range: resolved, isDiscontinuity: discontinuity, isGap: gap, map: map, isEncrypted: encrypted))
            (duration, range, discontinuity, gap, openLine) = (nil, nil, false, false, nil)
        }

        func finish(into model: inout MediaPlaylistModel) {
            if let openLine { model.faults.append(Fault(kind: .dangling, line: openLine, text: "tags of a segment that no URI follows")) }
        }

        /// `YYYY-MM-DDThh:mm:ss[.fff][Z|±hh:mm]`
        private static func isDate(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            guard bytes.count >= 19 else { return false }
            let pattern = Array("0000-00-00T00:00:00".utf8)
            return zip(pattern, bytes).allSatisfy { want, have in want == 0x30 ? (0x30...0x39).contains(have) : want == have }
        }
    }

    /// Sum of the durations before each segment, and of all behind the last.
    var starts: [MediaTime] {
        var sum = MediaTime.zero
        var starts = [sum]
        for segment in segments {
            sum = sum + (segment.duration ?? .zero)
            starts.append(sum)
        }
        return starts
    }

    var total: MediaTime { starts.last ?? .zero }
}

extension Int {
    func adding(_ other: Int) -> Int? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? nil : sum
    }
}
