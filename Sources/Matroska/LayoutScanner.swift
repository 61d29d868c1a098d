internal import BitsAndTime

/// The walk behind ``MatroskaLayout/scan(budget:stopsAtMedia:read:)``.
struct LayoutScanner {
    /// Largest SeekHead or Info read; real ones take a few hundred bytes. A larger one counts as not seen.
    private static let payloadLimit: Int64 = 256 * 1024
    /// SeekHeads followed from SeekHeads. Muxers that write a second one at the end write no third.
    private static let chainedSeekHeads = 4

    private var source: BoundedSource
    private var layout: MatroskaLayout
    private var lastMetadataEnd: Int64

    enum Header {
        case element(ElementHeader)
        case end
        /// The file ends inside the header.
        case truncated
        case budgetExhausted
        case malformed(ParseError)
    }

    /// Reads up to the Segment's header.
    init(source: BoundedSource) throws {
        self.source = source
        guard case .element(let ebml) = try self.source.header(at: 0), ebml.id == .ebml else {
            throw ParseError(.malformed, at: 0, in: "EBML", "no EBML header")
        }
        guard let ebmlSize = ebml.payloadByteCount, ebmlSize <= Self.payloadLimit else {
            throw ParseError(.malformed, at: 0, in: "EBML", "header without a sensible size")
        }
        guard case .bytes(let payload) = try self.source.bytes(at: Int64(ebml.byteCount), count: Int(ebmlSize)), payload.count == Int(ebmlSize)
        else { throw ParseError(.truncated, at: ebml.byteCount, in: "EBML", "\(ebmlSize) bytes wanted") }
        var docType = ""
        try Element.forEach(in: payload, context: "EBML") { (element) throws(ParseError) in
            if element.id == .docType { docType = element.string() }
        }

        var offset = Int64(ebml.byteCount) + ebmlSize
        while true {
            let place = Int(clamping: offset)
            guard case .element(let header) = try self.source.header(at: offset) else {
                throw ParseError(.truncated, at: place, in: "Segment", "no Segment follows the EBML header")
            }
            if header.id == .segment {
                let start = offset + Int64(header.byteCount)
                let end = header.payloadByteCount.map { start.addingReportingOverflow($0) }
                guard end?.overflow != true else { throw ParseError(.malformed, at: place, in: "Segment", "ends past every file") }
                layout = MatroskaLayout(
                    docType: docType, segmentOffset: offset, segmentPayloadOffset: start, segmentPayloadByteCount: header.payloadByteCount)
                lastMetadataEnd = start
                return
            }
            guard header.id == .void || header.id == .crc32, let next = header.end(from: offset) else {
                throw ParseError(.malformed, at: place, in: "Segment", "\(header.id) where the Segment is expected")
            }
            offset = next
        }
    }

    mutating func scan(stopsAtMedia: Bool) throws -> MatroskaLayout {
        let firstCluster = try walkHead()
        if stopsAtMedia, firstCluster != nil { return layout }
        if layout.cues != nil {
            layout.indexLocation = .head
            return layout
        }
        guard let firstCluster else {
            if layout.ending == .endOfSegment { layout.indexLocation = .none }
            return layout
        }
        if try findDeclaredCues(behind: firstCluster) { return layout }
        try walkClusters(from: firstCluster)
        return layout
    }

    // MARK: Before the first Cluster

    /// Offset of the first Cluster, or nil with the layout's `ending` set.
    private mutating func walkHead() throws -> Int64? {
        var offset = layout.segmentPayloadOffset
        while true {
            guard let header = try child(at: offset) else { return nil }
            if header.id == .cluster {
                layout.firstClusterOffset = offset
                layout.metadataEnd = lastMetadataEnd
                return offset
            }
            guard let size = header.payloadByteCount, let end = header.end(from: offset) else {
                layout.ending = .malformed(
                    ParseError(.malformed, at: Int(clamping: offset), in: "Segment", "\(header.id) of unknown size before the first Cluster"))
                return nil
            }
            try note(header, at: offset, size: size)
            if header.id != .void, header.id != .crc32 { lastMetadataEnd = end }
            offset = end
        }
    }

    /// Keeps what a child of the Segment says. A SeekHead or Info that cannot be read counts as not seen.
    private mutating func note(_ header: ElementHeader, at offset: Int64, size: Int64) throws {
        let place = MatroskaLayout.Place(offset: offset, headerByteCount: header.byteCount, payloadByteCount: size)
        switch header.id {
        case .tracks where layout.tracks == nil: layout.tracks = place
        case .cues where layout.cues == nil: layout.cues = place
        case .info where layout.information == nil:
            if let payload = try self.payload(at: place) { layout.information = try? SegmentInformation(parsing: payload) }
        case .seekHead:
            if let payload = try self.payload(at: place), let entries = try? SeekEntry.parse(seekHead: payload) {
                layout.seekEntries += entries
            } else {
                layout.hasUnreadSeekHeads = true
            }
        default: break
        }
    }

    private mutating func payload(at place: MatroskaLayout.Place) throws -> ArraySlice<UInt8>? {
        guard place.payloadByteCount <= Self.payloadLimit else { return nil }
        let count = Int(place.payloadByteCount)
        guard case .bytes(let bytes) = try source.bytes(at: place.payloadOffset, count: count), bytes.count == count else { return nil }
        return bytes
    }

    // MARK: Behind it

    /// Looks where SeekHeads say the Cues are; true when they are there.
    private mutating func findDeclaredCues(behind firstCluster: Int64) throws -> Bool {
        var next = 0
        var followed = 0
        while next < layout.seekEntries.count {
            let entry = layout.seekEntries[next]
            next += 1
            guard entry.id == .cues || entry.id == .seekHead else { continue }
            let isChain = entry.id == .seekHead
            let target = layout.fileOffset(ofPosition: entry.position)
            if isChain, let target, target < firstCluster { continue }  // Read on the way.
            guard followed < Self.chainedSeekHeads || !isChain, let offset = target,
                case .element(let header) = try source.header(at: offset), header.id == entry.id, let size = header.payloadByteCount,
                header.end(from: offset) != nil
            else {
                if isChain { layout.hasUnreadSeekHeads = true }
                continue
            }
            if isChain { followed += 1 }
            try note(header, at: offset, size: size)
            if layout.cues != nil {
                layout.indexLocation = .tail
                return true
            }
        }
        return false
    }

    /// Cluster by cluster to the end of the Segment: the only way to know that there are no Cues.
    private mutating func walkClusters(from firstCluster: Int64) throws {
        var offset = firstCluster
        while let header = try child(at: offset) {
            guard let size = header.payloadByteCount, let end = header.end(from: offset) else {
                layout.ending = .unsizedCluster
                return
            }
            if header.id != .cluster { try note(header, at: offset, size: size) }
            if layout.cues != nil {
                layout.indexLocation = .tail
                layout.ending = .found
                return
            }
            offset = end
        }
        if layout.ending == .endOfSegment { layout.indexLocation = .none }
    }

    /// The header of the Segment's child at `offset`; nil with the layout's `ending` set when there is none.
    private mutating func child(at offset: Int64) throws -> ElementHeader? {
        if let end = layout.segmentEnd, offset >= end {
            layout.ending = offset == end ? try ending(at: offset) : .truncated
            return nil
        }
        switch try source.header(at: offset) {
        case .element(let header):
            // Another Segment follows one of unknown size: this one is over.
            if header.id == .segment || header.id == .ebml {
                layout.ending = .endOfSegment
                return nil
            }
            return header
        case .end: layout.ending = layout.segmentEnd == nil ? try ending(at: offset) : .truncated
        case .truncated: layout.ending = .truncated
        case .budgetExhausted: layout.ending = .budgetExhausted
        case .malformed(let error): layout.ending = .malformed(error)
        }
        return nil
    }

    /// Skipping over an element that the file cuts short lands past its end: only a byte before `offset` proves that the file reaches there.
    private mutating func ending(at offset: Int64) throws -> MatroskaLayout.Ending {
        switch try source.reaches(offset) {
        case true?: .endOfSegment
        case false?: .truncated
        case nil: .budgetExhausted
        }
    }
}

extension BoundedSource {
    /// Whether the file holds the byte before `offset`; nil when the budget does not allow to look.
    mutating func reaches(_ offset: Int64) throws -> Bool? {
        guard case .bytes(let last) = try bytes(at: offset - 1, count: 1) else { return nil }
        return !last.isEmpty
    }

    mutating func header(at offset: Int64) throws -> LayoutScanner.Header {
        guard case .bytes(let bytes) = try bytes(at: offset, count: ElementHeader.maximumByteCount) else { return .budgetExhausted }
        if bytes.isEmpty { return .end }
        var reader = ByteReader(bytes, context: "element at \(offset)")
        do throws(ParseError) {
            return .element(try ElementHeader(parsing: &reader))
        } catch {
            return error.kind == .truncated ? .truncated : .malformed(error)
        }
    }
}

extension ElementHeader {
    /// End of the element that begins at `offset`; nil when its size is unknown or passes every file.
    func end(from offset: Int64) -> Int64? {
        guard let size = payloadByteCount else { return nil }
        let (start, overflow) = offset.addingReportingOverflow(Int64(byteCount))
        let (end, overflow2) = start.addingReportingOverflow(size)
        return overflow || overflow2 ? nil : end
    }
}
