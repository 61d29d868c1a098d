package import Libav

/// What a decoder makes of an init segment and one media segment, with nothing else to go by.
package struct DecodedFragment: Sendable {
    package struct Frame: Sendable, Hashable {
        /// Presentation time in ticks; `nil` where the demuxer gave none.
        package let pts: Int64?
        package let hash: UInt64
        package let sampleCount: Int
        package let isCorrupt: Bool
    }

    /// Seconds a tick of the times.
    package let tickSeconds: Double
    package let frames: [Frame]
    /// Packets as demuxed: time and bytes.
    package let packets: [(pts: Int64?, bytes: [UInt8])]

    /// - Parameter bytes: Init segment and media segments, in order.
    package init(bytes: [UInt8], streamIndex: Int = 0) throws(LibavError) {
        let demuxer = try Demuxer(bytes: bytes)
        try demuxer.findStreamInfo()
        try self.init(demuxer: demuxer, streamIndex: streamIndex)
    }

    /// Decodes all of one stream.
    package init(demuxer: Demuxer, streamIndex: Int) throws(LibavError) {
        tickSeconds = demuxer.streams.first { $0.index == streamIndex }.map { Double($0.timeBaseNumerator) / Double($0.timeBaseDenominator) } ?? 1
        let decoder = try Decoder(demuxer: demuxer, streamIndex: streamIndex)
        var frames: [Frame] = []
        var packets: [(pts: Int64?, bytes: [UInt8])] = []
        func drain() throws(LibavError) {
            while let frame = try decoder.receive() {
                frames.append(Frame(pts: frame.pts, hash: frame.contentHash(), sampleCount: frame.sampleCount, isCorrupt: frame.isCorrupt))
            }
        }
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == streamIndex else { continue }
            packets.append((packet.pts, packet.bytes))
            do throws(LibavError) {
                try decoder.send(packet)
            } catch {
                // Leading pictures of an open GOP refer to what is not here; a decoder may say so.
                guard error.kind == .invalidData else { throw error }
            }
            try drain()
        }
        try decoder.send(nil)
        try drain()
        self.frames = frames
        self.packets = packets
    }
}
