/// Fills a track's holes with frames that decode to silence: a track that begins late, ends early or pauses. Players wait for the sound a
/// rendition lists; measured, GStreamer and Chromium stop at a segment without any.
package struct SilenceFiller: Sendable, Equatable {
    /// Where the track's frames begin: silence lies on the same grid, so that any two productions of a segment agree.
    let origin: Int64
    let frameLength: Int64
    let frame: SilentFrame
    /// Silent frames in one segment at most: a place that lies further off is no film's.
    private static let frameLimit = 1 << 16
    /// The longest frame of the track's own.
    let reach: Int64

    /// - Parameter reach: 0 where all are as long as the silent one.
    package init(origin: Int64, frameLength: Int64, frame: SilentFrame, reach: Int64 = 0) {
        self.reach = max(reach, frameLength)
        self.origin = origin
        self.frameLength = max(frameLength, 1)
        self.frame = frame
    }

    /// The same for a track whose frames begin so much later.
    func shifted(by ticks: Int64) -> Self { Self(origin: origin &+ ticks, frameLength: frameLength, frame: frame, reach: reach) }

    /// `samples` with silence before, between and behind them wherever a whole frame fits in.
    ///
    /// - Parameters:
    ///   - start: The segment's interval in samples; `nil` for one whose beginning is the track's own.
    ///   - end: `nil` for one whose end is the track's own.
    func filled(_ samples: [AudioSample], from start: Int64?, to end: Int64?) -> [AudioSample] {
        guard var cursor = start ?? samples.first?.position else { return samples }
        // A longer frame that began before the segment may last into it, and was not seen where production begins here.
        if let start, samples.first.map({ $0.position > start }) ?? true { cursor = start &+ (reach - frameLength) }
        var output: [AudioSample] = []
        var left = Self.frameLimit
        func fill(upTo limit: Int64, leaving room: Int64) {
            var slot = origin &+ ((cursor &- origin &+ frameLength &- 1) / frameLength) &* frameLength
            if cursor < origin { slot = origin &- ((origin &- cursor) / frameLength) &* frameLength }
            while slot &+ room < limit, left > 0 {
                left -= 1
                output.append(AudioSample(position: slot, sampleCount: frameLength, payload: frame.payload(at: slot &- origin)))
                slot &+= frameLength
                cursor = slot
            }
        }
        for sample in samples {
            // A frame that would reach into a real one is left out: less than a frame of nothing is the container's rounding.
            fill(upTo: sample.position, leaving: frameLength - 1)
            output.append(sample)
            cursor = max(cursor, sample.position &+ sample.sampleCount)
        }
        if let end { fill(upTo: end, leaving: 0) }
        return output
    }
}
