package import BitsAndTime
internal import Libav

/// A track that is decoded and encoded: everything its production is a function of, besides its packets.
///
/// Encoded frame *n* holds the samples from `n · frameLength` on, counted at the encoder's rate from the source's zero, whatever production began
/// where. Each planned segment is encoded by a decoder and an encoder of its own, begun at a fixed place before it, in continuous production
/// too: what they remember of the past is then the same in any production, and so are the bytes. See ``BridgeRun``.
package struct BridgedTrack: Sendable {
    package let rendition: RenditionID
    let parameters: CodecParameters
    let decoderOptions: [String: String]
    package let format: BridgeFormat
    /// Of the encoder.
    package let frameLength: Int64
    let initialPadding: Int64
    /// What positions of packets count in: the decoder's rate.
    package let sourceRate: Int32
    /// Where the track's first packet is; `nil` when none was seen at open.
    var origin: Int64?
    /// Where its first sample to be heard is; `nil` when none was seen at open.
    var audibleStart: Int64?
    /// How far a packet's place may be off, in samples: its clock's resolution.
    let placeTolerance: Int64
    /// Samples over which places are averaged, where the clock is too coarse to place one frame: frames that differ in length, or that are shorter
    /// than its error. 0 where one time is enough.
    let fitLength: Int64
    /// Samples a packet, where all are alike and places are averaged: then what comes out is put on the grid they make.
    let fitGrid: Int64
    /// Samples a packet, where the clock is coarse and packets are placed on the grid their length makes; else 0. One that stands off it, as behind
    /// a cut, is where a second of packets agree on.
    let coarseGrid: Int64
    /// How far a place may be from where counting gets, in samples, whatever the frames' length: muxers cut PCM where they like, and place frames
    /// of different lengths by a neighbour's.
    let slack: Int64
    /// How long a decoder has to run before what it gives is right.
    let warmUp: MediaTime
    /// The first frame served.
    package let firstFrame: Int64
    /// What is done to its sound on the way; `nil`: nothing.
    package let shaped: ShapedSound?

    /// Samples from zero: places beyond this are no film's (186 years at 48 kHz), and are left out before anything is computed with them.
    static let farthest: Int64 = 1 << 48

    package var outputRate: Int32 { format.settings.format.sampleRate }

    /// Bits a second of what is encoded: the encoder's rate, and for a lossless one, whose rate is the sound's, that of the samples before.
    package var bitRate: Int64 {
        let settings = format.settings
        if settings.bitRate > 0 { return settings.bitRate }
        return Int64(settings.format.sampleRate) * Int64(settings.format.layout.channelCount * max(settings.bitsPerSample, 16))
    }

    func time(ofFrame number: Int64) -> MediaTime { MediaTime(ticks: number &* frameLength, timescale: outputRate) }

    /// The first frame that starts at `time` or after it: membership in segments is by start.
    func frame(atOrAfter time: MediaTime) -> Int64 {
        var number = min(max(time.converted(to: outputRate).ticks, -Self.farthest), Self.farthest) / frameLength
        // Rounding is off by one at most.
        for _ in 0..<2 where self.time(ofFrame: number) < time { number += 1 }
        for _ in 0..<2 where self.time(ofFrame: number - 1) >= time { number -= 1 }
        return number
    }

    /// The first frame of a planned segment; the first segment begins where the track does.
    func firstFrame(of segment: Int, in plan: SegmentPlan) -> Int64 {
        guard segment > 0, plan.segments.indices.contains(segment) else { return firstFrame }
        return max(firstFrame, frame(atOrAfter: plan.segments[segment].start))
    }

    /// What must have been read before a segment: the decoder's warm-up, the shaper's and the encoder's.
    package var margin: MediaTime {
        warmUp + MediaTime(ticks: Int64(format.prerollFrames) * frameLength + (shaped?.memory ?? 0), timescale: outputRate)
    }

    /// Where in the source a planned segment's run begins, in samples: with the first packet that ends behind this place.
    func runStart(of segment: Int, in plan: SegmentPlan) -> Int64 {
        let first = firstFrame(of: segment, in: plan)
        guard first > firstFrame else { return .min }
        let samples = (first - Int64(format.prerollFrames)) * frameLength + initialPadding - (shaped?.memory ?? 0)
        return (MediaTime(ticks: samples, timescale: outputRate) - warmUp).converted(to: sourceRate).ticks
    }
}

/// What became of a bridged track so far.
package struct BridgeCounts: Sendable, Hashable {
    /// Packets given to decoders; those between two segments twice.
    package var packets = 0
    /// Packets no decoder could read.
    package var damagedPackets = 0
    /// Frames the decoders gave.
    package var decodedFrames = 0
    /// Frames that were encoded and are served.
    package var encodedFrames = 0
    /// Decoders or encoders that failed to open or to go on.
    package var failures = 0
    /// Samples of silence served where the track had nothing.
    package var silentSamples = 0

    package init() {}

    static func + (a: BridgeCounts, b: BridgeCounts) -> BridgeCounts {
        var sum = a
        sum.packets += b.packets
        sum.damagedPackets += b.damagedPackets
        sum.decodedFrames += b.decodedFrames
        sum.encodedFrames += b.encodedFrames
        sum.failures += b.failures
        sum.silentSamples += b.silentSamples
        return sum
    }

    /// Packets went in and nothing was ever decoded: the track is silent because it failed, not because it is.
    package var producedNoAudio: Bool { packets > 50 && decodedFrames == 0 }
}
