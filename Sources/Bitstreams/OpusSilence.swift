/// Opus packets that decode to silence: a CELT frame whose silence flag is set (RFC 6716 §4.3), for each stream of the track.
package enum OpusSilence {
    /// Samples of the frames that CELT has, at 48 kHz, and the full-band configuration of each (RFC 6716 Table 2).
    private static let configurations = [120: 28, 240: 29, 480: 30, 960: 31]
    private static let longestFrame = 960
    /// The most a packet may have (§3.2.5).
    private static let longestPacket = 5760
    /// What a frame of silence begins with, and all that it needs.
    private static let frame: [UInt8] = [0xFF, 0xFE]

    /// - Parameter sampleCount: Of the track's own packets; where they differ, or CELT has none of this length, the longest packet there is: a hole
    ///   as long as that is no packet's that began before it.
    package static func packet(for head: OpusHead, sampleCount: Int) -> (bytes: [UInt8], sampleCount: Int) {
        let isLong = sampleCount > longestFrame && sampleCount <= longestPacket && sampleCount % longestFrame == 0
        let length = isLong || configurations[sampleCount] != nil ? sampleCount : longestPacket
        let frameLength = min(length, longestFrame)
        let configuration = UInt8(configurations[frameLength] ?? 31)
        let count = length / frameLength
        // Family 0 is one stream, of one channel or of two (RFC 7845 §5.1.1.1).
        let streams = max(Int(head.mapping.first ?? 1), 1)
        let coupled = head.mapping.count > 1 ? Int(head.mapping[1]) : head.channelCount == 2 ? 1 : 0
        var bytes: [UInt8] = []
        for stream in 0..<streams {
            // Code 0 is one frame, code 3 as many as the byte behind it says, all of one length (§3.2.1, §3.2.5).
            bytes.append(configuration << 3 | (stream < coupled ? 4 : 0) | (count > 1 ? 3 : 0))
            if count > 1 { bytes.append(UInt8(count)) }
            // All but the last stream say how long their frames are (Appendix B).
            if stream + 1 < streams { bytes.append(UInt8(frame.count)) }
            for _ in 0..<count { bytes += frame }
        }
        return (bytes, length)
    }
}
