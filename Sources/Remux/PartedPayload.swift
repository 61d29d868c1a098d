internal import Libav

/// A sample put together from stretches of a packet or of the source file, and bytes of its own.
struct PartedPayload: SamplePayload {
    private(set) var pieces: [FragmentContent.Piece] = []
    private(set) var byteCount = 0

    /// - Parameters:
    ///   - payload: What `parts` are stretches of.
    init(_ parts: [DolbyVisionFilter.Part], of payload: any SamplePayload) {
        for part in parts {
            switch part {
            case .new(let bytes): append(.bytes(bytes))
            case .kept(let range):
                for piece in payload.pieces { append(piece[range]) }
            }
        }
    }

    /// `payload` and, behind it, `bytes`.
    init(_ payload: any SamplePayload, followedBy bytes: [UInt8]) {
        for piece in payload.pieces { append(piece) }
        append(.bytes(bytes))
    }

    private mutating func append(_ piece: FragmentContent.Piece) {
        byteCount += piece.byteCount
        pieces.append(piece)
    }
}
