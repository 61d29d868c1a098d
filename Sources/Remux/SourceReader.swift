package import BitsAndTime
package import Libav

/// One open source, read by one thread at a time: its first packets, looked at before anything is decided, and then the rest.
///
/// `@unchecked Sendable`: handed from the thread that opened it to the thread that produces; never used by two at once.
package final class SourceReader: @unchecked Sendable {
    /// What the head scan may cost. Packets after `find_stream_info` are mostly in memory already.
    package enum HeadLimit {
        package static let byteCount = 12 << 20
        package static let packetCount = 2000
        /// Packets of one stream that are kept to be looked at: so many that are shown, and so many that an edit list hides.
        package static let perStream = 64
        /// Pictures that show how far any stream reorders them: a decoded picture buffer holds 16 (ITU-T H.264 §A.3.1).
        package static let reorderedPictures = 20
    }

    package let demuxer: Demuxer
    package let interrupter: Interrupter
    /// The stream whose pictures are wanted; `nil` before the head was read.
    private var video: Int?
    private var replay: [Packet] = []
    private var replayed = 0
    private(set) package var head: [Int: [Packet]] = [:]

    package init(demuxer: Demuxer, interrupter: Interrupter) {
        self.demuxer = demuxer
        self.interrupter = interrupter
    }

    /// Reads until each wanted stream has shown what describing it takes, within bounds; the packets stay queued for reading.
    ///
    /// - Parameters:
    ///   - video: Wanted: a keyframe and a picture shown after it, which bounds the earliest presentation time. `nil` for a source without.
    ///   - others: Wanted: one packet each.
    package func readHead(video: Int?, others: [Int]) throws(LibavError) {
        self.video = video
        var bytes = 0
        var missing = Set(others)
        var keyTime: Int64?
        var hasTrailing = video == nil
        var isKeySeen = false
        while bytes < HeadLimit.byteCount, replay.count < HeadLimit.packetCount, !(missing.isEmpty && hasTrailing) {
            guard let packet = try demuxer.readPacket() else { break }
            replay.append(packet)
            bytes += packet.byteCount
            missing.remove(packet.streamIndex)
            keep(packet)
            // What an edit list hides tells nothing of where the film begins.
            if packet.streamIndex == video, packet.isDiscard { isKeySeen = true }
            guard packet.streamIndex == video, !packet.isDiscard, let time = packet.pts ?? packet.dts else { continue }
            isKeySeen = isKeySeen || packet.isKeyframe
            if let key = keyTime { hasTrailing = hasTrailing || time > key } else if isKeySeen { keyTime = time }
        }
    }

    /// Reads on until `count` pictures of `video` have been seen, within the same bounds.
    package func readHead(video: Int, pictures count: Int) throws(LibavError) {
        var bytes = replay.reduce(0) { $0 + $1.byteCount }
        while bytes < HeadLimit.byteCount, replay.count < HeadLimit.packetCount, head[video]?.count ?? 0 < min(count, HeadLimit.perStream) {
            guard let packet = try demuxer.readPacket() else { break }
            replay.append(packet)
            bytes += packet.byteCount
            keep(packet)
        }
    }

    /// Of what an edit list hides as many as of what it shows: a long hidden start must not take the place of the film's.
    private func keep(_ packet: Packet) {
        let kept = head[packet.streamIndex, default: []]
        guard kept.count < HeadLimit.perStream || kept.count(where: { $0.isDiscard == packet.isDiscard }) < HeadLimit.perStream else { return }
        head[packet.streamIndex, default: []].append(packet)
    }

    /// The next packet in file order; `nil` at the end.
    ///
    /// - Throws: `LibavError` of kind `.encrypted` for a picture that needs a key: a film may be clear only at its start.
    package func next() throws(LibavError) -> Packet? {
        if replayed < replay.count {
            defer { replayed += 1 }
            return replay[replayed]
        }
        if !replay.isEmpty {
            replay = []
            replayed = 0
        }
        let packet = try demuxer.readPacket()
        if let packet, packet.streamIndex == video, packet.isEncrypted { throw .encrypted(operation: "read") }
        return packet
    }

    /// Moves to the last keyframe of `stream` at or before `timestamp` (the stream's ticks, the index's axis).
    package func seek(stream: Int, timestamp: Int64) throws(LibavError) {
        replay = []
        replayed = 0
        try demuxer.seek(streamIndex: stream, timestamp: timestamp, backward: true)
    }

    /// Moves to the packet at a byte offset.
    package func seek(toByte position: Int64) throws(LibavError) {
        replay = []
        replayed = 0
        try demuxer.seek(toByte: position)
    }

    /// Moves to where reading a planned segment begins, `margin` before it or more.
    ///
    /// - Returns: Whether the source was entered in the middle by place: a stream may then show a piece of a frame first.
    @discardableResult
    package func seek(to index: Int, of plan: SegmentPlan, stream: Int, timeBase: TickBase, margin: MediaTime = .zero) throws(LibavError) -> Bool {
        guard plan.segments.indices.contains(index) else { return false }
        if plan.segments[index].position != nil {
            let from = plan.segment(margin, before: index)
            guard from > 0, let position = plan.segments[from].position else {
                try rewind()
                return false
            }
            try seek(toByte: position)
            return true
        }
        let time = max(plan.segments[index].indexTime &- margin.converted(to: plan.timescale).ticks, plan.segments[0].indexTime)
        try seek(stream: stream, timestamp: time / Int64(timeBase.numerator))
        return false
    }

    /// Back to the first packet. A source that was only read from the start, and no further than the packets that are still queued, is not
    /// moved: some cannot be (playlists, bare streams), and no seek is as cheap as none.
    package func rewind() throws(LibavError) {
        if !demuxer.hasSought, demuxer.packetsRead == replay.count {
            replayed = 0
            return
        }
        replay = []
        replayed = 0
        try demuxer.seekToStart()
    }
}
