internal import BitsAndTime

/// Where the parts of a Matroska or WebM file lie, from its first bytes: the SeekHead's word and the elements themselves (RFC 9559 §5).
package struct MatroskaLayout: Sendable, Equatable {
    private enum ID {
        static let ebml: UInt32 = 0x1A45_DFA3
        static let segment: UInt32 = 0x1853_8067
        static let seekHead: UInt32 = 0x114D_9B74
        static let seek: UInt32 = 0x4DBB
        static let seekID: UInt32 = 0x53AB
        static let seekPosition: UInt32 = 0x53AC
        static let tracks: UInt32 = 0x1654_AE6B
        static let cluster: UInt32 = 0x1F43_B675
        static let cues: UInt32 = 0x1C53_BB6B
    }

    /// First byte of the Segment's content, which SeekHead positions count from.
    package var segmentOffset: Int64
    /// Whether a SeekHead was read: only then does its silence about Cues mean anything.
    package var hasSeekHead = false
    /// Offset of the Cues in the file, as declared or met.
    package var cuesOffset: Int64?
    package var tracksEnd: Int64?
    package var firstClusterOffset: Int64?

    /// Elements looked at before giving up: a head of more has not been seen.
    package static let elementLimit = 64
    private static let headerWindow = 16

    /// Walks the top level of the file up to the first cluster.
    ///
    /// - Parameter read: Bytes at an offset; fewer than asked at the end of the file.
    /// - Throws: `ParseError` when this is no Matroska file; whatever `read` throws.
    package init(read: (_ offset: Int64, _ count: Int) throws -> [UInt8]) throws {
        func element(at offset: Int64) throws -> EBMLElement? {
            let bytes = try read(offset, Self.headerWindow)
            guard !bytes.isEmpty else { return nil }
            var reader = ByteReader(bytes, context: "EBML")
            return try EBMLElement(parsing: &reader)
        }
        guard let head = try element(at: 0), head.id == ID.ebml, let headSize = head.byteCount else {
            throw ParseError(.malformed, at: 0, in: "EBML", "no EBML header")
        }
        var at = Int64(head.headerByteCount) + headSize
        guard let segment = try element(at: at), segment.id == ID.segment else {
            throw ParseError(.malformed, at: Int(clamping: at), in: "EBML", "no Segment behind the header")
        }
        at += Int64(segment.headerByteCount)
        segmentOffset = at
        for _ in 0..<Self.elementLimit {
            guard let child = try element(at: at) else { return }
            let content = at + Int64(child.headerByteCount)
            switch child.id {
            case ID.cluster:
                firstClusterOffset = at
                return
            case ID.seekHead:
                hasSeekHead = true
                if let size = child.byteCount, size <= 1 << 16 { try readSeekHead(try read(content, Int(size))) }
            case ID.cues: cuesOffset = at
            case ID.tracks: tracksEnd = child.byteCount.map { content + $0 }
            default: break
            }
            guard let size = child.byteCount, size >= 0, content <= Int64.max - size else { return }
            at = content + size
        }
    }

    private mutating func readSeekHead(_ bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, context: "SeekHead")
        while reader.remaining > 2 {
            let seek = try EBMLElement(parsing: &reader)
            let content = try reader.readBytes(Int(clamping: seek.byteCount ?? 0))
            guard seek.id == ID.seek else { continue }
            var fields = ByteReader(content, context: "Seek")
            var target: UInt64?
            var position: UInt64?
            while fields.remaining > 2 {
                let field = try EBMLElement(parsing: &fields)
                let count = Int(clamping: field.byteCount ?? 0)
                guard (1...8).contains(count) else { break }
                let value = try fields.readInteger(byteCount: count)
                if field.id == ID.seekID { target = value }
                if field.id == ID.seekPosition { position = value }
            }
            if target == UInt64(ID.cues), let position, let offset = Int64(exactly: position), offset <= Int64.max - segmentOffset {
                cuesOffset = segmentOffset + offset
            }
        }
    }
}
