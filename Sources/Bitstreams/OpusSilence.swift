/// Opus packets that decode to silence: a CELT frame whose silence flag is set (RFC 6716 §4.3), for each stream of the track.
package enum OpusSilence {
    /// Samples of the frames that CELT has, at 48 kHz, and the full-band configuration of each (RFC 6716 Table 2).
    private static let configurations = [120: 28, 240: 29, 480: 30, 960: 31]
    /// What a frame of silence begins with, and all that it needs.
    private static let frame: [UInt8] = [0xFF, 0xFE]

    /// - Parameter sampleCount: Of the track's own packets, which longer ones than a frame have several of; where they differ, 960 are taken.
    package static func packet(for head: OpusHead, sampleCount: Int) -> (bytes: [UInt8], sampleCount: Int) {
        let isWhole = configurations[sampleCount] != nil || (sampleCount > 0 && sampleCount % 960 == 0 && sampleCount <= OpusPacket.longest)
        let length = isWhole ? sampleCount : 960
        let configuration = UInt8(configurations[length] ?? 31)
        let count = configurations[length] == nil ? length / 960 : 1
        // Family 0 is one stream, of one channel or of two (RFC 7845 §5.1.1.1).
        let streams = max(Int(head.mapping.first ?? 1), 1)
        let coupled = head.mapping.count > 1 ? Int(head.mapping[1]) : head.channelCount == 2 ? 1 : 0
        var bytes: [UInt8] = []
        for stream in 0..<streams {
            bytes.append(configuration << 3 | (stream < coupled ? 4 : 0) | (count > 1 ? 3 : 0))
            // Frames of one size, and how many (§3.2.5).
            if count > 1 { bytes.append(UInt8(count)) }
            // All but the last say how long they are (Appendix B).
            if stream + 1 < streams { bytes.append(UInt8(frame.count)) }
            for _ in 0..<count { bytes += frame }
        }
        return (bytes, length)
    }
}
