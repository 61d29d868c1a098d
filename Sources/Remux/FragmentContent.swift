#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif
package import Libav

/// The bytes of a fragment, by reference: what was written for it in memory, payloads in the packets they came in or in the file they come from.
package struct FragmentContent: Sendable {
    package enum Piece: Sendable {
        case bytes([UInt8])
        case packet(Packet, Range<Int>)
        case file(FileSpan)
        case transport(TransportSample, Range<Int>)

        package var byteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .packet(_, let range): range.count
            case .file(let span): span.byteCount
            case .transport(_, let range): range.count
            }
        }

        /// A stretch of the piece, counted from its first byte.
        subscript(range: Range<Int>) -> Self {
            let range = range.clamped(to: 0..<byteCount)
            switch self {
            case .bytes(let bytes): return .bytes(Array(bytes[range]))
            case .packet(let packet, let whole): return .packet(packet, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
            case .transport(let sample, let whole):
                return .transport(sample, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
            case .file(let span):
                return .file(
                    FileSpan(descriptor: span.descriptor, offset: span.offset &+ Int64(range.lowerBound), byteCount: range.count, owner: span.owner))
            }
        }

        var isInMemory: Bool {
            switch self {
            case .file, .transport: false
            case .bytes, .packet: true
            }
        }
    }

    /// A packet below this is copied together with its neighbours: a reference to it costs more than its bytes.
    private static let smallestReference = 4 << 10

    package private(set) var pieces: [Piece] = []
    package private(set) var byteCount = 0
    /// Bytes of it that take memory.
    package private(set) var memoryByteCount = 0

    package init() {}

    package init(_ bytes: [UInt8]) { append(.bytes(bytes)) }

    init(_ payload: any SamplePayload) {
        for piece in payload.pieces { append(piece) }
    }

    /// Whether a piece joins what is before it.
    static func isCopied(_ piece: Piece) -> Bool { piece.isInMemory && piece.byteCount < smallestReference }

    package mutating func append(_ piece: Piece) {
        byteCount += piece.byteCount
        if piece.isInMemory { memoryByteCount += piece.byteCount }
        if Self.isCopied(piece), case .bytes(var joined) = pieces.last {
            // Taken out first, so that the array grows in place.
            pieces.removeLast()
            piece.append(to: &joined)
            pieces.append(.bytes(joined))
        } else if case .packet(let packet, let range) = piece, range.count < Self.smallestReference {
            pieces.append(.bytes(packet.withUnsafeBytes { Array($0[range]) }))
        } else {
            pieces.append(piece)
        }
    }

    /// What follows a header of so many bytes, which was written first and so stands in the first piece.
    func dropping(header count: Int) -> FragmentContent {
        var content = FragmentContent()
        for (number, piece) in pieces.enumerated() {
            if number == 0, case .bytes(let bytes) = piece {
                if bytes.count > count { content.append(.bytes(Array(bytes[count...]))) }
            } else {
                content.append(piece)
            }
        }
        return content
    }

    /// All of it in one array; `nil` when a file does not give what it promised.
    package func joined() -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for piece in pieces where !piece.append(to: &bytes) { return nil }
        return bytes
    }

    /// The same bytes with whatever takes memory moved to where `store` puts it.
    func spilled(by store: ([UInt8]) throws(SpillFile.Failure) -> FileSpan) throws(SpillFile.Failure) -> FragmentContent {
        var content = FragmentContent()
        var waiting: [UInt8] = []
        for piece in pieces {
            if piece.isInMemory {
                piece.append(to: &waiting)
                continue
            }
            if !waiting.isEmpty { content.append(.file(try store(waiting))) }
            waiting = []
            content.append(piece)
        }
        if !waiting.isEmpty { content.append(.file(try store(waiting))) }
        return content
    }
}

extension FragmentContent.Piece {
    /// - Returns: Whether all of the piece could be read.
    @discardableResult
    fileprivate func append(to output: inout [UInt8]) -> Bool {
        switch self {
        case .bytes(let bytes): output.append(contentsOf: bytes)
        case .packet(let packet, let range): packet.withUnsafeBytes { output.append(contentsOf: $0[range]) }
        case .transport(let sample, let range):
            guard let bytes = sample.bytes() else { return false }
            output.append(contentsOf: bytes[range])
        case .file(let span):
            var done = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: span.byteCount) { buffer, count in
                while done < span.byteCount {
                    let read = pread(span.descriptor, buffer.baseAddress.map { $0 + done }, span.byteCount - done, off_t(span.offset) + off_t(done))
                    if read < 0, errno == EINTR { continue }
                    guard read > 0 else { break }
                    done += read
                }
                count = done
            }
            output.append(contentsOf: bytes)
            return withExtendedLifetime(span.owner) { done == span.byteCount }
        }
        return true
    }
}
