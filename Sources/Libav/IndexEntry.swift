/// One entry of a stream's index: where a sample or cluster lies.
package struct IndexEntry: Sendable, Hashable {
    /// In the stream's time base; a decode time for MP4, a presentation time for Matroska.
    package let timestamp: Int64
    /// Byte offset from the start of the source: the sample (MP4) or the cluster that holds it (Matroska).
    package let position: Int64
    /// 0 when the container does not say.
    package let byteCount: Int
    package let isKeyframe: Bool
    /// To be decoded and not shown (``Packet/isDiscard``); known of MP4 edit lists alone.
    package let isDiscard: Bool

    package init(timestamp: Int64, position: Int64, byteCount: Int, isKeyframe: Bool, isDiscard: Bool = false) {
        self.timestamp = timestamp
        self.position = position
        self.byteCount = byteCount
        self.isKeyframe = isKeyframe
        self.isDiscard = isDiscard
    }
}
