internal import BitsAndTime

/// The front of a Block or SimpleBlock: whose it is, when, and of how many frames. The frames' own sizes are not read.
///
/// RFC 9559 §10.1, §10.2.
struct BlockHeader: Sendable, Equatable {
    /// Bytes that hold every header: a track number of 8, the time, the flags, and the number of laced frames.
    static let maximumByteCount = 12

    let track: UInt64
    /// Ticks from the Cluster's timestamp.
    let relativeTicks: Int16
    /// Of a SimpleBlock; means nothing in a Block.
    let isKeyframe: Bool
    /// 1…256.
    let frameCount: Int

    /// `nil` where the bytes hold no block header.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard length <= 8, bytes.count >= length + 3 else { return nil }
        var number = UInt64(first) & ((1 << UInt64(8 - length)) - 1)
        for i in 1..<max(length, 1) { number = number << 8 | UInt64(bytes[i]) }
        track = number
        relativeTicks = Int16(bitPattern: UInt16(bytes[length]) << 8 | UInt16(bytes[length + 1]))
        let flags = bytes[length + 2]
        isKeyframe = flags & 0x80 != 0
        let isLaced = flags & 0x06 != 0
        frameCount = isLaced && bytes.count > length + 3 ? Int(bytes[length + 3]) + 1 : 1
    }
}
